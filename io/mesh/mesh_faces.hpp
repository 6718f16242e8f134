#pragma once
// The faces of tetrahedra: which of them form the surface.
#include <array>

#include "io/mesh/mesh_data.hpp"

namespace unbarred {

/// One face of one tetrahedron, seen from outside counterclockwise when the tetrahedron is positively oriented.
struct Face {
  std::array<GlobalIndex, 3> sorted, corners;
  std::size_t element;
};

/// Four faces an element, equal ones next to each other.
std::vector<Face> sorted_faces(const MeshData& tetrahedra);

/// The triangles that belong to one tetrahedron only, with its id and oriented outwards; all vertices are kept.
MeshData boundary_of(const MeshData& tetrahedra);

/// det(x1-x0, x2-x0, x3-x0): six times the volume.
Real six_volumes(const MeshData& mesh, const FileElement& tetrahedron);

}  // namespace unbarred
