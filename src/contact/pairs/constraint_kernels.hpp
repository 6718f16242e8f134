#pragma once
// Launches over the pairs of an active set: linearization, slack and decay, forces, multipliers. Sums count each pair
// once over all ranks and have a fixed order (that of the keys).
#include "contact/pairs/active_pair.hpp"
#include "contact/vertex_values.hpp"
#include "core/symmetric_block.hpp"
#include "core/view.hpp"

namespace unbarred {

/// What all pairs share in a step.
struct ConstraintSettings {
  Real offset = 0;                 ///< delta, m
  Real decay_factor = 0.9;         ///< Gamma
  bool weigh_inactive = false;     ///< `published`: inactive pairs stay in the Hessian, by their decay; otherwise those
                                   ///< hold that the Newton step would run into (revise)
  bool inactive_may_rise = false;  ///< `published`: every multiplier is updated fully
  bool share_of_search = true;     ///< updates are those shares of the whole that the line search took of the step
  bool secant_friction = true;     ///< mollified friction of what the line search cut takes its secant stiffness
  Real slip_length = 0;  ///< epsilon_v h, m: friction of IPC's mollified law; 0: Coulomb's law with a multiplier
};

/// How a pair's offset grows from its gap to delta. Growth by a share of delta a step is a speed of share delta/h,
/// which drives bodies apart and feeds energy to them once h is small: 30 % in a collision at 0.6 m/s with delta = 1 mm
/// and h = 0.1 ms. So it is also limited to that share of a tenth of the way that the pair moves in the step, and of
/// the way that gravity makes what rests fall.
struct OffsetRamp {
  Real offset = 0;     ///< delta, m
  Real share = 0.1;    ///< of delta, or of these ways, that its gap may grow in a step; infinite: delta
  Real time_step = 0;  ///< h, s
  Real speed = 0;      ///< that gravity gives in a step, m/s: gaps of what rests grow as well
};
/// offset_i = min(delta, gap at the start of the step + share min(delta, h (relative speed / 10 + speed))), with the
/// largest relative speed of the pair's vertices at the start of the step.
void set_offsets(View<ActivePair> pairs, const VertexValues& start, const VertexValues& velocity,
                 const OffsetRamp& ramp);
/// How stiff a pair is: 1/mu = (sum w_k^2 compliance_k + rigid) / factor, at most `largest`, times what it was adapted
/// by.
struct PenaltyRule {
  VertexValues compliance;  ///< x: of the vertex, 1/kg
  View<const Real> rigid;   ///< of the pair's bodies as a whole, 1/kg
  Real factor = 1;          ///< C
  Real largest = 0;         ///< where nothing gives way, kg
  bool known = true;        ///< also of pairs that have one
};
void set_penalties(View<ActivePair> pairs, const PenaltyRule& rule);
/// How many pairs of this rank have a decay below `least`.
std::int64_t count_faded(View<const ActivePair> pairs, Real least);
/// Lets pairs go of which every vertex is held, where the first coordinate of `held` is not 0: decay = 0.
void fade_held(View<ActivePair> pairs, const VertexValues& held);
/// Links from the feasible positions. keep: those that are there keep their normal and weights; their distance is then
/// that along the normal, with a sign.
void linearize(View<ActivePair> pairs, const VertexValues& feasible, bool keep);
/// c at the iterate: active or not, decay; what is active holds in the solve. friction_multiplier goes the share
/// `follow` of its way to the multiplier.
void evaluate(View<ActivePair> pairs, const VertexValues& feasible, const VertexValues& iterate,
              const ConstraintSettings& settings, Real follow);
/// A 3x3 symmetric matrix and a force a pair: with z = sum w_k x_k, the pair pulls vertex k by w_k K z, and pushes it
/// by w_k f.
struct PairTerms {
  SymmetricBlock stiffness;
  Vec3 force;  ///< downhill, h^2 N
  Real weight[4];
};
/// The force is that of the model that the next solve minimizes: pairs that hold pull as well as push, so that p meets
/// them. start: positions at the beginning of the step, for friction.
void pair_terms(View<const ActivePair> pairs, const VertexValues& feasible, const VertexValues& iterate,
                const VertexValues& start, const ConstraintSettings& settings, View<PairTerms> terms);

/// energies[i] = gamma mu/2 min(0, c - lambda/mu)^2 + friction potential of pair i at y, h^2 J; 0 where it is not
/// counted.
void constraint_energies(View<const ActivePair> pairs, const VertexValues& feasible, const VertexValues& y,
                         const VertexValues& start, const ConstraintSettings& settings, View<Real> energies);
/// What a step's record says of the pairs that this rank counts.
struct PairSummary {
  std::int64_t counted, active;
  Real least_gap;      ///< m; 1e300 without pairs
  Real friction_work;  ///< sum of friction times slip since the start of the step, h^2 J
};
PairSummary summarize(View<const ActivePair> pairs, const VertexValues& y, const VertexValues& start,
                      const ConstraintSettings& settings);
/// lambda and friction after a solve for p; step[body]: how far the line search went, and so the share of the update
/// that is taken: a multiplier that grows while nothing moves would throw the bodies apart once it does. Pairs
/// of bodies that did not go all the way become cautious. Both forces are those of the solve, so they are what moved
/// the bodies.
void update_multipliers(View<ActivePair> pairs, View<const PairTerms> terms, const VertexValues& p,
                        const ConstraintSettings& settings, View<const Real> step);

/// For a new step: no pair is cautious or adapted.
void renew(View<ActivePair> pairs);

/// Pairs around the owned vertices that have any: those of vertices[i] are entries[offsets[i]] ... with entry =
/// pair * 4 + side slot, in the order of the keys.
struct PairsOfVertices {
  View<const Index> vertices, offsets, entries;
};
/// downhill[v] += sum w f.
void add_forces(const PairsOfVertices& around, View<const PairTerms> terms, View<Vec3> downhill);
/// Where the two sides of a pair touch: sum w_k x_k over the vertices of either, with weights that sum to 1.
struct PairPoints {
  Vec3 point[2];
};
void pair_points(View<const ActivePair> pairs, const VertexValues& x, View<PairPoints> points);
/// images[i] = K z of every pair.
void pair_images(View<const ActivePair> pairs, View<const PairTerms> terms, const VertexValues& x, View<Vec3> images);

}  // namespace unbarred
