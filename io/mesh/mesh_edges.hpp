#pragma once
// The edges of triangles, and the parts of a surface that hang together.
#include <array>
#include <numeric>

#include "io/mesh/mesh_data.hpp"

namespace unbarred {

/// One edge of one triangle; `forward`: the triangle runs from the smaller to the larger vertex number.
struct Edge {
  std::array<GlobalIndex, 2> sorted;
  std::size_t element;
  bool forward;
};

/// Three edges a triangle, equal ones next to each other.
std::vector<Edge> sorted_edges(const MeshData& triangles);

/// Calls visit(begin, end) for every run of edges (faces) with equal vertices.
template <class T, class Visit>
void for_each_run(const std::vector<T>& items, const Visit& visit) {
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    for (end = begin; end < items.size() && items[end].sorted == items[begin].sorted;) ++end;
    visit(items.data() + begin, items.data() + end);
  }
}

/// Sets that grow together: each is called by one of its members.
class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace unbarred
