#include "contact/search/broad_phase_kernels.hpp"

#include "contact/search/bvh_traversal.hpp"
#include "core/parallel.hpp"

namespace unbarred {

template <int A, int B>
struct WritePair {
  View<const IndexPair> found;
  View<const Primitive<A>> first;
  View<const Primitive<B>> second;
  View<const GlobalIndex> ids;
  View<ContactPair> into;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Primitive<A> a = first[found[i].first];
    const Primitive<B> b = second[found[i].second];
    ContactPair pair;
    pair.kind = A == 1 ? PairKind::vertex_triangle : PairKind::edge_edge;
    const bool swap = A == 2 && comes_before(b.v, a.v);
    for (int k = 0; k < A; ++k) pair.v[swap ? B + k : k] = a.v[k];
    for (int k = 0; k < B; ++k) pair.v[swap ? k : A + k] = b.v[k];
    into[i] = pair;
  }
  /// Edges by first, then by second id.
  UNBARRED_FUNCTION bool comes_before(const Index* p, const Index* q) const {
    const GlobalIndex p0 = ids[p[0]], q0 = ids[q[0]];
    return p0 != q0 ? p0 < q0 : ids[p[A - 1]] < ids[q[A - 1]];
  }
};

template <int A, int B>
void write_pairs(View<const IndexPair> found, View<const Primitive<A>> first, View<const Primitive<B>> second,
                 View<const GlobalIndex> ids, View<ContactPair> into) {
  for_each_index("write pairs", found.size(),
                 WritePair<A, B>{.found = found, .first = first, .second = second, .ids = ids, .into = into});
}

template void write_pairs(View<const IndexPair>, View<const SurfaceVertex>, View<const Triangle>,
                          View<const GlobalIndex>, View<ContactPair>);
template void write_pairs(View<const IndexPair>, View<const Edge>, View<const Edge>, View<const GlobalIndex>,
                          View<ContactPair>);

UNBARRED_FUNCTION Box empty_box() {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  return {{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};
}

/// Where chunk c of n things begins.
UNBARRED_FUNCTION std::int64_t chunk_begin(std::int64_t c, std::int64_t n, std::int64_t chunks) {
  return c * n / chunks;
}

struct UniteBoxes {
  View<const Box> boxes;
  View<Box> chunks;
  UNBARRED_FUNCTION void operator()(std::int64_t c) const {
    Box all = empty_box();
    const std::int64_t end = chunk_begin(c + 1, boxes.size(), chunks.size());
    for (std::int64_t i = chunk_begin(c, boxes.size(), chunks.size()); i < end; ++i) all = united(all, boxes[i]);
    chunks[c] = all;
  }
};

void unite_chunks(View<const Box> boxes, View<Box> chunks) {
  for_each_index("unite boxes", chunks.size(), UniteBoxes{.boxes = boxes, .chunks = chunks});
}

struct UniteLanes {
  BvhView tree;
  int level;
  std::int64_t lanes;  ///< that are used on this level
  View<Box> chunks;
  UNBARRED_FUNCTION void operator()(std::int64_t c) const {
    Box all = empty_box();
    const std::int64_t end = chunk_begin(c + 1, lanes, chunks.size());
    for (std::int64_t i = chunk_begin(c, lanes, chunks.size()); i < end; ++i)
      all = united(all, lane_box(tree.blocks[tree.level_begin[level] + i / BoxBlock::lanes],
                                 static_cast<int>(i % BoxBlock::lanes)));
    chunks[c] = all;
  }
};

void unite_chunks(const BvhView& tree, View<Box> chunks) {
  // A level with enough lanes for tight chunks, but not more than a thread a chunk reads at once.
  const std::int64_t enough = 64 * chunks.size();
  int level = 0;
  std::int64_t lanes = tree.primitives.size();
  for (; lanes > enough; ++level) lanes = (lanes + BoxBlock::lanes - 1) / BoxBlock::lanes;
  for_each_index("unite lanes", chunks.size(),
                 UniteLanes{.tree = tree, .level = level, .lanes = lanes, .chunks = chunks});
}

}  // namespace unbarred
