#pragma once
// A contact pair that the solver knows: its identity, its multiplier, and its constraint linearized at the feasible
// state (M3 to M5). Every rank that owns one of its four vertices keeps a copy, and all copies hold the
// same bits.
#include "contact/distance.hpp"
#include "contact/pair_key.hpp"

namespace unbarred {

struct ActivePair {
  ContactPair pair;          ///< vertices: local numbers, then foreign ones (ActiveSet)
  std::int32_t counted;      ///< 1 on the one rank that counts it in sums: owner of its smallest vertex
  std::int32_t body;         ///< one of its two that is not an obstacle, if there is one: whose line search counts
  std::int32_t cautious;     ///< 1 once the line search fell short in a step: friction takes its secant stiffness
  std::int32_t active;       ///< c - lambda/mu < 0 in the last evaluation
  std::int32_t solved;       ///< holds in the linear system: active, or about to be (revise)
  std::int32_t linked;       ///< has a link that may be kept
  std::int32_t valley;       ///< of a triangle and a vertex: the triangle holds as a plane, beyond its edges
  Real multiplier;           ///< lambda >= 0, h^2 N
  Real decay;                ///< gamma: 1 while active, fades after
  Real offset;               ///< delta of this pair, m: ramped up (M12)
  Real friction;             ///< coefficient
  Real friction_multiplier;  ///< lambda that lagged friction uses, h^2 N
  PairDistance link;         ///< distance, normal, weights at the feasible state
  Real penalty;              ///< mu, kg; 0: not set yet
  Real adapted;  ///< stall_factor to the power of the stalls that this pair was part of: of mu, and 1 / of delta
  Real value;    ///< c at the iterate of the last evaluation, m
  Real change, candidate;  ///< of c along the Newton step so far, and along the one that was solved last, m
  Vec3 friction_hold;      ///< multiplier of friction on side A, where slip has one, h^2 N
  Vec3 friction_force;     ///< on side A, as the last solve had it, h^2 N
};

}  // namespace unbarred
