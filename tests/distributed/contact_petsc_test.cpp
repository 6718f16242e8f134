// PETSc gives the motion of our own solver when bodies touch and rub, on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <set>

#include "support/gather.hpp"
#include "support/small_pile.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

struct Result {
  std::vector<Vec3> x, v;
  std::set<GlobalIndex> pairs;  ///< how many there were after each step
  Real friction_loss = 0;       ///< J
};

Result run(const Scene& scene, const Communicator& communicator, int idle = -1) {
  Simulation simulation({scene, local_mesh(scene, communicator, 5, idle)}, communicator);
  Result result;
  for (int i = 0; i < 5; ++i) {
    const StepRecord record = simulation.advance();
    result.pairs.insert(record.pairs);
    result.friction_loss += record.energy.friction_loss;
    for (const LinearSolveRecord& solve : record.solves) EXPECT_EQ(solve.reason, "converged");
  }
  result.x = gather(communicator, simulation.map(), simulation.state().x);
  result.v = gather(communicator, simulation.map(), simulation.state().v);
  return result;
}

class PetscContact : public testing::TestWithParam<const char*> {};

TEST_P(PetscContact, GivesTheMotionOfOurOwnSolver) {
  Scene scene = small_pile();
  const Communicator alone = world().split(world().rank());
  const Result ours = run(scene, alone);
  EXPECT_GT(ours.pairs.size(), 3u) << "the pairs change";
  EXPECT_GT(ours.friction_loss, 0);
  scene.solver.linear.method = LinearSpec::Method::ksp;
  scene.solver.linear.options = GetParam();
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    const Result petsc = run(scene, part, ranks == 4 ? 2 : -1);
    const Real x = relative_difference(petsc.x, ours.x), v = relative_difference(petsc.v, ours.v);
    if (part.is_root()) std::printf("%d ranks: difference of x %.1e, of v %.1e\n", ranks, x, v);
    EXPECT_LT(x, 1e-10);
    EXPECT_LT(v, 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, PetscContact,
                         testing::Values("", "-pc_type jacobi", "-mat_type baij -pc_type pbjacobi",
                                         "-pc_type bjacobi -sub_pc_type icc", "-mat_type baij -pc_type bjacobi",
                                         "-ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps",
                                         "-ksp_type preonly -pc_type cholesky -pc_factor_mat_solver_type mumps"));

}  // namespace
}  // namespace unbarred::test
