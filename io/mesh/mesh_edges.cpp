#include "io/mesh/mesh_edges.hpp"

#include <algorithm>

namespace unbarred {

std::vector<Edge> sorted_edges(const MeshData& triangles) {
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.elements.size());
  for (std::size_t t = 0; t < triangles.elements.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const GlobalIndex a = triangles.elements[t].v[i], b = triangles.elements[t].v[(i + 1) % 3];
      edges.push_back({{std::min(a, b), std::max(a, b)}, t, a < b});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.element < b.element;
  });
  return edges;
}

}  // namespace unbarred
