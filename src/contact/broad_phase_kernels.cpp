#include "contact/broad_phase_kernels.hpp"

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

struct UniteChunk {
  View<const Box> boxes;
  View<Box> chunks;
  UNBARRED_FUNCTION void operator()(std::int64_t c) const {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    Box all{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};
    const std::int64_t begin = c * boxes.size() / chunks.size(), end = (c + 1) * boxes.size() / chunks.size();
    for (std::int64_t i = begin; i < end; ++i) all = united(all, boxes[i]);
    chunks[c] = all;
  }
};

void unite_chunks(View<const Box> boxes, View<Box> chunks) {
  for_each_index("unite chunks", chunks.size(), UniteChunk{.boxes = boxes, .chunks = chunks});
}

}  // namespace unbarred
