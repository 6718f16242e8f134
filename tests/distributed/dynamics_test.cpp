// The same run on 1, 2, 3 and 4 ranks, on more threads, and with PETSc in place of our own solver.
#include <gtest/gtest.h>
#include <omp.h>

#include "linear/pcg.hpp"
#include "support/gather.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

/// A twisting, swinging beam of two materials' worth of trouble: Neo-Hookean, prescribed ends, gravity.
Scene twisting_beam() {
  Scene scene = box_scene({{1, 0.2, 0.2}}, {{12, 3, 3}}, material(MaterialModel::neo_hookean, 1e5, 0.35));
  scene.time_step = 0.02;
  scene.gravity = {{0, -9.81, 0}};
  MotionSpec turn = clamp_below(-0.5);
  turn.name = "turn";
  turn.select.center = {{0.5, 0, 0}};
  turn.select.direction = {{-1, 0, 0}};
  turn.move.kind = MoveSpec::Kind::rotate;
  turn.move.axis = {{1, 0, 0}};
  turn.move.rate = 180;
  scene.motions = {clamp_below(-0.5), turn};
  tighten(scene);
  return scene;
}

struct Result {
  std::vector<Vec3> x, v;
  std::vector<int> cg_iterations;
};

Result run(const Scene& scene, const Communicator& communicator, int steps) {
  Simulation simulation(scene, communicator);
  Result result;
  for (int i = 0; i < steps; ++i) {
    const StepRecord record = simulation.advance();
    for (const LinearSolveRecord& solve : record.solves) result.cg_iterations.push_back(solve.iterations);
  }
  result.x = gather(communicator, simulation.map(), simulation.state().x);
  result.v = gather(communicator, simulation.map(), simulation.state().v);
  return result;
}

void expect_same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) ASSERT_EQ(a[i][k], b[i][k]) << "vertex " << i;
}

TEST(Ranks, AgreeOnATwistingBeam) {
  const Scene scene = twisting_beam();
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone, 5);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    const Result result = run(scene, part, 5);
    const Real x = relative_difference(result.x, reference.x), v = relative_difference(result.v, reference.v);
    if (part.is_root()) std::printf("%d ranks: difference of x %.1e, of v %.1e\n", ranks, x, v);
    EXPECT_LT(x, 1e-10);
    EXPECT_LT(v, 1e-10);
  }
}

TEST(Ranks, RepeatToTheLastBit) {
  Scene scene = twisting_beam();
  scene.solver = {};  // default tolerances: the iteration counts matter, too
  const Result first = run(scene, world(), 3), second = run(scene, world(), 3);
  expect_same_bits(first.x, second.x);
  expect_same_bits(first.v, second.v);
  EXPECT_EQ(first.cg_iterations, second.cg_iterations);
}

TEST(Threads, DoNotChangeABit) {
  Scene scene = twisting_beam();
  scene.solver = {};
  scene.bodies[0].mesh.parameters["cells"] = {24, 6, 6};  // enough vertices for several chunks of every sum
  const Communicator part = group(2);
  if (!works_in(2)) return;
  omp_set_num_threads(1);
  const Result one = run(scene, part, 2);
  omp_set_num_threads(2);
  const Result two = run(scene, part, 2);
  omp_set_num_threads(1);
  expect_same_bits(one.x, two.x);
  expect_same_bits(one.v, two.v);
  EXPECT_EQ(one.cg_iterations, two.cg_iterations);
}

TEST(Ranks, OneMayOwnNothing) {
  Scene scene = twisting_beam();
  scene.bodies[0].mesh.parameters["cells"] = {1, 1, 1};
  scene.motions.clear();
  scene.bodies[0].velocity = {{1, 0, 0}};
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone, 3), result = run(scene, world(), 3);
  EXPECT_LT(relative_difference(result.x, reference.x), 1e-10);
}

class PetscOptions : public testing::TestWithParam<const char*> {};

TEST_P(PetscOptions, GiveTheSolutionOfOurOwnSolver) {
  Scene scene = twisting_beam();
  for (int ranks : {1, 3}) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    scene.solver.linear.method = LinearSpec::Method::pcg;
    const Result ours = run(scene, part, 2);
    scene.solver.linear.method = LinearSpec::Method::ksp;
    scene.solver.linear.options = GetParam();
    const Result petsc = run(scene, part, 2);
    EXPECT_LT(relative_difference(petsc.x, ours.x), 1e-10);
    EXPECT_LT(relative_difference(petsc.v, ours.v), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, PetscOptions,
                         testing::Values("", "-pc_type jacobi", "-mat_type baij -pc_type pbjacobi",
                                         "-ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps"));

TEST(Pcg, LeavesNoResidual) {
  const Scene scene = twisting_beam();
  Simulation simulation(scene, world());
  simulation.advance();
  const IndexMap& map = simulation.map();
  // The matrix is the one of the last assembly; prescribed unknowns at both ends.
  DeviceArray<AxisMask> fixed = DeviceArray<AxisMask>::zeros(map.local());
  const LinearSystem system{world(), map, simulation.halo(), simulation.matrix(), fixed};
  Field b(map), p(map), image(map);
  b.assign(simulation.state().v);
  Pcg pcg(map, {.tolerance = 1e-13, .maximum_iterations = 100000});
  const SolveReport report = pcg.solve(system, b, p);
  EXPECT_EQ(report.reason, SolveReason::converged);
  EXPECT_GT(report.iterations, 10);
  const Real product = apply(system, p, image);
  EXPECT_GT(product, 0);
  EXPECT_LT(relative_difference(gather(world(), map, image), gather(world(), map, b)), 1e-9);
}

}  // namespace
}  // namespace unbarred::test
