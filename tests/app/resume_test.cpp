// A run that was cut is continued: on the same ranks as if it had never stopped, on others to rounding.
#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::beam_scene;
using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;
using test::text_of;

/// The beam in `folder` up to step 5, in the folder `name`.
void run_five_steps(const Scratch& folder, const std::string& name, const std::vector<std::string>& overrides = {}) {
  folder.file("scene.yaml", beam_scene);
  std::vector<std::string> words{"run", "scene.yaml", "--steps", "5", "output.directory=" + name};
  words.insert(words.end(), overrides.begin(), overrides.end());
  const Outcome outcome = run_program(folder, words, {.ranks = 2});
  ASSERT_EQ(outcome.code, 0) << outcome.said();
}

TEST(Resume, OnTheSameRanksTheRunIsTheUninterruptedOneToTheBit) {
  const Scratch scratch;
  ASSERT_NO_FATAL_FAILURE(run_five_steps(scratch, "cut"));
  const YAML::Node status = test::status_of(scratch / "cut");
  EXPECT_EQ(status["state"].as<std::string>(), "stopped");
  EXPECT_EQ(status["exit_code"].as<int>(), 0);
  EXPECT_EQ(status["checkpoint"].as<std::string>(), "checkpoints/step_000005.h5");

  const Outcome resumed = run_program(scratch, {"resume", "cut"}, {.ranks = 2});
  ASSERT_EQ(resumed.code, 0) << resumed.said();
  const Outcome whole = run_program(scratch, {"run", "scene.yaml", "output.directory=whole"}, {.ranks = 2});
  ASSERT_EQ(whole.code, 0) << whole.said();
  EXPECT_EQ(test::status_of(scratch / "cut")["state"].as<std::string>(), "done");
  test::expect_same_bits(test::last_state(scratch / "cut"), test::last_state(scratch / "whole"));
  EXPECT_EQ(test::steps_without_clocks(scratch / "cut"), test::steps_without_clocks(scratch / "whole"));
  const std::string reactions = text_of(scratch / "whole/reaction_forces.csv");
  EXPECT_EQ(test::count(reactions, ",clamp,"), 8u) << reactions;
  EXPECT_EQ(text_of(scratch / "cut/reaction_forces.csv"), reactions);
}

TEST(Resume, OnOtherRanksItAgreesToRounding) {
  const Scratch scratch;
  const std::vector<std::string> tight{"solver.linear.tolerance=1e-12", "solver.accuracy=1e-12"};
  ASSERT_NO_FATAL_FAILURE(run_five_steps(scratch, "whole", tight));
  for (const char* copy : {"on_1", "on_3"})
    std::filesystem::copy(scratch / "whole", scratch / copy, std::filesystem::copy_options::recursive);
  for (const auto& [folder, ranks] : {std::pair("whole", 2), std::pair("on_1", 1), std::pair("on_3", 3)}) {
    const Outcome outcome = run_program(scratch, {"resume", folder}, {.ranks = ranks});
    ASSERT_EQ(outcome.code, 0) << outcome.said();
  }
  const test::SavedState whole = test::last_state(scratch / "whole");
  for (const char* copy : {"on_1", "on_3"}) {
    const test::SavedState other = test::last_state(scratch / copy);
    EXPECT_EQ(other.step, 8);
    EXPECT_LE(test::difference(whole.positions, other.positions), 1e-10) << copy;
    EXPECT_LE(test::difference(whole.velocities, other.velocities), 1e-10) << copy;
    EXPECT_EQ(test::frame_times(scratch / copy), (std::vector<double>{0, 0.02, 0.04, 0.05, 0.06, 0.08}));
  }
}

TEST(Resume, AnotherTimeStepIsTakenFromThereAndSaid) {
  const Scratch scratch;
  ASSERT_NO_FATAL_FAILURE(run_five_steps(scratch, "run"));
  const Outcome resumed = run_program(scratch, {"resume", "run", "time.step=0.005"}, {.ranks = 2});
  ASSERT_EQ(resumed.code, 0) << resumed.said();
  EXPECT_TRUE(holds(text_of(scratch / "run/log.txt"), "time.step is 0.005")) << resumed.said();
  const auto steps = test::steps_of(scratch / "run");
  ASSERT_EQ(steps.size(), 11u);
  EXPECT_NEAR(steps[5]["time"].as<double>(), 0.055, 1e-15);
  EXPECT_NEAR(steps[10]["time"].as<double>(), 0.08, 1e-15);
  const std::vector<double> times = test::frame_times(scratch / "run");
  EXPECT_EQ(times.size(), 8u);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end(), std::less_equal<>()));
  // The used scene holds the new step: a second resume has nothing left to do and changes nothing.
  EXPECT_EQ(run_program(scratch, {"resume", "run"}, {.ranks = 2}).code, 0);
  EXPECT_EQ(test::steps_of(scratch / "run").size(), 11u);
}

