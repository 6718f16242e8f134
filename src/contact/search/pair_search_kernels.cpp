// Two passes: the first counts the hits of each query and keeps the first few; after a scan the second writes them
// where they belong, and walks the tree again only for queries that had more hits than were kept.
#include "contact/search/bvh_traversal.hpp"
#include "contact/search/exclusion.hpp"
#include "contact/search/pair_search.hpp"
#include "core/parallel.hpp"

namespace unbarred {

/// Hits kept a query: an edge of a smooth surface has about one, all neighbors included about six.
constexpr int kept_hits = 16;

/// Queries that walk the tree together, with one box around them: a leaf block on a CPU core, where walking is the
/// cost; one on a GPU, where the threads of a warp walk side by side anyway.
#ifdef __CUDACC__
constexpr int packet_size = 1;
#else
constexpr int packet_size = BoxBlock::lanes;
#endif

/// Calls sink(k, query, primitive) for each hit of the `Count` queries from leaf `begin` on; they lie in one leaf
/// block. Hits of one query come in ascending order of leaves.
template <int Count, bool within, class Admission, class Sink>
UNBARRED_FUNCTION void visit_hits(const BvhView& queries, const BvhView& tree, const Admission& admits,
                                  std::int64_t begin, Sink& sink) {
  const Index own_block = static_cast<Index>(begin / BoxBlock::lanes);
  const int first_lane = static_cast<int>(begin % BoxBlock::lanes);
  Box boxes[Count];  // those of lanes that are not used overlap nothing
  for (int k = 0; k < Count; ++k) boxes[k] = lane_box(queries.blocks[own_block], first_lane + k);
  const Box around = Count == 1 ? boxes[0] : leaf_block_box(queries, own_block);

  LeafBlockCursor cursor(tree, around, within ? own_block : 0);
  for (Index block; (block = cursor.next()) >= 0;) {
    // The queries that come near this block at all.
    unsigned near = Count == 1 ? 1 : overlapping_lanes(queries.blocks[own_block], leaf_block_box(tree, block));
    for (; near != 0; near &= near - 1) {
      const int k = lowest_bit(near);
      unsigned lanes = overlapping_lanes(tree.blocks[block], boxes[k]);
      if (within && block == own_block) lanes &= ~1u << (first_lane + k);
      for (; lanes != 0; lanes &= lanes - 1) {
        const Index query = queries.primitives[begin + k];
        const Index primitive = tree.primitives[std::int64_t{block} * BoxBlock::lanes + lowest_bit(lanes)];
        if (admits(query, primitive)) sink(k, query, primitive);
      }
    }
  }
}

template <bool within>
UNBARRED_FUNCTION IndexPair ordered(Index query, Index primitive) {
  return within && primitive < query ? IndexPair{primitive, query} : IndexPair{query, primitive};
}

/// Counts all hits of each query of a packet and keeps the first.
struct KeepFirst {
  Index counts[packet_size];
  View<Index> kept;
  UNBARRED_FUNCTION void operator()(int k, Index, Index primitive) {
    if (counts[k] < kept_hits) kept[k * kept_hits + counts[k]] = primitive;
    ++counts[k];
  }
};

/// Writes the hits of one query one after another.
template <bool within>
struct WritePairs {
  View<IndexPair> pairs;
  std::int64_t end;
  UNBARRED_FUNCTION void operator()(int, Index query, Index primitive) {
    pairs[end++] = ordered<within>(query, primitive);
  }
};

template <bool within, class Admission>
struct CountHits {
  BvhView queries, tree;
  Admission admits;
  View<Index> counts, kept;
  UNBARRED_FUNCTION void operator()(std::int64_t packet) const {
    const std::int64_t begin = packet * packet_size;
    KeepFirst sink{.counts = {}, .kept = kept.part(begin * kept_hits, packet_size * kept_hits)};
    visit_hits<packet_size, within>(queries, tree, admits, begin, sink);
    for (int k = 0; k < packet_size && begin + k < counts.size(); ++k) counts[begin + k] = sink.counts[k];
  }
};

template <bool within, class Admission>
struct EmitPairs {
  BvhView queries, tree;
  Admission admits;
  View<const Index> counts, kept;
  View<const std::int64_t> offsets;
  View<IndexPair> pairs;
  UNBARRED_FUNCTION void operator()(std::int64_t leaf) const {
    if (counts[leaf] > kept_hits) {
      WritePairs<within> sink{.pairs = pairs, .end = offsets[leaf]};
      visit_hits<1, within>(queries, tree, admits, leaf, sink);
      return;
    }
    const Index query = queries.primitives[leaf];
    for (int k = 0; k < counts[leaf]; ++k)
      pairs[offsets[leaf] + k] = ordered<within>(query, kept[leaf * kept_hits + k]);
  }
};

template <bool within, class Admission>
void PairSearch::search(const BvhView& queries, const BvhView& tree, const Admission& admits) {
  const std::int64_t n = queries.primitives.size();
  if (n == 0 || tree.primitives.size() == 0) {
    pairs_.resize_with_room(0);
    return;
  }
  const std::int64_t packets = (n + packet_size - 1) / packet_size;
  counts_.resize_with_room(n);
  kept_.resize_with_room(packets * packet_size * kept_hits);
  offsets_.resize_with_room(n + 1);
  for_each_index(
      "count box pairs", packets,
      CountHits<within, Admission>{
          .queries = queries, .tree = tree, .admits = admits, .counts = counts_.view(), .kept = kept_.view()});
  pairs_.resize_with_room(exclusive_scan("place box pairs", counts_.view(), offsets_.view()));
  for_each_index("write box pairs", n,
                 EmitPairs<within, Admission>{.queries = queries,
                                              .tree = tree,
                                              .admits = admits,
                                              .counts = counts_.view(),
                                              .kept = kept_.view(),
                                              .offsets = offsets_.view(),
                                              .pairs = pairs_.view()});
}

template <class Admission>
const DeviceArray<IndexPair>& PairSearch::between(const Bvh& queries, const Bvh& tree, const Admission& admits) {
  search<false>(queries.view(), tree.view(), admits);
  return pairs_;
}

template <class Admission>
const DeviceArray<IndexPair>& PairSearch::within(const Bvh& tree, const Admission& admits) {
  search<true>(tree.view(), tree.view(), admits);
  return pairs_;
}

template const DeviceArray<IndexPair>& PairSearch::between(const Bvh&, const Bvh&, const AdmitsAll&);
template const DeviceArray<IndexPair>& PairSearch::between(const Bvh&, const Bvh&, const AdmitsEdges&);
template const DeviceArray<IndexPair>& PairSearch::between(const Bvh&, const Bvh&, const AdmitsVertexTriangle&);
template const DeviceArray<IndexPair>& PairSearch::within(const Bvh&, const AdmitsAll&);
template const DeviceArray<IndexPair>& PairSearch::within(const Bvh&, const AdmitsEdges&);

}  // namespace unbarred
