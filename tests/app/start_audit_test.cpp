// What crosses or touches at the start, and in a run that is audited.
#include <vtkXMLUnstructuredGridReader.h>

#include "support/frame_reader.hpp"
#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;

/// Two bricks, the second one `shift` along x from the first, of which there is a copy far away.
std::string bricks(const std::string& shift, const std::string& more = "") {
  const std::string brick = "mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}, material: rubber";
  return "name: bricks\ntime: {step: 0.01, end: 0.04}\n"
         "materials:\n  rubber: {model: stable_neo_hookean, density: 1000, young: 1.0e5, poisson: 0.3}\n"
         "bodies:\n"
         "  left: {" +
         brick +
         ", place: {translate: [1000, 0, 0]}, repeat: {count: [1, 1, 2], spacing: [0, 0, 5]}}\n"
         "  right: {" +
         brick + ", place: {translate: [$(1000 + " + shift +
         "), 0.13, 0.21]}}\n"
         "output: {directory: run}\n" +
         more;
}

TEST(StartAudit, CheckTellsWhatCrossesWithoutContact) {
  const Scratch scratch;
  scratch.file("apart.yaml", bricks("1.1"));
  scratch.file("crossing.yaml", bricks("0.87"));
  scratch.file("touching.yaml", bricks("1"));
  const auto said = [&](const std::string& file, int ranks) {
    const Outcome outcome = run_program(scratch, {"check", file}, {.ranks = ranks});
    EXPECT_EQ(outcome.code, 0) << outcome.said();
    const std::size_t at = outcome.out.find("  surfaces ");
    return outcome.out.substr(at, outcome.out.find('\n', at) - at);
  };
  for (const int ranks : {1, 3}) {
    EXPECT_TRUE(holds(said("apart.yaml", ranks), "none cross or touch"));
    const std::string crossing = said("crossing.yaml", ranks);
    EXPECT_TRUE(holds(crossing, "pairs of triangles cross") && holds(crossing, "`left[0]` crosses `right`"))
        << crossing;
    EXPECT_EQ(crossing, said("crossing.yaml", 1));
    EXPECT_TRUE(holds(said("touching.yaml", ranks), "`left[0]` touches `right`"));
  }
}

TEST(StartAudit, WithContactABadStartEndsWithItsTrianglesInAFile) {
  const Scratch scratch;
  scratch.file("crossing.yaml", bricks("0.87", "contact: {offset: 1.0e-3}\n"));
  scratch.file("apart.yaml", bricks("1.1", "contact: {offset: 1.0e-3}\n"));
  scratch.file("allowed.yaml", bricks("0.87", "contact: {offset: 1.0e-3, pairs: {none: [[right, left]]}}\n"));
  for (const int ranks : {1, 3}) {
    std::filesystem::remove_all(scratch / "run");
    const Outcome outcome = run_program(scratch, {"check", "crossing.yaml"}, {.ranks = ranks});
    EXPECT_EQ(outcome.code, 3) << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "`left[0]` crosses `right`")) << outcome.said();
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    reader->SetFileName((scratch / "run" / "diagnostics" / "start.vtu").c_str());
    reader->Update();
    vtkUnstructuredGrid* grid = reader->GetOutput();
    EXPECT_GT(grid->GetNumberOfCells(), 0);
    // In the frame of the scene: half of the first brick, and of the second one, which starts at 0.87 - 0.5.
    double bounds[6];
    grid->GetBounds(bounds);
    EXPECT_NEAR(bounds[0], 1000, 1e-9);
    EXPECT_NEAR(bounds[1], 1000.87, 1e-9);
  }
  EXPECT_EQ(run_program(scratch, {"check", "apart.yaml"}).code, 0);
  EXPECT_EQ(run_program(scratch, {"check", "allowed.yaml"}).code, 0);
}

TEST(StartAudit, ARunSaysEveryFewStepsHowManyPairsIntersect) {
  const Scratch scratch;
  scratch.file("scene.yaml", bricks("0.87", "solver: {audit: 2}\n"));
  std::vector<int> counts;
  for (const int ranks : {1, 3}) {
    const Outcome outcome = run_program(scratch, {"run", "scene.yaml", "--overwrite"}, {.ranks = ranks});
    ASSERT_EQ(outcome.code, 0) << outcome.said();
    const std::vector<YAML::Node> steps = test::steps_of(scratch / "run");
    ASSERT_EQ(steps.size(), 4u);
    EXPECT_TRUE(steps[0]["intersections"].IsNull() && steps[2]["intersections"].IsNull());
    counts.push_back(steps[1]["intersections"].as<int>());
    counts.push_back(steps[3]["intersections"].as<int>());
  }
  EXPECT_GT(counts[0], 0);
  EXPECT_EQ(counts, std::vector<int>(4, counts[0]));  // nothing moves
}

}  // namespace
}  // namespace unbarred
