#pragma once
// The surface of a tetrahedral mesh, on the host.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "contact/primitives.hpp"
#include "partitioning/block_mesh.hpp"

namespace unbarred::test {

struct SurfaceMesh {
  std::vector<SurfaceVertex> vertices;
  std::vector<Edge> edges;
  std::vector<Triangle> triangles;
};

/// Faces of one tetrahedron only, their edges and vertices, ascending.
inline SurfaceMesh boundary_of(const std::vector<GlobalTetrahedron>& tetrahedra) {
  std::map<std::array<Index, 3>, int> faces;
  for (const GlobalTetrahedron& t : tetrahedra)
    for (int left_out = 0; left_out < 4; ++left_out) {
      std::array<Index, 3> face;
      for (int k = 0, n = 0; k < 4; ++k)
        if (k != left_out) face[static_cast<std::size_t>(n++)] = static_cast<Index>(t.v[k]);
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  SurfaceMesh surface;
  std::set<std::array<Index, 2>> edges;
  std::set<Index> vertices;
  for (const auto& [face, count] : faces) {
    if (count != 1) continue;
    surface.triangles.push_back({{face[0], face[1], face[2]}});
    edges.insert({{face[0], face[1]}, {face[0], face[2]}, {face[1], face[2]}});
    vertices.insert(face.begin(), face.end());
  }
  for (const auto& edge : edges) surface.edges.push_back({{edge[0], edge[1]}});
  for (const Index v : vertices) surface.vertices.push_back({{v}});
  return surface;
}

}  // namespace unbarred::test
