#include "contact/earliest_kernels.hpp"

#include "core/atomic_min.hpp"
#include "core/parallel.hpp"

namespace unbarred {

struct FindEarliest {
  NewHits hits;
  View<Real> earliest;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    if (!hits.takes_part(i)) return;
    for (const Index v : hits.pairs[i].v)
      if (hits.prescribed[v] == 0) atomic_min(earliest[v], hits.times[i]);
  }
};

void find_earliest(const NewHits& hits, View<Real> earliest) {
  for_each_index("find earliest", hits.pairs.size(), FindEarliest{.hits = hits, .earliest = earliest});
}

struct MarkEarliest {
  NewHits hits;
  View<const Real> earliest;
  View<Index> keep;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    keep[i] = 0;
    if (!hits.takes_part(i)) return;
    for (const Index v : hits.pairs[i].v)
      if (hits.prescribed[v] == 0 && hits.times[i] <= earliest[v]) keep[i] = 1;
  }
};

std::int64_t mark_earliest(const NewHits& hits, View<const Real> earliest, View<Index> keep,
                           View<std::int64_t> places) {
  for_each_index("mark earliest", hits.pairs.size(), MarkEarliest{.hits = hits, .earliest = earliest, .keep = keep});
  return exclusive_scan("place earliest", keep, places);
}

struct ListMarked {
  View<const Index> keep;
  View<const std::int64_t> places;
  View<Index> listed;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    if (keep[i] != 0) listed[places[i]] = static_cast<Index>(i);
  }
};

void list_marked(View<const Index> keep, View<const std::int64_t> places, View<Index> listed) {
  for_each_index("list earliest", keep.size(), ListMarked{.keep = keep, .places = places, .listed = listed});
}

}  // namespace unbarred
