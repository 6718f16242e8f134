// Contact from starts that are hard or bad: surfaces that touch, that are closer than the offset, that cross in a state
// to be resumed, that are no manifold.
#include "support/contact_scenes.hpp"

namespace unbarred {
namespace {

using test::ContactSteps;
using test::expect_runs_through;
using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;

TEST(ContactStart, SurfacesThatTouchAreRefusedBeforeTheFirstStep) {
  const Scratch scratch;
  scratch.file("scene.yaml", test::stacked_cubes);
  for (const int ranks : {1, 3}) {
    const Outcome outcome =
        run_program(scratch, {"run", "scene.yaml", "--overwrite", "parameters.gap=0"}, {.ranks = ranks});
    EXPECT_EQ(outcome.code, 3) << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "`lower` touches `floor`")) << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "`lower` touches `upper`")) << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "run/diagnostics/start.vtu")) << outcome.said();
    EXPECT_TRUE(std::filesystem::exists(scratch / "run/diagnostics/start.vtu"));
    EXPECT_EQ(test::status_of(scratch / "run")["exit_code"].as<int>(), 3);
    EXPECT_FALSE(holds(test::text_of(scratch / "run/steps.jsonl"), "{"));
  }
}

// Faces that coincide but for the gap: vertex over vertex, edge over edge.
TEST(ContactStart, AnyGapAboveZeroRuns) {
  const Scratch scratch;
  scratch.file("scene.yaml", test::stacked_cubes);
  for (const char* gap : {"1e-12", "1e-9", "5e-4", "1e-3"})
    for (const int ranks : {1, 2}) {
      const ContactSteps steps =
          expect_runs_through(scratch, "scene.yaml", {std::string("parameters.gap=") + gap}, ranks);
      EXPECT_EQ(steps.count, 20) << gap;
      EXPECT_GE(steps.in_contact, 18) << gap;
      // From next to no gap the first step leaves vertices over vertices: each direction is as good as another there.
      EXPECT_LE(steps.most_iterations, std::stod(gap) < 1e-8 ? 40 : 10) << gap;
      EXPECT_LE(steps.all_iterations, 5 * steps.count) << gap;
      EXPECT_GT(steps.gaps.back(), 1e-4) << gap << ": apart by now";
      EXPECT_LT(steps.last_kinetic, 0.05) << gap << ": at rest, nearly";  // 16 kg, at 0.02 m/s 3 mJ
    }
}

TEST(ContactStart, AStateThatCrossesIsNotResumedIntoContact) {
  const Scratch scratch;
  scratch.file("scene.yaml", R"(name: through
time: {step: 0.01, end: 0.2}
materials:
  rubber: {model: stable_neo_hookean, density: 1000, young: 1.0e5, poisson: 0.3}
bodies:
  a: {mesh: {box: {size: [0.2, 0.2, 0.2], cells: 2}}, material: rubber, velocity: [1, 0, 0]}
  b: {mesh: {box: {size: [0.2, 0.2, 0.2], cells: 3}}, material: rubber, place: {translate: [0.22, 0.03, 0.02]}}
output: {directory: run, every: 0}
)");
  ASSERT_EQ(run_program(scratch, {"run", "scene.yaml", "--steps", "10"}).code, 0);
  for (const int ranks : {1, 2}) {
    const Outcome outcome =
        run_program(scratch, {"resume", "run", "contact.offset=1.0e-3", "--steps", "12"}, {.ranks = ranks});
    EXPECT_EQ(outcome.code, 3) << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "`a` crosses `b`")) << outcome.said();
    EXPECT_EQ(test::last_state(scratch / "run").step, 10);
  }
  EXPECT_EQ(run_program(scratch, {"resume", "run", "--steps", "12"}).code, 0);
}

// Two tetrahedra that share an edge, and a floor with a wall on one of its edges.
TEST(ContactStart, SurfacesThatAreNoManifoldAreCountedAndRun) {
  const Scratch scratch;
  scratch.file("pair.msh",
               "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 0.2 0 0\n3 0 0.2 0.02\n4 0 0.01 0.2\n"
               "5 0 -0.2 0.03\n6 0.01 -0.02 -0.2\n$EndNodes\n"
               "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 1 2 5 6\n$EndElements\n");
  scratch.file("floor.obj",
               "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv -1 1 -1\nv 1 1 1\n"
               "f 1 3 2\nf 1 4 3\nf 1 3 6\nf 1 6 5\n");
  scratch.file("scene.yaml", "name: no_manifold\n" + test::contact_head + R"(gravity: [0, -9.81, 0]
bodies:
  pair: {mesh: {file: pair.msh}, material: rubber, place: {translate: [0.25, 0.22, -0.4]}, velocity: [-1, -1, 1]}
obstacles:
  floor: {mesh: {file: floor.obj}}
)");
  const Outcome check = run_program(scratch, {"check", "scene.yaml"});
  EXPECT_EQ(check.code, 0) << check.said();
  EXPECT_TRUE(holds(check.out, "none cross or touch; 2 edges of three or more triangles")) << check.out;
  const test::SavedState alone = [&] {
    EXPECT_GE(expect_runs_through(scratch, "scene.yaml").in_contact, 10);
    return test::last_state(scratch / "run");
  }();
  EXPECT_GE(expect_runs_through(scratch, "scene.yaml", {}, 3).in_contact, 10);
  EXPECT_EQ(alone.step, test::last_state(scratch / "run").step);
}

}  // namespace
}  // namespace unbarred
