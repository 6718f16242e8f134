#pragma once
// A contact pair that the solver knows: its identity, its multiplier, and its constraint linearized at the feasible
// state (method sections 2 and 3). Every rank that owns one of its four vertices keeps a copy, and all copies hold the
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
  Real multiplier;           ///< lambda >= 0, h^2 N
  Real decay;                ///< gamma: 1 while active, fades after
  Real offset;               ///< delta of this pair, m: ramped up (prototype section 1)
  Real friction;             ///< coefficient
  Real friction_multiplier;  ///< lambda that lagged friction uses, h^2 N
  Real impact;               ///< part of lambda that stopped an approach in the last step, h^2 N
  PairDistance link;         ///< distance, normal, weights at the feasible state
  Real weight_in_hessian;    ///< of the constraint: 1 active, less when its slack is large
};

}  // namespace unbarred
