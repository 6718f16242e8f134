// Every scene that we ship runs, and PETSc's options arrive wherever they are given.
#include <algorithm>

#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::beam_scene;
using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;

std::vector<std::filesystem::path> shipped_scenes() {
  std::vector<std::filesystem::path> scenes;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(UNBARRED_SOURCE_DIR) + "/scenes"))
    if (entry.path().extension() == ".yaml") scenes.push_back(entry.path());
  std::sort(scenes.begin(), scenes.end());
  return scenes;
}

// Smaller where the scene has a size to set: the language and the physics of each are what is looked at here.
std::vector<std::string> smaller(const std::filesystem::path& scene) {
  static constexpr const char* sized[] = {"drop",  "fine_sphere", "large",      "pile",       "repeat",
                                          "slope", "slope_fine",  "thin_plate", "two_spheres"};
  const bool found = std::find(std::begin(sized), std::end(sized), scene.stem()) != std::end(sized);
  return found ? std::vector<std::string>{"parameters.n=2"} : std::vector<std::string>{};
}

TEST(Scenes, EachStartsWithoutIntersections) {
  for (const auto& scene : shipped_scenes()) {
    const Scratch scratch;
    std::vector<std::string> words{"check", scene.string()};
    // Long to load, and a smaller one has the same parts.
    if (scene.stem() == "repeat" || scene.stem() == "large") words.emplace_back("parameters.n=2");
    const Outcome outcome = run_program(scratch, words, {.ranks = 2});
    EXPECT_EQ(outcome.code, 0) << scene << outcome.said();
    EXPECT_TRUE(holds(outcome.out, "none cross or touch")) << scene << outcome.said();
  }
}

TEST(Scenes, EachTakesTwoSteps) {
  const auto scenes = shipped_scenes();
  ASSERT_GE(scenes.size(), 20u);
  for (const auto& scene : scenes) {
    const Scratch scratch;
    std::vector<std::string> words{
        "run", scene.string(), "--steps", "2", "output.directory=run", "output.every=1", "solver.audit=1"};
    for (const std::string& override_text : smaller(scene)) words.push_back(override_text);
    const Outcome outcome = run_program(scratch, words, {.ranks = 2});
    EXPECT_EQ(outcome.code, 0) << scene << outcome.said();
    EXPECT_TRUE(std::filesystem::exists(scratch / ("run/frames/" + scene.stem().string() + ".pvd"))) << scene;
  }
}

/// Iterations of the first solve of the first step.
int first_solve(const Scratch& scratch) {
  const std::string line = test::text_of(scratch / "run/steps.jsonl");
  int iterations = -1;
  const auto at = line.find("\"cg_iterations\":[");
  if (at != std::string::npos) std::sscanf(line.c_str() + at, "\"cg_iterations\":[%d", &iterations);
  return iterations;
}

// A direct solver takes one iteration; the last word wins: command line over scene over environment.
TEST(Scenes, PetscOptionsComeFromThreePlaces) {
  const std::string direct = "-ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps";
  const std::vector<std::string> ksp{"run", "scene.yaml", "--steps", "1", "--overwrite", "solver.linear.method=ksp"};
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const auto with = [&](std::vector<std::string> words, const std::string& variable) {
    std::vector<std::string> environment;
    if (!variable.empty()) environment.push_back("PETSC_OPTIONS=" + variable);
    const Outcome outcome = run_program(scratch, words, {.ranks = 2, .environment = environment});
    EXPECT_EQ(outcome.code, 0) << outcome.said();
    return first_solve(scratch);
  };
  EXPECT_GT(with(ksp, ""), 1);
  EXPECT_EQ(with(ksp, direct), 1);
  std::vector<std::string> words = ksp;
  words.push_back("solver.linear.options=" + direct);
  EXPECT_EQ(with(words, ""), 1);
  words.insert(words.end(), {"--", "-ksp_type", "cg", "-pc_type", "jacobi"});
  EXPECT_GT(with(words, direct), 1);
}

TEST(Scenes, PetscOptionsWithoutKspAreRefused) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const Outcome outcome = run_program(scratch, {"run", "scene.yaml", "--", "-ksp_type", "cg"}, {.ranks = 2});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(holds(outcome.err, "solver.linear.method")) << outcome.err;
}

}  // namespace
}  // namespace unbarred
