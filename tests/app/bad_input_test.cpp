// What is wrong is said once, with the place and the remedy, and with exit code 2; nothing is left behind.
#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::beam_scene;
using test::count;
using test::holds;
using test::Launch;
using test::Outcome;
using test::run_program;
using test::Scratch;
using test::with;

/// One message, which starts with `start`, on stderr.
void expect_refused(const Outcome& outcome, int code, const std::string& start) {
  EXPECT_EQ(outcome.code, code) << outcome.said();
  EXPECT_EQ(count("\n" + outcome.err, "\nunbarred: "), 1u) << outcome.said();
  EXPECT_TRUE(holds("\n" + outcome.err, "\nunbarred: " + start)) << "not found: " << start << "\n" << outcome.said();
}

TEST(BadInput, AnUnknownKeyIsNamedOnceWithItsPlaceAndItsNeighbour) {
  const Scratch scratch;
  scratch.file("scene.yaml", with(beam_scene, "young", "yuong"));
  const std::string message = "scene.yaml:6:54: unknown key `materials.rubber.yuong`, did you mean `young`?";
  for (int ranks : {1, 3}) expect_refused(run_program(scratch, {"run", "scene.yaml"}, {.ranks = ranks}), 2, message);
  expect_refused(run_program(scratch, {"check", "scene.yaml"}, {.ranks = 0}), 2, message);
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
}

TEST(BadInput, AnOverrideIsCheckedLikeTheScene) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  expect_refused(run_program(scratch, {"run", "scene.yaml", "time.stp=0.1"}, {.ranks = 0}), 2,
                 "command line `time.stp=0.1`: unknown key `stp`, did you mean `step`?");
}

TEST(BadInput, FilesThatAreNotThere) {
  const Scratch scratch;
  expect_refused(run_program(scratch, {"run", "nothing.yaml"}, {.ranks = 0}), 2, "nothing.yaml: cannot read");
  scratch.file("scene.yaml", with(beam_scene, test::beam_mesh, "{file: nothing.msh, scale: $(n)}"));
  for (const auto& [command, ranks] : {std::pair("check", 0), std::pair("run", 2)}) {
    const Outcome outcome = run_program(scratch, {command, "scene.yaml"}, {.ranks = ranks});
    expect_refused(outcome, 2, "");
    EXPECT_TRUE(holds(outcome.err, "nothing.msh")) << outcome.said();
  }
  expect_refused(run_program(scratch, {"resume", "nothing"}, {.ranks = 0}), 2, "nothing: holds no run");
}

TEST(BadInput, AFailedStartSaysSoInItsFolderAndDoesNotBlockTheNext) {
  const Scratch scratch;
  scratch.file("scene.yaml", with(beam_scene, "[-0.499, 0, 0]", "[-5, 0, 0]"));
  expect_refused(run_program(scratch, {"run", "scene.yaml"}, {.ranks = 2}), 2, "scene.yaml:12:10: motion `clamp`");
  const YAML::Node status = test::status_of(scratch / "run");
  EXPECT_EQ(status["state"].as<std::string>(), "failed");
  EXPECT_EQ(status["exit_code"].as<int>(), 2);
  EXPECT_TRUE(holds(status["message"].as<std::string>(), "motion `clamp`"));
  EXPECT_TRUE(holds(test::text_of(scratch / "run" / "log.txt"), "motion `clamp`"));
  scratch.file("scene.yaml", beam_scene);
  const Outcome again = run_program(scratch, {"run", "scene.yaml", "--steps", "1"}, {.ranks = 0});
  EXPECT_EQ(again.code, 0) << again.said();
}

TEST(BadInput, WrongWordsOnTheCommandLine) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const Outcome unknown = run_program(scratch, {"frobnicate"}, {.ranks = 2});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(count(unknown.err, "frobnicate"), 1u) << unknown.said();
  const Outcome nothing = run_program(scratch, {}, {.ranks = 0});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(holds(nothing.err, "Usage: unbarred")) << nothing.said();
  EXPECT_EQ(run_program(scratch, {"run", "scene.yaml", "--steps", "-1"}, {.ranks = 0}).code, 2);
  expect_refused(run_program(scratch, {"bench", "nothing"}, {.ranks = 0}), 2,
                 "there is no benchmark `nothing`; there are: kernels, contact, retention, accuracy");
}

TEST(BadInput, MotionsThatConflictOrSelectNothing) {
  const Scratch scratch;
  const std::string other = "  all: {body: beam, move: {velocity: [1, 0, 0]}}\n";
  scratch.file("conflict.yaml", with(beam_scene, "output:", other + "output:"));
  scratch.file("nothing.yaml", with(beam_scene, "[-0.499, 0, 0]", "[-5, 0, 0]"));
  expect_refused(run_program(scratch, {"check", "conflict.yaml"}, {.ranks = 3}), 2,
                 "conflict.yaml:13:8: motion `all` prescribes vertices that `clamp` prescribes too");
  expect_refused(run_program(scratch, {"check", "nothing.yaml"}, {.ranks = 2}), 2,
                 "nothing.yaml:12:10: motion `clamp` selects no vertex");
}

TEST(BadInput, AFolderThatHoldsARunIsRefusedUnlessOverwritten) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  ASSERT_EQ(run_program(scratch, {"run", "scene.yaml"}).code, 0);
  const test::SavedState before = test::last_state(scratch / "run");
  expect_refused(run_program(scratch, {"run", "scene.yaml"}, {.ranks = 2}), 2, "run: holds a run already");
  test::expect_same_bits(test::last_state(scratch / "run"), before);
  const Outcome again = run_program(scratch, {"run", "scene.yaml", "--overwrite", "--steps", "2"});
  EXPECT_EQ(again.code, 0) << again.said();
  EXPECT_EQ(test::last_state(scratch / "run").step, 2);
  EXPECT_EQ(test::frame_times(scratch / "run"), (std::vector<double>{0, 0.02}));
}

TEST(BadInput, AFolderThatCannotBeWrittenIsFoundBeforeTheFirstStep) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  scratch.file("plain", "");
  const Outcome outcome = run_program(scratch, {"run", "scene.yaml", "output.directory=plain/run"}, {.ranks = 2});
  expect_refused(outcome, 6, "plain/run: Not a directory");
  EXPECT_FALSE(holds(outcome.out, "step ")) << outcome.said();
}

TEST(BadInput, TasksThatThinkTheyAreAloneAreRefusedWithTheRemedy) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const Launch lonely{.ranks = 1, .environment = {"SLURM_STEP_NUM_TASKS=4"}};
  const Outcome outcome = run_program(scratch, {"run", "scene.yaml"}, lonely);
  expect_refused(outcome, 8, "SLURM_STEP_NUM_TASKS says 4 tasks");
  EXPECT_TRUE(holds(outcome.err, "srun --mpi=pmix")) << outcome.said();
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
}

}  // namespace
}  // namespace unbarred
