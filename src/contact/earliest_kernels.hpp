#pragma once
// Launches of the selection of earliest pairs.
#include "contact/pair.hpp"
#include "core/view.hpp"

namespace unbarred {

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