TEST(Resume, FromAnEarlierStepTheSeriesHasOneEntryATime) {
  const Scratch scratch;
  ASSERT_NO_FATAL_FAILURE(run_five_steps(scratch, "run"));
  // Both checkpoints of later steps go: what the run wrote after step 3 is written again.
  std::filesystem::remove(scratch / "run/checkpoints/step_000005.h5");
  ASSERT_EQ(run_program(scratch, {"resume", "run"}, {.ranks = 2}).code, 0);
  EXPECT_EQ(test::frame_times(scratch / "run"), (std::vector<double>{0, 0.02, 0.04, 0.06, 0.08}));
  const auto steps = test::steps_of(scratch / "run");
  ASSERT_EQ(steps.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(steps[i]["step"].as<std::size_t>(), i + 1);
}

TEST(Resume, AnotherMeshIsRefusedWithWhatDiffers) {
  const Scratch scratch;
  ASSERT_NO_FATAL_FAILURE(run_five_steps(scratch, "run"));
  const Outcome finer = run_program(scratch, {"resume", "run", "bodies.beam.mesh.box.cells=3"}, {.ranks = 2});
  EXPECT_EQ(finer.code, 7) << finer.said();
  EXPECT_TRUE(holds(finer.err, "it has 81 vertices, the scene 208")) << finer.said();
  const YAML::Node status = test::status_of(scratch / "run");
  EXPECT_EQ(status["exit_code"].as<int>(), 7);
  EXPECT_EQ(status["checkpoint"].as<std::string>(), "checkpoints/step_000005.h5");
  const Outcome shifted =
      run_program(scratch, {"resume", "run", "bodies.beam.place.translate=[1e-9, 0, 0]"}, {.ranks = 3});
  EXPECT_EQ(shifted.code, 7) << shifted.said();
  EXPECT_TRUE(holds(shifted.err, "rest positions")) << shifted.said();
  // Nothing was spoilt by trying.
  EXPECT_EQ(run_program(scratch, {"resume", "run"}, {.ranks = 2}).code, 0);
  EXPECT_EQ(test::last_state(scratch / "run").step, 8);
}

TEST(Resume, ADamagedCheckpointIsSkippedForTheOneBefore) {
  const Scratch scratch;
  ASSERT_NO_FATAL_FAILURE(run_five_steps(scratch, "run"));
  std::filesystem::resize_file(scratch / "run/checkpoints/step_000005.h5", 2000);
  const Outcome resumed = run_program(scratch, {"resume", "run"}, {.ranks = 2});
  ASSERT_EQ(resumed.code, 0) << resumed.said();
  EXPECT_EQ(test::count(resumed.err, "warning: checkpoint skipped: run/checkpoints/step_000005.h5"), 1u)
      << resumed.said();
  EXPECT_TRUE(holds(resumed.out, "resumed after step 3")) << resumed.said();
  EXPECT_EQ(test::last_state(scratch / "run").step, 8);

  for (const char* step : {"step_000006.h5", "step_000008.h5"})
    std::filesystem::resize_file(scratch / "run/checkpoints" / step, 2000);
  const Outcome hopeless = run_program(scratch, {"resume", "run"}, {.ranks = 2});
  EXPECT_EQ(hopeless.code, 6) << hopeless.said();
  EXPECT_TRUE(holds(hopeless.err, "no whole checkpoint")) << hopeless.said();
}

TEST(Resume, AfterAnIterationLimitFromTheLastGoodState) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const std::vector<std::string> tight{"solver.minimum_iterations=1", "solver.maximum_iterations=1",
                                       "solver.accuracy=1e-12"};
  ASSERT_NO_FATAL_FAILURE(run_five_steps(scratch, "run"));
  std::vector<std::string> words{"resume", "run"};
  words.insert(words.end(), tight.begin(), tight.end());
  const Outcome failed = run_program(scratch, words, {.ranks = 2});
  EXPECT_EQ(failed.code, 4) << failed.said();
  EXPECT_EQ(test::count(failed.err, "unbarred: step 6: not converged after 1 Newton iteration"), 1u) << failed.said();
  const YAML::Node status = test::status_of(scratch / "run");
  EXPECT_EQ(status["state"].as<std::string>(), "failed");
  EXPECT_EQ(status["exit_code"].as<int>(), 4);
  EXPECT_EQ(status["step"].as<int>(), 5);
  EXPECT_EQ(status["checkpoint"].as<std::string>(), "checkpoints/step_000005.h5");
  EXPECT_TRUE(holds(text_of(scratch / "run/log.txt"), "not converged")) << "the log does not say why the run ended";

  const Outcome done = run_program(scratch, {"resume", "run", "solver.maximum_iterations=50"}, {.ranks = 2});
  EXPECT_EQ(done.code, 0) << done.said();
  EXPECT_EQ(test::status_of(scratch / "run")["state"].as<std::string>(), "done");
  EXPECT_EQ(test::last_state(scratch / "run").step, 8);

  words = {"run", "scene.yaml", "output.directory=at_once"};
  words.insert(words.end(), tight.begin(), tight.end());
  EXPECT_EQ(run_program(scratch, words, {.ranks = 2}).code, 4);
  EXPECT_EQ(test::last_state(scratch / "at_once").step, 0);
}

}  // namespace
}  // namespace unbarred
