// Motions that ask contact for what cannot be, and those that only seem to.
#include "support/contact_scenes.hpp"

namespace unbarred {
namespace {

using test::ContactSteps;
using test::expect_runs_through;
using test::expect_sound_steps;
using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;
using test::with;

/// A press at the speed v comes down on a cube that stands on a floor.
const std::string press = "name: press\nparameters: {n: 3, v: 2}\n" + test::contact_head + R"(bodies:
  cube: {mesh: {box: {size: [0.2, 0.2, 0.2], cells: $(n)}}, material: rubber}
obstacles:
  floor: {mesh: {plane: {size: [1, 1]}}, place: {translate: [0, -0.101, 0]}}
  press: {mesh: {plane: {size: [0.9, 0.9]}}, place: {translate: [0, 0.101, 0]}}
motions:
  down: {body: press, move: {velocity: [0, $(-v), 0]}}
)";

void expect_resumable(const Scratch& scratch, int step, const std::vector<std::string>& overrides) {
  const YAML::Node status = test::status_of(scratch / "run");
  EXPECT_EQ(status["state"].as<std::string>(), "failed");
  EXPECT_EQ(status["exit_code"].as<int>(), 4);
  EXPECT_EQ(status["step"].as<int>(), step);
  EXPECT_EQ(test::last_state(scratch / "run").step, step);
  std::vector<std::string> words{"resume", "run", "--steps", std::to_string(step + 3)};
  words.insert(words.end(), overrides.begin(), overrides.end());
  const Outcome outcome = run_program(scratch, words, {.ranks = 2});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  EXPECT_EQ(expect_sound_steps(scratch / "run").count, step + 3);
}

// The plates leave a micrometer in the tenth step, less than the gaps on both sides of the cube.
TEST(ContactMotions, PlatesThatMeetEndTheRunWithTheLastGoodState) {
  const Scratch scratch;
  scratch.file("scene.yaml", press);
  for (const int ranks : {1, 2}) {
    const Outcome outcome = run_program(
        scratch, {"run", "scene.yaml", "--overwrite", "parameters.v=2.01999", "solver.maximum_iterations=150"},
        {.ranks = ranks, .seconds = 120});
    EXPECT_EQ(outcome.code, 4) << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "step 10: contact is not resolved after 150 Newton iterations") &&
                holds(outcome.err, "; in the way: "))
        << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "`cube`") && (holds(outcome.err, "`floor`") || holds(outcome.err, "`press`")))
        << outcome.said();
    expect_resumable(scratch, 9, {"motions.down.to=0.09"});
  }
}

// A cube that cannot move along the press: no force helps, and after 50 iterations in vain the penalty is doubled and
// the offset halved.
TEST(ContactMotions, APressOnWhatCannotGiveWayEndsTheRunAfterTheAdaptation) {
  const Scratch scratch;
  scratch.file("scene.yaml", press + "  base: {body: cube, axes: [y], move: fixed}\n");
  for (const int ranks : {1, 2}) {
    const Outcome outcome =
        run_program(scratch, {"run", "scene.yaml", "--overwrite", "solver.maximum_iterations=130"}, {.ranks = ranks});
    EXPECT_EQ(outcome.code, 4) << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "in the way: ") && holds(outcome.err, "`cube` and ") &&
                holds(outcome.err, " of `press`"))
        << outcome.said();
    EXPECT_EQ(test::count(test::text_of(scratch / "run/log.txt"), "contact stalled for 50 iterations"), 2u);
    expect_resumable(scratch, 0, {"motions.down.move.velocity=[0, 1, 0]"});
  }
}

TEST(ContactMotions, PrescribedBodiesThatCrossAreRefusedByNameAndTime) {
  const Scratch scratch;
  scratch.file("press.yaml", press);
  const std::string floor = "  floor: {mesh: {plane: {size: [1, 1]}}, place: {translate: [0, -0.101, 0]}}\n";
  scratch.file("onto.yaml", with(press, floor, "") +
                                "  base: {body: cube, select: {plane: {center: [0, -0.09, 0], normal: [0, 1, 0]}},"
                                " move: fixed}\n");
  scratch.file("allowed.yaml", with(press, "contact: {offset: 1.0e-3}",
                                    "contact: {offset: 1.0e-3, pairs: {none: [[press, floor], [press, cube]]}}"));
  for (const int ranks : {1, 3}) {
    const Outcome plates =
        run_program(scratch, {"run", "press.yaml", "--overwrite", "parameters.v=5"}, {.ranks = ranks});
    EXPECT_EQ(plates.code, 2) << plates.said();
    EXPECT_TRUE(holds(plates.err,
                      "in the step after t = 0.04 s, prescribed vertices of `press` cross prescribed ones "
                      "of `floor`"))
        << plates.said();
    // Squeezed to a twentieth the step before, which leaves room for no more than this offset.
    const Outcome base =
        run_program(scratch, {"run", "onto.yaml", "--overwrite", "contact.offset=5e-4"}, {.ranks = ranks});
    EXPECT_EQ(base.code, 2) << base.said();
    EXPECT_TRUE(holds(base.err, "in the step after t = 0.1 s, ") && holds(base.err, "`cube`") &&
                holds(base.err, "`press`"))
        << base.said();
  }
  EXPECT_EQ(expect_runs_through(scratch, "allowed.yaml").count, 20);
}

