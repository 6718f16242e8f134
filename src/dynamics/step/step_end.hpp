#pragma once
// Where a step with contact ends: the one place that decides, from what is known after an iteration (M24 to M28).
#include <functional>

#include "scene/solver_keys.hpp"

namespace unbarred {

/// After an iteration of a step. What is a function is asked only where it matters, on all ranks alike.
struct StepProgress {
  int iteration = 0;                   ///< iterations of the step so far
  bool targets_reached = true;         ///< prescribed coordinates are where they shall be
  bool whole = false;                  ///< every island took its whole step, to the minimum of its model
  bool finished = false;               ///< all motion is done (FeasibleState)
  bool balanced = false;               ///< no test of StepBalance fails
  bool at_rest = false;                ///< Newton's method is done, as far as its last step tells
  bool restarted = false;              ///< the step has begun again once
  int blocked = 0, stalled = 0;        ///< iterations in a row (FeasibleState)
  std::function<bool()> fair;          ///< StepBalance::fair(), after a whole step
  std::function<bool()> keeps_energy;  ///< the feasible state costs no more than the start of the step, but for 1 %
  std::function<bool()> gains_energy;  ///< a closed scene has more energy than before
};

enum class StepDecision {
  go_on,
  done,               ///< in balance; or taken as it is, StepProgress::balanced says which
  done_with_gain,     ///< the same, but a closed scene has gained energy
  begin_again,        ///< from the start of the step, with the pairs that are known
  start_at_feasible,  ///< the iterate is at rest where the feasible state cannot come
  adapt,              ///< pairs in the way get another penalty and offset
  fail,               ///< the run gives up
};

/// Whether the iteration reduces what remains of the step's motion: what a short step leaves is not in the feasible
/// state's share of it.
bool reduces_remaining(const StepProgress& progress, const SolverKeys& keys, const ContactConstants& constants);

/// @note Collective, for what it asks
StepDecision decide(const StepProgress& progress, const SolverKeys& keys, const ContactConstants& constants);

}  // namespace unbarred
