#pragma once
// Launches that pick the hits out of the candidates, and the earliest of them.
#include "contact/found_pair.hpp"
#include "contact/pair.hpp"
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

/// Candidates with their times of impact; those that hit and are not known take part.
struct NewHits {
  View<const ContactPair> pairs;
  View<const Real> times;
  View<const std::uint8_t> known;       ///< a pair; may be empty
  View<const std::uint8_t> prescribed;  ///< a vertex
  UNBARRED_FUNCTION bool takes_part(std::int64_t i) const {
    return times[i] <= 1 && (known.size() == 0 || known[i] == 0);
  }
};

/// earliest[v] falls to the least time of the hits of v; prescribed vertices are left alone.
void find_earliest(const NewHits& hits, View<Real> earliest);

/// keep[i] = 1 for hits that are the earliest of one of their vertices that are not prescribed, 0 for the rest;
/// places[i] = how many are kept before i. Returns how many are kept.
std::int64_t mark_earliest(const NewHits& hits, View<const Real> earliest, View<Index> keep, View<std::int64_t> places);

/// listed = the numbers i with keep[i] = 1.
void list_marked(View<const Index> keep, View<const std::int64_t> places, View<Index> listed);

}  // namespace unbarred