// Bodies that slide and turn a billionth of a meter and some more from each other.
TEST(ContactMotions, PrescribedBodiesMayPassCloseToEachOther) {
  const Scratch scratch;
  scratch.file("scene.yaml", "name: pass\nparameters: {gap: 1.0e-9}\n" + test::contact_head + R"(bodies:
  a: {mesh: {box: {size: [0.2, 0.2, 0.2], cells: 2}}, material: rubber}
  b: {mesh: {box: {size: [0.2, 0.2, 0.2], cells: 3}}, material: rubber, place: {translate: [0, $(0.2+gap), 0]}}
  shaft:
    mesh: {cylinder: {radius: 0.1, height: 0.2, cells: 4}}
    material: rubber
    place: {translate: [2, 0, 0]}
obstacles:
  bearing: {mesh: {tube: {radius: 0.101, height: 0.3, cells_around: 96}}, place: {translate: [2, 0, 0]}}
motions:
  a: {body: a, move: {velocity: [3, 0, 0.7]}}
  b: {body: b, move: {velocity: [-3, 0, 0]}}
  turn: {body: shaft, move: {rotate: {axis: [0, 1, 0], center: [2, 0, 0], degrees_per_second: 900}}}
)");
  for (const char* gap : {"1e-9", "1e-12"})
    EXPECT_EQ(expect_runs_through(scratch, "scene.yaml", {std::string("parameters.gap=") + gap}).count, 20);
}

// Ends of rods side by side that turn as one for half a turn, and a box that shrinks to a hundredth of its size about
// what is in it.
TEST(ContactMotions, TwistedEndsAndShrinkingBoxesAreNotRefused) {
  const std::string scenes = std::string(UNBARRED_SOURCE_DIR) + "/scenes/";
  const Scratch scratch;
  const ContactSteps rods = expect_runs_through(
      scratch, scenes + "twisting_rods.yaml",
      {"parameters.n=1", "parameters.rate=1800", "--steps", "6", "output.directory=run", "solver.audit=1"}, 2);
  EXPECT_EQ(rods.count, 6);
  const ContactSteps box =
      expect_runs_through(scratch, scenes + "shrinking_box.yaml",
                          {"parameters.n=1", "parameters.radius=0.001", "parameters.spacing=0.0024",
                           "parameters.size=0.02", "bodies.corners.repeat.jitter=0.00001", "contact.offset=1.0e-5",
                           "time.step=0.05", "--steps", "20", "output.directory=run", "solver.audit=1"});
  EXPECT_EQ(box.count, 20);
}

// While every vertex of a cube on a floor is held or lifted, its pairs cannot be resolved and are let go; afterwards it
// goes on from rest, or flies on as fast as it was lifted.
TEST(ContactMotions, HeldBodiesAreNotThrownWhenTheyAreLetGo) {
  const Scratch scratch;
  const std::string scene = "name: held\n" + test::contact_head + R"(gravity: [0, -9.81, 0]
bodies:
  cube: {mesh: {box: {size: [0.2, 0.2, 0.2], cells: 2}}, material: rubber, place: {translate: [0, 0.101, 0]}}
obstacles:
  floor: {mesh: {plane: {size: [1, 1]}}}
motions:
  hold: {body: cube, move: fixed, from: 0.1, to: 0.15}
)";
  scratch.file("hold.yaml", scene);
  scratch.file("lift.yaml", with(scene, "move: fixed", "move: {velocity: [0, 1, 0]}"));
  for (const int ranks : {1, 3}) {
    const ContactSteps held = expect_runs_through(scratch, "hold.yaml", {"contact.friction=0.3"}, ranks);
    EXPECT_EQ(held.count, 20);
    EXPECT_GT(held.pairs.at(9), 0);
    EXPECT_EQ(held.pairs.at(12), 0);
    EXPECT_GT(held.pairs.back(), 0);
    EXPECT_LT(held.last_kinetic, 1e-2);
    const ContactSteps lifted = expect_runs_through(scratch, "lift.yaml", {}, ranks);
    const double v = 1 - 0.05 * 9.81;  // 8 kg
    EXPECT_NEAR(lifted.last_kinetic, 0.5 * 8 * v * v, 1e-3);
  }
}

}  // namespace
}  // namespace unbarred
