// Contact in other units, at other sizes and far away: the same dimensionless motion, the same pairs and iterations.
#include <gtest/gtest.h>

#include "support/gather.hpp"
#include "support/loaded_scene.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

/// Two boxes of two materials, askew, that fall onto each other and onto a floor, with friction.
Scene falling_boxes() {
  Scene scene = box_scene({{0.5, 0.4, 0.3}}, {{4, 3, 2}}, material(MaterialModel::stable_neo_hookean, 2e5, 0.3));
  scene.gravity = {{0, -9.81, 0}};
  scene.materials.push_back(material(MaterialModel::neo_hookean, 1e5, 0.4, 600));
  BodySpec& lower = scene.bodies[0];
  lower.place = {.axis = {{1, 2, 3}}, .degrees = 20, .translate = {{0.01, 0.27, 0.02}}};
  lower.velocity = {{0.2, -1, 0}};
  BodySpec upper = lower;
  upper.name = "upper";
  upper.material = 1;
  upper.place = {.axis = {{3, 1, 2}}, .degrees = 25, .translate = {{0.05, 0.74, -0.03}}};
  upper.velocity = {{0, -2, 0.1}};
  scene.bodies.push_back(upper);
  ObstacleSpec floor;
  floor.name = "floor";
  floor.mesh.generator = "plane";
  floor.mesh.parameters = {{"size", {3, 3}}, {"cells", {2}}};
  scene.obstacles = {floor};
  scene.contact.emplace();
  scene.contact->offset = 1e-3;
  scene.contact->friction = 0.3;
  scene.solver.minimum_iterations = 6;
  return scene;
}

struct Motion {
  std::vector<Vec3> x;              ///< in units of length, about the local origin
  std::vector<GlobalIndex> counts;  ///< iterations, pairs, active pairs
  std::vector<int> solves;          ///< their iterations
  Real least_gap = 1e300;           ///< in units of length
};

Motion motion_of(const Scene& scene, Real length, int steps) {
  Simulation simulation(scene, world());
  Motion result;
  GlobalIndex pairs = 0;
  for (int i = 0; i < steps; ++i) {
    const StepRecord record = simulation.advance();
    pairs = record.pairs;
    result.counts.insert(result.counts.end(), {record.outer_iterations, record.pairs, record.pairs_active});
    for (const LinearSolveRecord& solve : record.solves) result.solves.push_back(solve.iterations);
    if (record.gap_min) result.least_gap = std::min(result.least_gap, *record.gap_min / length);
  }
  EXPECT_GT(pairs, 10);
  result.x = gather(world(), simulation.map(), simulation.state().x);
  for (Vec3& x : result.x) x = (1 / length) * x;
  return result;
}

// Contact makes much of little: whether a pair is active, which of two is hit first. So a scene in other numbers goes
// other ways once a rounding has turned such a choice, here after five steps in contact. Until then tight solves keep
// roundings small, and any absolute tolerance would show at the size of a gap, 1e-4 m.
constexpr int steps = 5;
constexpr Real tolerance = 1e-12;
// At 1e6 m positions in a scene are known to 1e-10 m, a ten-millionth of the contact offset.
constexpr Real far_tolerance = 1e-7;

void expect_same_motion(const std::function<Scene(const Scene&)>& other, Real length, const char* what,
                        Real limit = tolerance) {
  Scene scene = falling_boxes();
  tighten(scene);
  static const Motion reference = motion_of(scene, 1, steps);
  const Motion found = motion_of(other(scene), length, steps);
  EXPECT_EQ(found.counts, reference.counts) << what;
  const Real difference = relative_difference(found.x, reference.x);
  const Real gap = std::abs(found.least_gap - reference.least_gap) / reference.least_gap;
  std::printf("%s: relative difference %.1e, of the least gap %.1e\n", what, difference, gap);
  EXPECT_LT(difference, limit) << what;
  EXPECT_LT(gap, 1e4 * limit) << what;
}

TEST(ContactScales, SimilarScenesMoveAlike) {
  expect_same_motion([](const Scene& s) { return in_units(s, {1e-3, 1e-9, 1e-3}); }, 1e-3, "1e-3");
  expect_same_motion([](const Scene& s) { return in_units(s, {1e3, 1e9, 1e3}); }, 1e3, "1e3");
}

TEST(ContactScales, MillimetersAndTonsAreAsGoodAsMetersAndKilograms) {
  expect_same_motion([](const Scene& s) { return in_units(s, {1e3, 1e-3, 1}); }, 1e3, "mm-t-s");
}

TEST(ContactScales, DistanceFromTheOriginDoesNotMatter) {
  expect_same_motion([](const Scene& s) { return moved(s, {{1e6, -1e6, 1e6}}); }, 1, "1e6 m away", far_tolerance);
}

// Units that are powers of two change no digit of any number of the scene, and so nothing at all, for any time.
TEST(ContactScales, PowersOfTwoChangeNoBit) {
  const Motion reference = motion_of(falling_boxes(), 1, 12);
  for (const Units& units : {Units{0x1p-10, 0x1p-30, 0x1p-10}, Units{0x1p10, 0x1p30, 0x1p10}, Units{0x1p10, 0x1p-10, 1},
                             Units{1, 0x1p20, 0x1p-7}}) {
    const Motion found = motion_of(in_units(falling_boxes(), units), units.length, 12);
    EXPECT_EQ(found.counts, reference.counts);
    EXPECT_EQ(found.solves, reference.solves);
    EXPECT_EQ(found.least_gap, reference.least_gap);
    EXPECT_EQ(relative_difference(found.x, reference.x), 0) << units.length << " m, " << units.mass << " kg";
  }
}

}  // namespace
}  // namespace unbarred::test
