#pragma once
// The end of a run: where the time went, how even the load was, and the line that goes into a paper.
#include <string>

#include "core/timer.hpp"
#include "core/types.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// The same on every rank, but for memory_bytes: the most that this rank held.
struct RunScale {
  GlobalIndex vertices = 0, tetrahedra = 0;
  std::int64_t steps = 0;
  std::int64_t memory_bytes = 0;
};

/// `times`: this rank's sums over the run by the names of step_phases; "total" is the wall time of all steps.
/// Load balance is largest / mean of a rank's own work, which is what its phases took but exchange and output.
/// The text is empty on other ranks than 0. @note Collective
std::string run_report(const PhaseTimes& times, const RunScale& scale, const Communicator& communicator);

}  // namespace unbarred
