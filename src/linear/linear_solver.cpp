#include "linear/linear_solver.hpp"

namespace unbarred {

const char* to_string(SolveReason reason) {
  switch (reason) {
    case SolveReason::converged:
      return "converged";
    case SolveReason::iteration_limit:
      return "iteration_limit";
    case SolveReason::indefinite:
      return "indefinite";
    case SolveReason::not_a_number:
      return "not_a_number";
    case SolveReason::failed:
      return "failed";
  }
  return "?";
}

}  // namespace unbarred
