#include "linear/petsc/petsc_solver.hpp"

#include <petscksp.h>

#include "linear/pcg.hpp"
#include "linear/petsc/petsc_matrix.hpp"

namespace unbarred {

namespace {

class PetscSolver : public LinearSolver {
 public:
  PetscSolver(const Communicator& communicator, const IndexMap& map, Halo& halo, const BlockPattern& pattern,
              const std::vector<Vec3>& positions, Real tolerance, int maximum_iterations)
      : matrix_(communicator, map, halo, pattern, positions), residual_(map) {
    check_petsc(MatCreateVecs(matrix_.handle(), &solution_, &right_side_), "MatCreateVecs");
    check_petsc(KSPCreate(communicator.handle(), &ksp_), "KSPCreate");
    check_petsc(KSPSetType(ksp_, KSPCG), "KSPSetType");
    check_petsc(KSPSetNormType(ksp_, KSP_NORM_NATURAL), "KSPSetNormType");
    check_petsc(KSPSetTolerances(ksp_, tolerance, 0, PETSC_DEFAULT, maximum_iterations), "KSPSetTolerances");
    PC pc;
    check_petsc(KSPGetPC(ksp_, &pc), "KSPGetPC");
    check_petsc(PCSetType(pc, PCGAMG), "PCSetType");
    // GAMG keeps its bound of the spectrum with the interpolation, until the pattern changes. A pair that becomes
    // active raises the spectrum, and smoothers beyond their bound are indefinite: they must look again at every
    // matrix.
    check_petsc(PCGAMGSetUseSAEstEig(pc, PETSC_FALSE), "PCGAMGSetUseSAEstEig");
    check_petsc(KSPSetFromOptions(ksp_), "KSPSetFromOptions");
  }

  ~PetscSolver() override {
    KSPDestroy(&ksp_);
    VecDestroy(&solution_);
    VecDestroy(&right_side_);
  }

  SolveReport solve(const LinearSystem& system, const Field& b, Field& p) override {
    matrix_.fill(system);
    // The prescribed part goes to the right-hand side, so PETSc solves for a correction that is zero there.
    apply(system, p, residual_);
    set_right_side(system, b);
    check_petsc(KSPSetOperators(ksp_, matrix_.handle(), matrix_.handle()), "KSPSetOperators");
    check_petsc(KSPSolve(ksp_, right_side_, solution_), "KSPSolve");
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
  void set_right_side(const LinearSystem& system, const Field& b) {
    const std::vector<Vec3> force = b.to_host(), image = residual_.to_host();
    const std::vector<AxisMask> fixed = system.fixed.to_host();
    PetscScalar* values;
    check_petsc(VecGetArray(right_side_, &values), "VecGetArray");
    for (std::size_t i = 0; i < static_cast<std::size_t>(system.map.owned()); ++i) {
      const Vec3 r = free_part(force[i] - image[i], fixed[i]);
      for (int k = 0; k < 3; ++k) values[3 * i + static_cast<std::size_t>(k)] = r[k];
    }
    check_petsc(VecRestoreArray(right_side_, &values), "VecRestoreArray");
  }

  /// To the free coordinates: multigrid leaves rounding at prescribed ones, which must arrive to the last bit.
  void add_solution(const LinearSystem& system, Field& p) {
    std::vector<Vec3> host = p.to_host();
    const std::vector<AxisMask> fixed = system.fixed.to_host();
    const PetscScalar* values;
    check_petsc(VecGetArrayRead(solution_, &values), "VecGetArrayRead");
    for (std::size_t i = 0; i < static_cast<std::size_t>(system.map.owned()); ++i)
      host[i] += free_part({{values[3 * i], values[3 * i + 1], values[3 * i + 2]}}, fixed[i]);
    check_petsc(VecRestoreArrayRead(solution_, &values), "VecRestoreArrayRead");
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

  PetscMatrix matrix_;
  Field residual_;
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
