#pragma once
// Any KSP and PC of PETSc on the assembled system, contact included: `solver.linear.method: ksp`.
#include <memory>

#include "linear/linear_solver.hpp"
#include "linear/petsc/petsc_session.hpp"

namespace unbarred {

/// Defaults: conjugate gradients, GAMG with rigid-body modes of `positions` (owned vertices, xyz, m) as near null
/// space, relative tolerance in the preconditioned norm. PETSc options change all of it. @note Collective
std::unique_ptr<LinearSolver> make_petsc_solver(const Communicator& communicator, const IndexMap& map, Halo& halo,
                                                const BlockPattern& pattern, const std::vector<Vec3>& positions,
                                                Real tolerance, int maximum_iterations);

}  // namespace unbarred
