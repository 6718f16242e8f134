#pragma once
// Launches over pairs for the minimum of the model that one iteration of Newton's method has of contact (NewtonStep):
//   m_i(p) = max(0, lambda - mu (c + g.p))^2 / (2 mu) of every pair, g.p = n . sum w p
// with c at the iterate. A pair holds while lambda - mu (c + g.p) > 0, its force. Results a pair are 0 where this rank
// does not count it.
#include "contact/pairs/constraint_kernels.hpp"

namespace unbarred {

/// candidate = g.p of every pair.
void set_candidates(View<ActivePair> pairs, const VertexValues& p);
/// slopes[i] = force g.d of the pairs that held in the solve, less force g.d of those that hold at the step so far +
/// t[body] d, with the forces there.
void model_slopes(View<const ActivePair> pairs, View<const Real> t, View<Real> slopes);
/// The step so far moves by t[body] d.
void accept_candidates(View<ActivePair> pairs, View<const Real> t);
/// Pairs hold by their force at the step so far. pushes: forces; errors: sizes of those of pairs that change.
void revise(View<ActivePair> pairs, View<Real> pushes, View<Real> errors);

}  // namespace unbarred
