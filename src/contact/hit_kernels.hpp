#pragma once
// Launches that pick the hits out of the candidates.
#include "contact/found_pair.hpp"
#include "core/view.hpp"

namespace unbarred {

/// A candidate that would come too close, with the time of impact in [0, 1].
struct Hit {
  FoundPair found;
  Real time;
};

/// marks[i] = 1 where times[i] <= 1; places[i] = how many of these are before i. Returns their number.
std::int64_t mark_hits(View<const Real> times, View<Index> marks, View<std::int64_t> places);

/// Candidates and what is known of their vertices (extended numbers).
struct HitSource {
  View<const ContactPair> pairs;
  View<const Real> times;
  View<const GlobalIndex> ids;
  View<const std::int32_t> owners, body;
  View<const Index> marks;
  View<const std::int64_t> places;
};
/// Marked candidates in their order, three arrays of the same length.
void gather_hits(const HitSource& source, View<Hit> hits, View<ContactPair> pairs, View<Real> times);

}  // namespace unbarred
