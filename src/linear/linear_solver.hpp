#pragma once
// What every solver of the Newton system promises.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/device_array.hpp"
#include "core/symmetric_block.hpp"
#include "linear/block_matrix.hpp"
#include "linear/coarse_space.hpp"
#include "linear/fixed_axes.hpp"
#include "partitioning/communicator.hpp"
#include "partitioning/field.hpp"
#include "partitioning/halo.hpp"

namespace unbarred {

/// One 3x3 block of what is added to the matrix.
struct AddedBlock {
  Index row;    ///< an owned vertex
  Vec3 column;  ///< the label of the column's vertex, which may be none of this rank's
  Mat3 value;
};

/// A spring between up to four vertices: z = sum w_k x_k, and vertex k is pulled by -w_k K z.
struct AddedSpring {
  Vec3 a[4], b[4];  ///< values of two fields at its vertices
  Real weight[4];
  SymmetricBlock stiffness;
};

/// Terms of the system that we never assemble, such as contact: few rows, low rank, a new pattern every time.
class MatrixFreeTerms {
 public:
  virtual ~MatrixFreeTerms() = default;
  /// y += B x at owned vertices, prescribed coordinates left out; returns x . B x over the owned vertices.
  /// @note Collective over neighbours
  virtual Real add_product(const Field& x, View<const AxisMask> fixed, View<Vec3> y) = 0;
  /// Adds the diagonal blocks of B, owned vertices.
  virtual void add_diagonal(View<SymmetricBlock> diagonal) = 0;
  /// B in the rows of owned vertices, for solvers that need entries: blocks of the same place add up, and those of
  /// prescribed coordinates are there. labels: anything that names a vertex, ghosts up to date.
  /// @note Collective over neighbours
  virtual std::vector<AddedBlock> blocks(const Field& labels) = 0;
  /// B as springs, each on one rank, with the values of a and b at their vertices; ghosts up to date.
  /// @note Collective over neighbours
  virtual std::vector<AddedSpring> springs(const Field& a, const Field& b) = 0;
};

/// When a solve may stop, beside the solver's tolerance; residuals in the solver's norm. For our own solver.
struct SolveGoal {
  /// A first residual of an earlier solve that the tolerance is also measured by: iterations of Newton's method after
  /// the first need not be solved to more digits than that, but to `least_reduction` at least. 0: none.
  Real reference = 0;
  Real least_reduction = 1e-3;
  Real rounding = 0;  ///< what rounding makes of it
  Real enough = 0;    ///< in place of all that: SolveReport::enough of a solve of much the same system; 0: none
  Real loose = 0;     ///< reduction of the first residual that is enough for now
};

/// The system A p = b of one Newton iteration, seen by one rank; A is the matrix and what is added to it.
struct LinearSystem {
  const Communicator& communicator;
  const IndexMap& map;
  Halo& halo;
  const BlockMatrix& matrix;           ///< owned rows, symmetric on the free unknowns, their diagonal blocks definite
  const DeviceArray<AxisMask>& fixed;  ///< local vertices
  MatrixFreeTerms* added = nullptr;    ///< none
  CoarseSpace* coarse = nullptr;       ///< for our own preconditioner; none
  CoarseSpace* stronger = nullptr;     ///< in its place once a solve takes many iterations; none
  SolveGoal goal{};
  bool resumes = false;  ///< the system of the last solve, from where that stopped
};

enum class SolveReason { converged, iteration_limit, indefinite, not_a_number, failed };
const char* to_string(SolveReason reason);

struct SolveReport {
  int iterations = 0;
  SolveReason reason = SolveReason::converged;
  Real residual = 0;  ///< final over first residual, in the solver's norm
  Real first = 0;     ///< residual at the start, in this norm
  Real enough = 0;    ///< at which it may stop
  /// LinearSystem::stronger has taken the place of `coarse`: the norm is another one. All residuals above are given in
  /// that; those of earlier solves are to be multiplied by norm_change.
  bool strengthened = false;
  Real norm_change = 1;
  /// When indefinite, and where the solver knows one: a d with d . A d <= 0, prescribed unknowns 0, ghosts up to date;
  /// the solver's, until its next solve.
  const Field* negative = nullptr;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Solves for the free unknowns, unless A turns out not to be positive definite: indefinite. On entry `p` holds the
  /// prescribed unknowns and a start for the free ones; its ghosts need not be up to date before, and are after. The
  /// same report on every rank. @note Collective
  virtual SolveReport solve(const LinearSystem& system, const Field& b, Field& p) = 0;
  virtual const char* name() const = 0;
};

}  // namespace unbarred
