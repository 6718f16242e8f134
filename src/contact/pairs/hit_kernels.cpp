#include "contact/pairs/hit_kernels.hpp"

#include "core/atomic_min.hpp"
#include "core/parallel.hpp"

namespace unbarred {

struct MarkHit {
  View<const Real> times;
  View<Index> marks;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { marks[i] = times[i] <= 1 ? 1 : 0; }
};

std::int64_t mark_hits(View<const Real> times, View<Index> marks, View<std::int64_t> places) {
  for_each_index("mark hits", times.size(), MarkHit{.times = times, .marks = marks});
  return exclusive_scan("place hits", View<const Index>(marks), places);
}

struct GatherHit {
  HitSource source;
  View<Hit> hits;
  View<ContactPair> pairs;
  View<Real> times;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    if (source.marks[i] == 0) return;
    const std::int64_t at = source.places[i];
    const ContactPair pair = source.pairs[i];
    Hit hit;
    hit.found.key.kind = pair.kind;
    for (int k = 0; k < 4; ++k) {
      hit.found.key.id[k] = source.ids[pair.v[k]];
      hit.found.holders.owner[k] = source.owners[pair.v[k]];
    }
    hit.found.holders.body[0] = source.body[pair.v[0]];
    hit.found.holders.body[1] = source.body[pair.v[3]];
    hit.found.event = PairEvent::hit;
    hit.found.gain = 0;
    hit.time = source.times[i];
    hits[at] = hit;
    pairs[at] = pair;
    times[at] = hit.time;
  }
};

void gather_hits(const HitSource& source, View<Hit> hits, View<ContactPair> pairs, View<Real> times) {
  for_each_index("gather hits", source.pairs.size(),
                 GatherHit{.source = source, .hits = hits, .pairs = pairs, .times = times});
}

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
