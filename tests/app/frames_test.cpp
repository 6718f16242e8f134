// The frames hold the whole mesh whatever the number of ranks: cells, volume and mass are those of `check`.
#include <vtkCell.h>
#include <vtkCellData.h>

#include <cstdlib>

#include "support/frame_reader.hpp"
#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::beam_scene;
using test::Outcome;
using test::run_program;
using test::Scratch;

constexpr double densities[2] = {1000, 300};

/// The beam and a lighter ball.
std::string two_bodies() {
  return test::with(beam_scene, "bodies:\n", R"(  foam: {model: corotated, density: 300, young: 1.5e5, poisson: 0.2}
bodies:
  ball:
    mesh: {ball: {radius: 0.2, cells: 4}}
    material: foam
    place: {translate: [0, 0, 0.7]}
)");
}

struct Totals {
  long long cells = 0;
  double volume = 0, mass = 0;
};

double number_after(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  return at == std::string::npos ? NAN : std::stod(text.substr(at + word.size()));
}

Totals totals_of_check(const Scratch& scratch) {
  const Outcome outcome = run_program(scratch, {"check", "scene.yaml"}, {.ranks = 0});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  return {static_cast<long long>(number_after(outcome.out, "tetrahedra ")), number_after(outcome.out, "volume "),
          number_after(outcome.out, "mass ")};
}

/// Volume and mass at rest: what is seen now, divided by the deformation's Jacobian.
Totals totals_of_frame(const std::filesystem::path& file) {
  const auto grid = test::read_pvtu(file);
  if (!grid) return {};
  vtkDataArray* jacobian = grid->GetCellData()->GetArray("deformation_jacobian");
  vtkDataArray* material = grid->GetCellData()->GetArray("material");
  Totals totals{grid->GetNumberOfCells(), 0, 0};
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    double x[4][3], a[3], b[3], d[3];
    for (int i = 0; i < 4; ++i) grid->GetCell(c)->GetPoints()->GetPoint(i, x[i]);
    for (int k = 0; k < 3; ++k) a[k] = x[1][k] - x[0][k], b[k] = x[2][k] - x[0][k], d[k] = x[3][k] - x[0][k];
    const double now =
        (a[0] * (b[1] * d[2] - b[2] * d[1]) - a[1] * (b[0] * d[2] - b[2] * d[0]) + a[2] * (b[0] * d[1] - b[1] * d[0])) /
        6;
    const double rest = now / jacobian->GetTuple1(c);
    totals.volume += rest;
    totals.mass += rest * densities[static_cast<int>(material->GetTuple1(c))];
  }
  return totals;
}

void run_on(const Scratch& scratch, int ranks) {
  const Outcome outcome = run_program(
      scratch, {"run", "scene.yaml", "--steps", "4", "output.directory=on_" + std::to_string(ranks)}, {.ranks = ranks});
  ASSERT_EQ(outcome.code, 0) << outcome.said();
}

TEST(Frames, HoldTheWholeMeshOnOneRankAndOnFour) {
  const Scratch scratch;
  scratch.file("scene.yaml", two_bodies());
  const Totals expected = totals_of_check(scratch);
  EXPECT_GT(expected.cells, 192);
  EXPECT_NEAR(expected.mass, 62.5 + 300 * (expected.volume - 0.0625), 1e-3);
  for (int ranks : {1, 4}) {
    ASSERT_NO_FATAL_FAILURE(run_on(scratch, ranks));
    const std::filesystem::path frames = scratch / ("on_" + std::to_string(ranks)) / "frames";
    const auto start = test::read_pvtu(frames / "beam_000000.pvtu");
    ASSERT_TRUE(start);
    EXPECT_NEAR(test::volume(start), expected.volume, 1e-5 * expected.volume);
    const Totals seen = totals_of_frame(frames / "beam_000004.pvtu");
    EXPECT_EQ(seen.cells, expected.cells);
    EXPECT_NEAR(seen.volume, expected.volume, 1e-5 * expected.volume);
    EXPECT_NEAR(seen.mass, expected.mass, 1e-5 * expected.mass);
  }
}

bool in_path(const std::string& program) {
  std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

TEST(Frames, ParaViewSeesTheWholeMeshOnOneRankAndOnFour) {
  if (!in_path("pvbatch")) GTEST_SKIP() << "pvbatch is not installed";
  const Scratch scratch;
  scratch.file("scene.yaml", two_bodies());
  const Totals expected = totals_of_check(scratch);
  for (int ranks : {1, 4}) {
    ASSERT_NO_FATAL_FAILURE(run_on(scratch, ranks));
    const Outcome seen = test::Process(scratch.path(), {"python3", UNBARRED_SOURCE_DIR "/scripts/check_frames.py",
                                                        "on_" + std::to_string(ranks), "--density", "1000", "300"})
                             .wait(120);
    ASSERT_EQ(seen.code, 0) << seen.said();
    const YAML::Node frames = YAML::Load(seen.out)["frames"];
    ASSERT_EQ(frames.size(), 3u);
    for (const YAML::Node& frame : frames) {
      EXPECT_EQ(frame["cells"].as<long long>(), expected.cells);
      EXPECT_NEAR(frame["rest_volume"].as<double>(), expected.volume, 1e-5 * expected.volume);
      EXPECT_NEAR(frame["mass"].as<double>(), expected.mass, 1e-5 * expected.mass);
    }
  }
}

TEST(Frames, MoreRanksThanElementsWriteFramesThatCanBeRead) {
  const Scratch scratch;
  scratch.file("scene.yaml", test::with(beam_scene, test::beam_mesh, "{box: {size: [1, 1, 1], cells: $(n/2)}}"));
  const Outcome outcome = run_program(scratch, {"run", "scene.yaml", "--steps", "3", "output.every=1"}, {.ranks = 8});
  ASSERT_EQ(outcome.code, 0) << outcome.said();
  EXPECT_TRUE(test::holds(outcome.out, "more ranks than the mesh has work for; 1 ranks")) << outcome.said();
  EXPECT_EQ(test::frame_times(scratch / "run"), (std::vector<double>{0, 0.01, 0.02, 0.03}));
  for (int step = 0; step <= 3; ++step) {
    const auto grid = test::read_pvtu(scratch / "run/frames" / ("beam_00000" + std::to_string(step) + ".pvtu"));
    ASSERT_TRUE(grid);
    EXPECT_EQ(grid->GetNumberOfCells(), 6);
    EXPECT_NEAR(test::volume(grid), 1, 0.1);
  }
  EXPECT_EQ(test::last_state(scratch / "run").positions.size(), 24u);
}

}  // namespace
}  // namespace unbarred
