#include "contact/search/brute_force.hpp"
#include "contact/search/exclusion.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

namespace unbarred {

struct CopyBoxes {
  View<const Box> from;
  View<Box> to;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

void BoxList::build(View<const Box> boxes) {
  boxes_.resize_with_room(boxes.size());
  for_each_index("copy boxes", boxes.size(), CopyBoxes{.from = boxes, .to = boxes_.view()});
}

void BoxList::refit(View<const Box> boxes) {
  if (boxes.size() != size())
    throw Error(ExitCode::internal,
                "refit of " + std::to_string(size()) + " boxes with " + std::to_string(boxes.size()) + ": build first");
  build(boxes);
}

/// Counts the hits of one query, and writes them where `pairs` is not empty.
template <bool within, class Admission>
struct TestAll {
  View<const Box> queries, boxes;
  Admission admits;
  View<Index> counts;
  View<const std::int64_t> offsets;
  View<IndexPair> pairs;
  UNBARRED_FUNCTION void operator()(std::int64_t query) const {
    Index count = 0;
    for (std::int64_t i = within ? query + 1 : 0; i < boxes.size(); ++i) {
      const IndexPair pair{static_cast<Index>(query), static_cast<Index>(i)};
      if (!overlap(queries[query], boxes[i]) || !admits(pair.first, pair.second)) continue;
      if (pairs.size() > 0) pairs[offsets[query] + count] = pair;
      ++count;
    }
    counts[query] = count;
  }
};

template <bool within, class Admission>
void BruteForceSearch::search(View<const Box> queries, View<const Box> boxes, const Admission& admits) {
  counts_.resize_with_room(queries.size());
  offsets_.resize_with_room(queries.size() + 1);
  TestAll<within, Admission> test{.queries = queries,
                                  .boxes = boxes,
                                  .admits = admits,
                                  .counts = counts_.view(),
                                  .offsets = offsets_.view(),
                                  .pairs = {}};
  for_each_index("count all box pairs", queries.size(), test);
  pairs_.resize_with_room(exclusive_scan("place all box pairs", counts_.view(), offsets_.view()));
  if (pairs_.size() == 0) return;
  test.pairs = pairs_.view();
  for_each_index("write all box pairs", queries.size(), test);
}

template <class Admission>
const DeviceArray<IndexPair>& BruteForceSearch::between(const BoxList& queries, const BoxList& boxes,
                                                        const Admission& admits) {
  search<false>(queries.view(), boxes.view(), admits);
  return pairs_;
}

template <class Admission>
const DeviceArray<IndexPair>& BruteForceSearch::within(const BoxList& boxes, const Admission& admits) {
  search<true>(boxes.view(), boxes.view(), admits);
  return pairs_;
}

template const DeviceArray<IndexPair>& BruteForceSearch::between(const BoxList&, const BoxList&, const AdmitsAll&);
template const DeviceArray<IndexPair>& BruteForceSearch::between(const BoxList&, const BoxList&, const AdmitsEdges&);
template const DeviceArray<IndexPair>& BruteForceSearch::between(const BoxList&, const BoxList&,
                                                                 const AdmitsVertexTriangle&);
template const DeviceArray<IndexPair>& BruteForceSearch::within(const BoxList&, const AdmitsAll&);
template const DeviceArray<IndexPair>& BruteForceSearch::within(const BoxList&, const AdmitsEdges&);

}  // namespace unbarred
