// The files that scripts rely on: their names, their fields, and that the used scene is the whole truth.
#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::beam_scene;
using test::names_in;
using test::Outcome;
using test::run_program;
using test::Scratch;
using test::text_of;

void expect_step_fields(const std::vector<YAML::Node>& steps) {
  ASSERT_EQ(steps.size(), 8u);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const YAML::Node& step = steps[i];
    EXPECT_EQ(step["step"].as<std::size_t>(), i + 1);
    EXPECT_EQ(step["time"].as<double>(), 0.01 * static_cast<double>(i + 1));
    EXPECT_EQ(names_in(step),
              "angular_momentum cg_iterations converged energy energy_change gap_min imbalance intersections "
              "memory_bytes momentum momentum_defect offset outer_iterations pairs pairs_active pairs_new penalty "
              "remaining residual_relative residual_speed solves step step_fraction_mean step_fraction_min time wall");
    EXPECT_EQ(names_in(step["energy"]), "elastic friction_loss gravity kinetic loads");
    EXPECT_EQ(names_in(step["wall"]),
              "active_set assembly broad_phase exchange line_search linear narrow_phase output total");
    EXPECT_EQ(names_in(step["solves"][0]), "iterations reason residual");
    EXPECT_EQ(step["solves"].size(), step["cg_iterations"].size());
    EXPECT_EQ(step["momentum"].size(), 3u);
    EXPECT_EQ(step["angular_momentum"].size(), 3u);
    EXPECT_TRUE(step["gap_min"].IsNull());
    EXPECT_TRUE(step["converged"].as<bool>());
    EXPECT_GT(step["residual_speed"].as<double>(), 0);
    EXPECT_GT(step["energy"]["kinetic"].as<double>(), 0);
    EXPECT_GT(step["wall"]["total"].as<double>(), 0);
    EXPECT_GE(step["imbalance"].as<double>(), 1);
    EXPECT_GT(step["memory_bytes"].as<double>(), 0);
  }
}

void expect_status_fields(const YAML::Node& status) {
  EXPECT_EQ(names_in(status),
            "backend checkpoint end_time exit_code expected_end message ranks started state step time "
            "unfinished_steps updated");
  EXPECT_EQ(status["unfinished_steps"].as<int>(), 0);
  EXPECT_EQ(status["state"].as<std::string>(), "done");
  EXPECT_EQ(status["exit_code"].as<int>(), 0);
  EXPECT_EQ(status["step"].as<int>(), 8);
  EXPECT_EQ(status["time"].as<double>(), 0.08);
  EXPECT_EQ(status["end_time"].as<double>(), 0.08);
  EXPECT_EQ(status["checkpoint"].as<std::string>(), "checkpoints/step_000008.h5");
  EXPECT_EQ(status["ranks"].as<int>(), 2);
}

void expect_log_lines(const std::string& log) {
  for (int step = 1; step <= 8; ++step)
    EXPECT_EQ(test::count(log, "info: step      " + std::to_string(step) + "  t "), 1u) << log;
  EXPECT_FALSE(test::holds(log, "\033")) << "terminal codes in the log";
  EXPECT_TRUE(test::holds(log, "load balance")) << log;
  EXPECT_TRUE(test::holds(log, "scaling: nodes 1, ranks 2, vertices 81, tetrahedra 192, steps 8")) << log;
}

TEST(RunFolderContent, FilesAndFieldsAreThoseThatScriptsRelyOn) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const Outcome outcome = run_program(scratch, {"run", "scene.yaml", "solver.minimum_iterations=3"}, {.ranks = 2});
  ASSERT_EQ(outcome.code, 0) << outcome.said();
  const std::filesystem::path run = scratch / "run";
  expect_step_fields(test::steps_of(run));
  expect_status_fields(test::status_of(run));
  expect_log_lines(text_of(run / "log.txt"));
  EXPECT_EQ(test::frame_times(run), (std::vector<double>{0, 0.02, 0.04, 0.06, 0.08}));
  EXPECT_TRUE(std::filesystem::exists(run / "frames" / "beam_000004.pvtu"));
  const YAML::Node provenance = YAML::LoadFile((run / "provenance.json").string());
  EXPECT_EQ(names_in(provenance), "compiler git libraries mesh_sha256 options ranks scene_sha256 version");
  EXPECT_EQ(provenance["options"][0].as<std::string>(), "solver.minimum_iterations=3");
  ASSERT_EQ(provenance["ranks"].size(), 2u);
  EXPECT_EQ(names_in(provenance["ranks"][0]), "cores gpu host");
  EXPECT_EQ(provenance["scene_sha256"].as<std::string>().size(), 64u);
}

TEST(RunFolderContent, OutputThatGoesToAFileIsPlainLines) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const Outcome outcome = run_program(scratch, {"run", "scene.yaml"}, {.ranks = 2});
  EXPECT_FALSE(test::holds(outcome.out, "\033")) << outcome.out;
  EXPECT_FALSE(test::holds(outcome.out, "expected end")) << outcome.out;
  EXPECT_EQ(test::count(outcome.out, "\nstep "), 8u) << outcome.out;
}

TEST(RunFolderContent, TheUsedSceneRunsAgainToTheSameBits) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "meshes");
  std::filesystem::copy_file(UNBARRED_SOURCE_DIR "/scenes/meshes/bar.msh", scratch / "meshes/bar.msh");
  scratch.file("scene.yaml", test::with(beam_scene, test::beam_mesh, "{file: meshes/bar.msh, scale: $(n/2)}"));
  const std::vector<std::string> words{"run", "scene.yaml", "time.end=0.03", "time.step=$(0.02/n)"};
  const Outcome first = run_program(scratch, words, {.ranks = 2});
  ASSERT_EQ(first.code, 0) << first.said();
  const YAML::Node provenance = YAML::LoadFile((scratch / "run" / "provenance.json").string());
  ASSERT_EQ(provenance["mesh_sha256"].size(), 1u);

  std::filesystem::copy_file(scratch / "run" / "used_scene.yaml", scratch / "again.yaml");
  const Outcome second = run_program(scratch, {"run", "again.yaml", "output.directory=again"}, {.ranks = 2});
  ASSERT_EQ(second.code, 0) << second.said();
  test::expect_same_bits(test::last_state(scratch / "run"), test::last_state(scratch / "again"));
  EXPECT_EQ(test::steps_without_clocks(scratch / "run"), test::steps_without_clocks(scratch / "again"));
  EXPECT_EQ(test::status_of(scratch / "again")["step"].as<int>(), 3);
}

}  // namespace
}  // namespace unbarred
