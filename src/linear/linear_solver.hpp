#pragma once
// What every solver of the Newton system promises.
#include <array>
#include <memory>
#include <string>

#include "core/device_array.hpp"
#include "linear/block_matrix.hpp"
#include "linear/constraints.hpp"
#include "partitioning/communicator.hpp"
#include "partitioning/field.hpp"
#include "partitioning/halo.hpp"

namespace unbarred {

/// The system A p = b of one Newton iteration, seen by one rank.
struct LinearSystem {
  const Communicator& communicator;
  const IndexMap& map;
  Halo& halo;
  const BlockMatrix& matrix;           ///< owned rows, symmetric positive definite on the free unknowns
  const DeviceArray<AxisMask>& fixed;  ///< local vertices
};

enum class SolveReason { converged, iteration_limit, indefinite, not_a_number, failed };
const char* to_string(SolveReason reason);

struct SolveReport {
  int iterations = 0;
  SolveReason reason = SolveReason::converged;
  Real residual = 0;  ///< final over first residual, in the solver's norm
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Solves for the free unknowns. On entry `p` holds the prescribed unknowns and a start for the free ones; its
  /// ghosts need not be up to date before, and are after. The same report on every rank. @note Collective
  virtual SolveReport solve(const LinearSystem& system, const Field& b, Field& p) = 0;
  virtual const char* name() const = 0;
};

}  // namespace unbarred
