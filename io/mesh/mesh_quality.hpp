#pragma once
// What `unbarred mesh report` says about a mesh.
#include "io/mesh/duplicates.hpp"
#include "io/mesh/mesh_data.hpp"

namespace unbarred {

struct MeshQuality {
  ElementKind kind = ElementKind::tetrahedra;
  GlobalIndex vertices = 0, elements = 0, unused_vertices = 0, ignored_elements = 0;
  Vec3 lower{}, upper{};                              ///< bounding box, in the units of the file
  Real volume = 0;                                    ///< of tetrahedra; of a closed surface, what it encloses
  Real area = 0;                                      ///< of the surface
  Duplicates duplicate_vertices, duplicate_elements;  ///< numbers of vertices and elements from 0
  GlobalIndex mirrored = 0, flat = 0;                 ///< elements
  GlobalIndex components = 0;                         ///< connected through vertices
  GlobalIndex crowded_faces = 0;                      ///< with three tetrahedra or more
  GlobalIndex surface_triangles = 0, open_edges = 0, non_manifold_edges = 0,
              euler_characteristic = 0;    ///< of the surface
  Real least_angle = 0, median_angle = 0;  ///< dihedral, degrees: over the tetrahedra, the smallest of each
  Real least_shape = 0;                    ///< least 6 sqrt(2) V / (longest edge)^3: 1 is a regular tetrahedron
  GlobalIndex worst_element = -1;          ///< its id
  Real volume_ratio = 0;                   ///< smallest volume over the largest
};

MeshQuality measure_quality(const MeshData& mesh);

/// Lines "  name   value".
std::string to_string(const MeshQuality& quality, const MeshData& mesh);

}  // namespace unbarred
