#include "contact/filter/filter_kernels.hpp"

#include "contact/ccd.hpp"
#include "contact/filter/separating_plane.hpp"
#include "contact/position_at.hpp"
#include "core/atomic_min.hpp"
#include "core/parallel.hpp"

namespace unbarred {

namespace {

struct LoadedPair {
  Vec3 start[4], move[4];
};

UNBARRED_FUNCTION LoadedPair load(const ContactPair& pair, const PairMotion& motion) {
  LoadedPair loaded;
  for (int k = 0; k < 4; ++k) {
    loaded.start[k] = motion.start[pair.v[k]];
    loaded.move[k] = motion.target[pair.v[k]] - loaded.start[k];
  }
  return loaded;
}

UNBARRED_FUNCTION Real impact(const ContactPair& pair, const PairMotion& motion) {
  const LoadedPair loaded = load(pair, motion);
  return time_of_impact(pair.kind, loaded.start, loaded.move, motion.minimum_gap, motion.slack, motion.largest_slack);
}

/// Whether boxes around the two sides are further apart than that.
UNBARRED_FUNCTION bool boxes_apart(PairKind kind, const Vec3 (&x)[4], Real distance) {
  const int of_a = kind == PairKind::vertex_triangle ? 1 : 2;
  for (int i = 0; i < 3; ++i) {
    Real low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (int k = 0; k < 4; ++k) {
      const int side = k < of_a ? 0 : 1;
      low[side] = min(low[side], x[k][i]);
      high[side] = max(high[side], x[k][i]);
    }
    if (max(low[0] - high[1], low[1] - high[0]) > distance) return true;
  }
  return false;
}

UNBARRED_FUNCTION Real time_within_reach(const ContactPair& pair, const PairMotion& motion) {
  const Vec3 x[4] = {motion.target[pair.v[0]], motion.target[pair.v[1]], motion.target[pair.v[2]],
                     motion.target[pair.v[3]]};
  if (boxes_apart(pair.kind, x, motion.reach)) return impact_never;
  const Real distance = pair_distance(pair.kind, x).distance;
  return distance < motion.reach ? 1 - 1e-6 * (1 - distance / motion.reach) : impact_never;
}

}  // namespace

struct FirstImpact {
  View<const ContactPair> pairs;
  Sieve sieve;
  PairMotion motion;
  View<Real> times;
  View<CandidateState> states;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    times[i] = impact_never;
    states[i] = CandidateState::clear;
    if (sieve.drops(i)) return;
    const LoadedPair pair = load(pairs[i], motion);
    const ImpactSearch search = find_impact(pairs[i].kind, pair.start, pair.move, motion.minimum_gap, motion.slack,
                                            motion.largest_slack, motion.reach);
    times[i] = search.time;
    states[i] = search.time <= 1 ? CandidateState::colliding : CandidateState::clear;
    if (search.time > 1 && search.end_gap < motion.reach) times[i] = time_within_reach(pairs[i], motion);
  }
};

struct CountColliding {
  View<const CandidateState> states;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = states[i] == CandidateState::colliding ? 1 : 0;
  }
};

// A launch of its own: sums run on fewer threads than the searches deserve.
static std::int64_t count_colliding(View<const CandidateState> states) {
  return static_cast<std::int64_t>(sums<1>("count colliding", states.size(), CountColliding{states})[0]);
}

std::int64_t first_impacts(View<const ContactPair> pairs, const Sieve& sieve, const PairMotion& motion,
                           View<Real> times, View<CandidateState> states) {
  for_each_index("first impacts", pairs.size(),
                 FirstImpact{.pairs = pairs, .sieve = sieve, .motion = motion, .times = times, .states = states});
  return count_colliding(states);
}

struct GapOfCandidate {
  View<const ContactPair> pairs;
  Sieve sieve;
  View<const Vec3> positions;
  Real most;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = most;
    if (sieve.drops(i)) return;
    const ContactPair pair = pairs[i];
    const Vec3 x[4] = {positions[pair.v[0]], positions[pair.v[1]], positions[pair.v[2]], positions[pair.v[3]]};
    if (!boxes_apart(pair.kind, x, most)) terms[0] = pair_distance(pair.kind, x).distance;
  }
};

