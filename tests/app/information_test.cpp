// What the program tells without taking a step.
#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::beam_scene;
using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;

TEST(Information, TheVersionNamesGitAndLibraries) {
  const Scratch scratch;
  const Outcome outcome = run_program(scratch, {"--version"}, {.ranks = 2});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  EXPECT_TRUE(std::regex_search(outcome.out, std::regex(R"(^unbarred \d+\.\d+\.\d+ \([0-9a-f]{7,40}(-dirty)?\))")) ||
              holds(outcome.out, "(unknown)"))
      << outcome.out;
  EXPECT_EQ(test::count(outcome.out, "unbarred "), 1u) << "each rank speaks: " << outcome.out;
  for (const char* name : {"PETSc", "PT-Scotch", "fmt", "hdf5", "mpi", "spdlog", "vtk"})
    EXPECT_TRUE(std::regex_search(outcome.out, std::regex(std::string(name) + R"( +\S*.*\d\.\d)"))) << name;
}

TEST(Information, CheckGivesTheTotals) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  for (int ranks : {1, 3}) {
    const Outcome outcome = run_program(scratch, {"check", "scene.yaml"}, {.ranks = ranks});
    EXPECT_EQ(outcome.code, 0) << outcome.said();
    EXPECT_TRUE(holds(outcome.out, "192, vertices 81")) << outcome.out;
    EXPECT_TRUE(holds(outcome.out, "volume       0.0625 m^3, mass 62.5 kg")) << outcome.out;
    EXPECT_TRUE(holds(outcome.out, "steps        8 of 0.01 s")) << outcome.out;
  }
}

TEST(Information, OfContactCheckTellsOffsetAndSurfaces) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene + "contact: {offset: 0.002, friction: 0.25}\n");
  const Outcome outcome = run_program(scratch, {"check", "scene.yaml", "output.contacts=true"}, {.ranks = 2});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  // The boundary of 8 x 2 x 2 cells: 72 squares of two triangles.
  EXPECT_TRUE(holds(outcome.out, "offset 0.002 m, friction 0.25; surfaces of 74 vertices, 216 edges, 144 triangles"))
      << outcome.out;
  EXPECT_TRUE(holds(outcome.out, "a contact pair for each vertex")) << outcome.out;
  EXPECT_FALSE(holds(outcome.out, "without contact")) << outcome.out;
  const Outcome scene = run_program(scratch, {"info", "scene.yaml"}, {.ranks = 1});
  EXPECT_TRUE(holds(scene.out, "offset 0.002 m, friction 0.25")) << scene.said();
}

TEST(Information, TheSceneLanguageIsDescribedWithUnitsAndDefaults) {
  const Scratch scratch;
  const Outcome outcome = run_program(scratch, {"run", "--describe"}, {.ranks = 0});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  EXPECT_TRUE(holds(outcome.out, "gravity")) << outcome.out;
  EXPECT_TRUE(holds(outcome.out, "m/s^2")) << outcome.out;
  EXPECT_TRUE(holds(outcome.out, "default 0.02")) << outcome.out;
}

TEST(Information, ADryRunSetsUpAndLeavesNothing) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const Outcome outcome = run_program(scratch, {"run", "scene.yaml", "--dry-run"}, {.ranks = 2});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  EXPECT_TRUE(holds(outcome.out, "192 tetrahedra, 81 vertices")) << outcome.out;
  EXPECT_FALSE(holds(outcome.out, "step ")) << outcome.out;
  EXPECT_FALSE(std::filesystem::exists(scratch / "run"));
}

}  // namespace
}  // namespace unbarred
