#include "partitioning/vertex_graph.hpp"

#include <utility>

namespace unbarred {

struct Arc {
  GlobalIndex from, to;
  auto operator<=>(const Arc&) const = default;
};

/// Sorts what was appended behind the first `sorted` arcs into them and drops repetitions. A vertex has about 14
/// neighbours, but every edge is met in about five tetrahedra: so the list is cleaned while it grows.
static std::size_t sort_unique(std::vector<Arc>& arcs, std::size_t sorted) {
  const auto middle = arcs.begin() + static_cast<std::ptrdiff_t>(sorted);
  std::sort(middle, arcs.end());
  arcs.erase(std::unique(middle, arcs.end()), arcs.end());
  std::inplace_merge(arcs.begin(), arcs.begin() + static_cast<std::ptrdiff_t>(sorted), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return arcs.size();
}

constexpr std::size_t smallest_chunk = std::size_t{1} << 20;  // arcs that are sorted at once

/// Appends every edge of the elements once, as an arc from the smaller to the larger vertex; `edges` stays sorted.
template <class Element>
static void add_edges(const std::vector<Element>& elements, std::vector<Arc>& edges) {
  constexpr int vertices = std::size(Element{}.v);
  std::size_t sorted = edges.size();
  for (const Element& element : elements) {
    for (int i = 0; i < vertices; ++i)
      for (int j = i + 1; j < vertices; ++j) {
        const auto [a, b] = std::minmax(element.v[i], element.v[j]);
        edges.push_back({a, b});
      }
    if (edges.size() - sorted >= std::max(sorted / 2, smallest_chunk)) sorted = sort_unique(edges, sorted);
  }
  sort_unique(edges, sorted);
}

static std::vector<Arc> edges_of(const BlockMesh& mesh) {
  const std::size_t tetrahedra = mesh.connectivity.size();
  std::vector<Arc> edges;
  edges.reserve(std::min(6 * tetrahedra, 2 * tetrahedra + 2 * smallest_chunk));
  add_edges(mesh.connectivity, edges);
  add_edges(mesh.surface, edges);
  return edges;
}

/// Sorted arcs to the ranks that are home to their beginnings.
static std::vector<Arc> send_home(const Communicator& communicator, const BlockDistribution& blocks,
                                  const std::vector<Arc>& arcs) {
  std::vector<int> counts(static_cast<std::size_t>(communicator.size()), 0);
  for (const Arc& arc : arcs) ++counts[static_cast<std::size_t>(blocks.part_of(arc.from))];
  return communicator.exchange(std::span<const Arc>(arcs), std::span<const int>(counts));
}

VertexGraph build_vertex_graph(const Communicator& communicator, const BlockMesh& mesh) {
  std::vector<Arc> edges = edges_of(mesh);
  std::vector<Arc> arcs = send_home(communicator, mesh.vertices, edges);
  for (Arc& edge : edges) std::swap(edge.from, edge.to);
  std::sort(edges.begin(), edges.end());
  {
    const std::vector<Arc> reversed = send_home(communicator, mesh.vertices, edges);
    edges = {};
    arcs.insert(arcs.end(), reversed.begin(), reversed.end());
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());

  VertexGraph graph;
  const GlobalIndex begin = mesh.vertices.begin(communicator.rank()), end = mesh.vertices.end(communicator.rank());
  graph.offsets.assign(static_cast<std::size_t>(end - begin) + 1, 0);
  graph.neighbours.resize(arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    ++graph.offsets[static_cast<std::size_t>(arcs[i].from - begin) + 1];
    graph.neighbours[i] = arcs[i].to;
  }
  for (std::size_t i = 1; i < graph.offsets.size(); ++i) graph.offsets[i] += graph.offsets[i - 1];
  return graph;
}

}  // namespace unbarred
