#pragma once
// Launches of the step filters. Extended vertex numbers throughout; results are of this rank.
#include "contact/pair.hpp"
#include "contact/primitives.hpp"
#include "contact/search/sieve.hpp"
#include "core/view.hpp"

namespace unbarred {

struct PairMotion {
  View<const Vec3> start, target;
  Real minimum_gap, slack, largest_slack;
  Real reach = 0;  ///< FilterOptions::reach
};

/// What a filter knows of a candidate.
enum class CandidateState : std::int32_t { clear, colliding, divided };

/// times[i] = time of impact on the way to the target, or just below 1 of what is clear but within reach there, the
/// closest first; states[i] = colliding or clear, as all are that the sieve drops. Returns the number of colliding
/// candidates.
std::int64_t first_impacts(View<const ContactPair> pairs, const Sieve& sieve, const PairMotion& motion,
                           View<Real> times, View<CandidateState> states);

/// Least distance of the pairs that the sieve does not drop, or `most`, m.
Real least_gap(View<const ContactPair> pairs, const Sieve& sieve, View<const Vec3> positions, Real most);

/// Least time of what is not clear, at most 1.
Real least_impact(View<const Real> times, View<const CandidateState> states);

/// Colliding candidates: fractions of their vertices fall to the separating plane, and the candidate is divided: safe
/// for ever. Its time becomes 1 where it was later: what stands in the way of a shortened motion is a hit, too.
void divide_candidates(View<const ContactPair> pairs, const PairMotion& motion, View<Real> fractions, View<Real> times,
                       View<CandidateState> states);

/// reached[v] = position_at(start[v], target[v], fractions[v]) for every v of `reached`.
void place_vertices(View<const Vec3> start, View<const Vec3> target, View<const Real> fractions, View<Vec3> reached);

/// Candidates that are not divided and have a vertex whose fraction fell below `checked` are searched again, on the way
/// to what was reached. Returns the number of colliding ones.
std::int64_t recheck_candidates(View<const ContactPair> pairs, const PairMotion& to_reached, View<const Real> fractions,
                                View<const Real> checked, View<CandidateState> states);

/// Over the listed vertices; the sum is exact, in any order.
struct FractionSums {
  static constexpr Real unit = 0x1p-26;
  Real least;
  std::int64_t units;
};
FractionSums sum_fractions(View<const SurfaceVertex> vertices, View<const Real> fractions);

}  // namespace unbarred
