#include "linear/petsc/petsc_solver.hpp"

#include <petscksp.h>

#include "linear/pcg.hpp"

namespace unbarred {

namespace {

void check(PetscErrorCode code, const char* what) {
  if (!code) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw Error(ExitCode::bad_input, std::string("PETSc failed in ") + what + ": " + (text ? text : "unknown error") +
                                       "; look at solver.linear.options and PETSC_OPTIONS");
}

/// PETSc's block number of every local vertex: owned vertices are contiguous over ranks, ghosts learn from owners.
/// Numbers travel as Reals, exact up to 2^53.
std::vector<PetscInt> petsc_numbers(const Communicator& communicator, const IndexMap& map, Halo& halo) {
  const GlobalIndex first = communicator.exclusive_sum(map.owned());
  std::vector<Real> numbers(static_cast<std::size_t>(map.local()), 0);
  for (Index i = 0; i < map.owned(); ++i) numbers[static_cast<std::size_t>(i)] = static_cast<Real>(first + i);
  DeviceArray<Real> on_device(numbers);
  halo.forward(on_device.view(), 1);
  std::vector<PetscInt> result;
  for (Real number : on_device.to_host()) result.push_back(static_cast<PetscInt>(number));
  return result;
}

class PetscSolver : public LinearSolver {
 public:
  PetscSolver(const Communicator& communicator, const IndexMap& map, Halo& halo, const BlockPattern& pattern,
              const std::vector<Vec3>& positions, Real tolerance, int maximum_iterations)
      : pattern_(pattern), numbers_(petsc_numbers(communicator, map, halo)), residual_(map) {
    const PetscInt n = 3 * map.owned();
    check(MatCreate(communicator.handle(), &matrix_), "MatCreate");
    check(MatSetSizes(matrix_, n, n, PETSC_DETERMINE, PETSC_DETERMINE), "MatSetSizes");
    check(MatSetBlockSize(matrix_, 3), "MatSetBlockSize");
    check(MatSetType(matrix_, MATAIJ), "MatSetType");
    check(MatSetFromOptions(matrix_), "MatSetFromOptions");
    preallocate(map);
    check(MatSetOption(matrix_, MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
    check(MatCreateVecs(matrix_, &solution_, &right_side_), "MatCreateVecs");
    attach_rigid_modes(communicator, positions);
    check(KSPCreate(communicator.handle(), &ksp_), "KSPCreate");
    check(KSPSetType(ksp_, KSPCG), "KSPSetType");
    check(KSPSetNormType(ksp_, KSP_NORM_NATURAL), "KSPSetNormType");
    check(KSPSetTolerances(ksp_, tolerance, 0, PETSC_DEFAULT, maximum_iterations), "KSPSetTolerances");
    PC pc;
    check(KSPGetPC(ksp_, &pc), "KSPGetPC");
    check(PCSetType(pc, PCGAMG), "PCSetType");
    check(KSPSetFromOptions(ksp_), "KSPSetFromOptions");
  }

  ~PetscSolver() override {
    KSPDestroy(&ksp_);
    MatDestroy(&matrix_);
    VecDestroy(&solution_);
    VecDestroy(&right_side_);
  }

  SolveReport solve(const LinearSystem& system, const Field& b, Field& p) override {
    fill_matrix(system);
    // The prescribed part goes to the right-hand side, so PETSc solves for a correction that is zero there.
    apply(system, p, residual_);
    set_right_side(system, b);
    check(KSPSetOperators(ksp_, matrix_, matrix_), "KSPSetOperators");
    check(KSPSolve(ksp_, right_side_, solution_), "KSPSolve");
    add_solution(system, p);
    p.forward(system.halo);
    return report();
  }

  const char* name() const override {
    KSPType type = nullptr;
    KSPGetType(ksp_, &type);
    return type ? type : "ksp";
  }

 private:
  void preallocate(const IndexMap& map) {
    std::vector<PetscInt> diagonal, off_diagonal;
    for (Index i = 0; i < pattern_.rows(); ++i) {
      PetscInt own = 0, other = 0;
      for (Index e = pattern_.offsets[i]; e < pattern_.offsets[i + 1]; ++e)
        ++(pattern_.columns[e] < map.owned() ? own : other);
      diagonal.push_back(own);
      off_diagonal.push_back(other);
    }
    check(MatXAIJSetPreallocation(matrix_, 3, diagonal.data(), off_diagonal.data(), nullptr, nullptr),
          "MatXAIJSetPreallocation");
  }

  void attach_rigid_modes(const Communicator& communicator, const std::vector<Vec3>& positions) {
    Vec coordinates;
    check(
        VecCreateMPI(communicator.handle(), 3 * static_cast<PetscInt>(positions.size()), PETSC_DETERMINE, &coordinates),
        "VecCreateMPI");
    check(VecSetBlockSize(coordinates, 3), "VecSetBlockSize");
    PetscScalar* xyz;
    check(VecGetArray(coordinates, &xyz), "VecGetArray");
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (int k = 0; k < 3; ++k) xyz[3 * i + static_cast<std::size_t>(k)] = positions[i][k];
    check(VecRestoreArray(coordinates, &xyz), "VecRestoreArray");
    MatNullSpace modes;
    check(MatNullSpaceCreateRigidBody(coordinates, &modes), "MatNullSpaceCreateRigidBody");
    check(MatSetNearNullSpace(matrix_, modes), "MatSetNearNullSpace");
    MatNullSpaceDestroy(&modes);
    VecDestroy(&coordinates);
  }

  void fill_matrix(const LinearSystem& system) {
    const std::vector<Block> values = system.matrix.values_to_host();
    const std::vector<AxisMask> fixed = system.fixed.to_host();
    for (Index i = 0; i < pattern_.rows(); ++i)
      for (Index e = pattern_.offsets[i]; e < pattern_.offsets[i + 1]; ++e) {
        const Index j = pattern_.columns[e];
        Mat3 block = to_matrix(values[e]);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            if ((fixed[i] >> r & 1) || (fixed[j] >> c & 1)) block(r, c) = i == j && r == c ? diagonal(values[e], r) : 0;
        check(MatSetValuesBlocked(matrix_, 1, &numbers_[i], 1, &numbers_[j], &block.m[0][0], INSERT_VALUES),
              "MatSetValuesBlocked");
      }
    check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
    check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
  }

  /// Of a prescribed row: its own size keeps the scaling; an obstacle's vertex, without mass and stiffness, has none.
  static Real diagonal(const Block& block, int row) { return block(row, row) > 0 ? block(row, row) : 1; }

  void set_right_side(const LinearSystem& system, const Field& b) {
    const std::vector<Vec3> force = b.to_host(), image = residual_.to_host();
    const std::vector<AxisMask> fixed = system.fixed.to_host();
    PetscScalar* values;
    check(VecGetArray(right_side_, &values), "VecGetArray");
    for (std::size_t i = 0; i < static_cast<std::size_t>(pattern_.rows()); ++i) {
      const Vec3 r = free_part(force[i] - image[i], fixed[i]);
      for (int k = 0; k < 3; ++k) values[3 * i + static_cast<std::size_t>(k)] = r[k];
    }
    check(VecRestoreArray(right_side_, &values), "VecRestoreArray");
  }

  /// To the free coordinates: multigrid leaves rounding at prescribed ones, which must arrive to the last bit.
  void add_solution(const LinearSystem& system, Field& p) {
    std::vector<Vec3> host = p.to_host();
    const std::vector<AxisMask> fixed = system.fixed.to_host();
    const PetscScalar* values;
    check(VecGetArrayRead(solution_, &values), "VecGetArrayRead");
    for (std::size_t i = 0; i < static_cast<std::size_t>(pattern_.rows()); ++i)
      host[i] += free_part({{values[3 * i], values[3 * i + 1], values[3 * i + 2]}}, fixed[i]);
    check(VecRestoreArrayRead(solution_, &values), "VecRestoreArrayRead");
    p.set_owned_from_host(host);
  }

  SolveReport report() const {
    SolveReport result;
    PetscInt iterations = 0;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    KSPGetIterationNumber(ksp_, &iterations);
    KSPGetConvergedReason(ksp_, &reason);
    KSPGetResidualNorm(ksp_, &result.residual);
    result.iterations = static_cast<int>(iterations);
    if (reason > 0) return result;
    result.reason = reason == KSP_DIVERGED_ITS        ? SolveReason::iteration_limit
                    : reason == KSP_DIVERGED_NANORINF ? SolveReason::not_a_number
                    : reason == KSP_DIVERGED_INDEFINITE_MAT || reason == KSP_DIVERGED_INDEFINITE_PC
                        ? SolveReason::indefinite
                        : SolveReason::failed;
    return result;
  }

  BlockPattern pattern_;
  std::vector<PetscInt> numbers_;
  Field residual_;
  Mat matrix_ = nullptr;
  Vec solution_ = nullptr, right_side_ = nullptr;
  KSP ksp_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_petsc_solver(const Communicator& communicator, const IndexMap& map, Halo& halo,
                                                const BlockPattern& pattern, const std::vector<Vec3>& positions,
                                                Real tolerance, int maximum_iterations) {
  return std::make_unique<PetscSolver>(communicator, map, halo, pattern, positions, tolerance, maximum_iterations);
}

}  // namespace unbarred
