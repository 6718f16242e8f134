#pragma once
// The linear system as a matrix of PETSc's.
#include <petscmat.h>

#include <vector>

#include "linear/linear_solver.hpp"

namespace unbarred {

/// Throws Error(bad_input) when PETSc reports a failure in `what`.
void check_petsc(PetscErrorCode code, const char* what);

/// Elasticity and what is added to it, all assembled: direct solvers and incomplete factors need every entry. Rows and
/// columns of prescribed coordinates hold nothing but their diagonal.
class PetscMatrix {
 public:
  /// positions: of owned vertices, m; their rigid motions become the near null space. @note Collective
  PetscMatrix(const Communicator& communicator, const IndexMap& map, Halo& halo, const BlockPattern& pattern,
              const std::vector<Vec3>& positions);
  ~PetscMatrix();
  PetscMatrix(const PetscMatrix&) = delete;
  PetscMatrix& operator=(const PetscMatrix&) = delete;

  /// Takes the values of the system. The handle is a new one when what is added couples other vertices than before.
  /// @note Collective
  void fill(const LinearSystem& system);
  Mat handle() const { return matrix_; }

 private:
  /// A block that may hold values.
  struct Coupling {
    Index row;        ///< owned vertex
    PetscInt column;  ///< PETSc's block number
    auto operator<=>(const Coupling&) const = default;
  };
  std::vector<AddedBlock> labeled_blocks(const LinearSystem& system, const std::vector<AxisMask>& fixed);
  void fit_pattern(const std::vector<AddedBlock>& blocks);
  void create();
  void add(Index row, PetscInt column, const Mat3& block);

  const Communicator& communicator_;
  BlockPattern pattern_;
  std::vector<PetscInt> numbers_;            // PETSc's block number of every local vertex
  std::vector<Coupling> elastic_, further_;  // ascending: of the pattern, and what is added beside it
  Field labels_;                             // number and mask of every vertex
  MatNullSpace rigid_modes_ = nullptr;
  Mat matrix_ = nullptr;
};

}  // namespace unbarred
