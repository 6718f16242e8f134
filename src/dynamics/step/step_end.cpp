#include "dynamics/step/step_end.hpp"

namespace unbarred {

static bool ends_in_balance(const SolverKeys& keys) { return keys.step_end == SolverKeys::StepEnd::balance; }

bool reduces_remaining(const StepProgress& progress, const SolverKeys& keys, const ContactConstants& constants) {
  if (ends_in_balance(keys) && progress.iteration < constants.patience) return progress.whole;
  return progress.iteration >= keys.minimum_iterations && progress.targets_reached;
}

// After so many iterations a step that is not in balance is taken all the same, and said to be unfinished, where all
// its motion is done and islands are in balance as a whole; after twice as many, where it gains no energy.
static bool acceptable(const StepProgress& progress, const ContactConstants& constants) {
  if (progress.iteration < constants.patience) return false;
  return progress.fair() || (progress.iteration >= 2 * constants.patience && progress.keeps_energy());
}

static bool may_end(const StepProgress& progress, const SolverKeys& keys, const ContactConstants& constants) {
  if (!progress.finished || progress.iteration < keys.minimum_iterations) return false;
  if (!ends_in_balance(keys)) return true;
  return (progress.whole && progress.balanced) || acceptable(progress, constants);
}

StepDecision decide(const StepProgress& progress, const SolverKeys& keys, const ContactConstants& constants) {
  if (may_end(progress, keys, constants)) {
    if (!progress.gains_energy()) return StepDecision::done;
    return progress.restarted ? StepDecision::done_with_gain : StepDecision::begin_again;
  }
  if (progress.iteration >= keys.maximum_iterations) return StepDecision::fail;
  if (progress.stalled >= constants.stall_iterations) return StepDecision::adapt;
  const bool blocked = progress.blocked >= constants.blocked_iterations && progress.at_rest;
  return ends_in_balance(keys) && blocked ? StepDecision::start_at_feasible : StepDecision::go_on;
}

}  // namespace unbarred
