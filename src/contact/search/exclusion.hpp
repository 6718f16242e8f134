#pragma once
// Which pairs of primitives are never candidates. An admission is called with the numbers of two primitives whose boxes
// overlap, before the pair is stored, and says whether to keep it.
#include "contact/primitives.hpp"
#include "core/view.hpp"

namespace unbarred {

/// Keeps every pair.
struct AdmitsAll {
  UNBARRED_FUNCTION bool operator()(Index, Index) const { return true; }
};

/// One number for two bodies in either order.
UNBARRED_FUNCTION std::uint64_t body_pair_key(std::int32_t a, std::int32_t b) {
  const std::uint64_t low = static_cast<std::uint32_t>(a < b ? a : b);
  return low << 32 | static_cast<std::uint32_t>(a < b ? b : a);
}

/// What is known of vertices and bodies.
struct PairRules {
  View<const std::int32_t> body;        ///< per vertex; may be empty when no pair of bodies is excluded
  View<const std::uint64_t> excluded;   ///< body_pair_key, ascending; (a, a) excludes contact of a with itself
  View<const std::uint8_t> prescribed;  ///< per vertex: not 0 where the whole motion is; may be empty

  UNBARRED_FUNCTION bool bodies_excluded(Index vertex_a, Index vertex_b) const {
    if (excluded.size() == 0) return false;
    const std::uint64_t key = body_pair_key(body[vertex_a], body[vertex_b]);
    std::int64_t begin = 0, end = excluded.size();
    while (begin < end) {
      const std::int64_t middle = (begin + end) / 2;
      if (excluded[middle] < key) begin = middle + 1;
      else end = middle;
    }
    return begin < excluded.size() && excluded[begin] == key;
  }
};

/// Drops primitives that share a vertex, pairs of excluded bodies, and pairs that nothing but the scene moves.
template <int A, int B>
struct Admits {
  View<const Primitive<A>> first;
  View<const Primitive<B>> second;
  PairRules rules;

  UNBARRED_FUNCTION bool operator()(Index a, Index b) const {
    const Primitive<A> p = first[a];
    const Primitive<B> q = second[b];
    for (int i = 0; i < A; ++i)
      for (int j = 0; j < B; ++j)
        if (p.v[i] == q.v[j]) return false;
    if (rules.bodies_excluded(p.v[0], q.v[0])) return false;
    return rules.prescribed.size() == 0 || !(all_prescribed(p) && all_prescribed(q));
  }

 private:
  template <int N>
  UNBARRED_FUNCTION bool all_prescribed(const Primitive<N>& p) const {
    for (int i = 0; i < N; ++i)
      if (rules.prescribed[p.v[i]] == 0) return false;
    return true;
  }
};

/// first: queries, second: primitives of the tree; both the same edges where a tree is searched within itself.
using AdmitsEdges = Admits<2, 2>;
/// first: surface vertices, second: triangles.
using AdmitsVertexTriangle = Admits<1, 3>;

}  // namespace unbarred
