#include "contact/pairs/hand_over_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

namespace {

/// The vertex that stays, and what the closest point of the other side has slid onto: an edge, or a vertex (twice).
struct Feature {
  int vertex;
  int first, second;
};

/// Slots of side B that carry the closest point of a vertex-triangle pair; false inside the triangle.
UNBARRED_FUNCTION bool feature_of_triangle(const PairDistance& link, Feature& feature) {
  int carriers = 0;
  for (int k = 1; k < 4; ++k)
    if (link.weight[k] != 0) {
      if (carriers == 0) feature.first = k;
      feature.second = k;
      ++carriers;
    }
  feature.vertex = 0;
  return carriers < 3;
}

/// An end of one edge against the other edge, or its end; false where both are met inside.
UNBARRED_FUNCTION bool feature_of_edges(const PairDistance& link, Feature& feature) {
  const bool end_a = link.weight[0] == 0 || link.weight[1] == 0, end_b = link.weight[2] == 0 || link.weight[3] == 0;
  if (end_a) {
    feature.vertex = link.weight[0] != 0 ? 0 : 1;
    feature.first = link.weight[2] != 0 ? 2 : 3;
    feature.second = link.weight[3] != 0 ? 3 : 2;
    return true;
  }
  feature = {link.weight[2] != 0 ? 2 : 3, 0, 1};
  return end_b;
}

UNBARRED_FUNCTION bool has(const Triangle& t, Index v) { return t.v[0] == v || t.v[1] == v || t.v[2] == v; }

}  // namespace

struct FindSuccessor {
  SuccessorSearch search;
  View<Successor> successors;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const ActivePair& p = search.pairs[i];
    successors[i] = {.slot = -1, .triangle = {}, .valley = 0};
    if (!(p.active && p.multiplier > 0)) return;
    Feature feature{0, 0, 0};
    const bool slid = p.pair.kind == PairKind::vertex_triangle ? feature_of_triangle(p.link, feature)
                                                               : feature_of_edges(p.link, feature);
    if (slid) choose(p, feature, successors[i]);
  }

  /// Whether the next triangle, whose distance to the vertex has this normal, rises from the plane of the pair's to the
  /// vertex's side, across the edge that they share, and the vertex is still near the pair's triangle.
  UNBARRED_FUNCTION bool valley(const ActivePair& p, const Feature& feature, const Triangle& next,
                                const Vec3& normal) const {
    constexpr Real flat = 1e-3, steep = 0.5;
    const Index a = p.pair.v[feature.first], b = p.pair.v[feature.second];
    if (p.pair.kind != PairKind::vertex_triangle || a == b) return false;
    const Vec3 x[4] = {search.positions[p.pair.v[0]], search.positions[p.pair.v[1]], search.positions[p.pair.v[2]],
                       search.positions[p.pair.v[3]]};
    PairDistance plane;
    if (!near_plane(x, plane) || dot(plane.normal, normal) < steep) return false;
    Index other = a;
    for (const Index v : next.v) other = v != a && v != b ? v : other;
    const Vec3 beyond = search.positions[other] - search.positions[a];
    return dot(plane.normal, beyond) > flat * sqrt(squared_norm(beyond));
  }

  UNBARRED_FUNCTION void choose(const ActivePair& p, const Feature& feature, Successor& successor) const {
    const Index vertex = p.pair.v[feature.vertex], a = p.pair.v[feature.first], b = p.pair.v[feature.second];
    const std::int64_t local = search.ids.size();
    if (a >= local || b >= local) return;
    const Index judge = search.ids[a] < search.ids[b] ? a : b;
    if (judge >= search.owned) return;
    // Only what is closer for certain: at a convex edge both of its triangles are as far away as the edge.
    Real least = (1 - 1e-6) * p.link.distance;
    for (Index t = search.around.offsets[judge]; t < search.around.offsets[judge + 1]; ++t) {
      const Triangle triangle = search.around.triangles[t];
      if (!has(triangle, a) || !has(triangle, b) || has(triangle, vertex)) continue;
      const Vec3 x[4] = {search.positions[vertex], search.positions[triangle.v[0]], search.positions[triangle.v[1]],
                         search.positions[triangle.v[2]]};
      const PairDistance nearest = pair_distance(PairKind::vertex_triangle, x);
      if (!(nearest.distance < least)) continue;
      least = nearest.distance;
      successor.slot = feature.vertex;
      successor.triangle = triangle;
      successor.valley = valley(p, feature, triangle, nearest.normal) ? 1 : 0;
    }
  }
};

struct CountSuccessors {
  View<const Successor> successors;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const { terms[0] = successors[i].slot >= 0; }
};

std::int64_t find_successors(const SuccessorSearch& search, View<Successor> successors) {
  for_each_index("find successors", search.pairs.size(), FindSuccessor{.search = search, .successors = successors});
  return static_cast<std::int64_t>(sums<1>("count successors", successors.size(), CountSuccessors{successors})[0]);
}

}  // namespace unbarred