Real least_gap(View<const ContactPair> pairs, const Sieve& sieve, View<const Vec3> positions, Real most) {
  return min(most, least<1>("least gap", pairs.size(), GapOfCandidate{pairs, sieve, positions, most})[0]);
}

struct LeastImpact {
  View<const Real> times;
  View<const CandidateState> states;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = states[i] == CandidateState::clear ? 1 : times[i];
  }
};

Real least_impact(View<const Real> times, View<const CandidateState> states) {
  const Real found = least<1>("least impact", times.size(), LeastImpact{times, states})[0];
  return found < 1 ? found : 1;
}

struct DivideCandidate {
  View<const ContactPair> pairs;
  PairMotion motion;
  View<Real> fractions, times;
  View<CandidateState> states;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    if (states[i] != CandidateState::colliding) return;
    states[i] = CandidateState::divided;
    times[i] = min(times[i], Real(1));
    const ContactPair pair = pairs[i];
    const LoadedPair loaded = load(pair, motion);
    const VertexFractions parts = separating_plane_fractions(pair.kind, loaded.start, loaded.move, motion.minimum_gap);
    for (int k = 0; k < 4; ++k) atomic_min(fractions[pair.v[k]], parts.fraction[k]);
  }
};

void divide_candidates(View<const ContactPair> pairs, const PairMotion& motion, View<Real> fractions, View<Real> times,
                       View<CandidateState> states) {
  for_each_index(
      "divide candidates", pairs.size(),
      DivideCandidate{.pairs = pairs, .motion = motion, .fractions = fractions, .times = times, .states = states});
}

struct PlaceVertex {
  View<const Vec3> start, target;
  View<const Real> fractions;
  View<Vec3> reached;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    reached[v] = position_at(start[v], target[v], fractions[v]);
  }
};

void place_vertices(View<const Vec3> start, View<const Vec3> target, View<const Real> fractions, View<Vec3> reached) {
  for_each_index("place vertices", reached.size(),
                 PlaceVertex{.start = start, .target = target, .fractions = fractions, .reached = reached});
}

struct RecheckCandidate {
  View<const ContactPair> pairs;
  PairMotion motion;
  View<const Real> fractions, checked;
  View<CandidateState> states;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    if (states[i] == CandidateState::divided) return;
    const ContactPair pair = pairs[i];
    bool fell = false;
    for (int k = 0; k < 4; ++k) fell = fell || fractions[pair.v[k]] < checked[pair.v[k]];
    if (fell && impact(pair, motion) <= 1) states[i] = CandidateState::colliding;
  }
};

std::int64_t recheck_candidates(View<const ContactPair> pairs, const PairMotion& to_reached, View<const Real> fractions,
                                View<const Real> checked, View<CandidateState> states) {
  for_each_index(
      "recheck candidates", pairs.size(),
      RecheckCandidate{
          .pairs = pairs, .motion = to_reached, .fractions = fractions, .checked = checked, .states = states});
  return count_colliding(states);
}

struct FractionAt {
  View<const SurfaceVertex> vertices;
  View<const Real> fractions;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const { terms[0] = fractions[vertices[i].v[0]]; }
};

/// In whole units, so that sums of up to 2^27 of them are exact in a Real.
struct FractionUnitsAt {
  View<const SurfaceVertex> vertices;
  View<const Real> fractions;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = static_cast<Real>(static_cast<std::int64_t>(fractions[vertices[i].v[0]] / FractionSums::unit));
  }
};

FractionSums sum_fractions(View<const SurfaceVertex> vertices, View<const Real> fractions) {
  const Real smallest = least<1>("least fraction", vertices.size(), FractionAt{vertices, fractions})[0];
  const Real units = sums<1>("sum of fractions", vertices.size(), FractionUnitsAt{vertices, fractions})[0];
  return {smallest < 1 ? smallest : 1, static_cast<std::int64_t>(units)};
}

}  // namespace unbarred
