// One scene in other units, at other sizes and far away: the same dimensionless motion and the same iterations.
#include <gtest/gtest.h>

#include "support/gather.hpp"
#include "support/loaded_scene.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

struct Motion {
  std::vector<Vec3> x;  ///< in units of length, about the local origin
  std::vector<int> iterations;
};

Motion motion_of(const Scene& scene, Real length) {
  Simulation simulation(scene, world());
  Motion result;
  for (int i = 0; i < 12; ++i) {
    const StepRecord record = simulation.advance();
    result.iterations.push_back(record.outer_iterations);
    for (const LinearSolveRecord& solve : record.solves) result.iterations.push_back(solve.iterations);
  }
  result.x = gather(world(), simulation.map(), simulation.state().x);
  for (Vec3& x : result.x) x = (1 / length) * x;
  return result;
}

// Factors of ten are not exact in binary: numbers of the scene differ in their last digits, and so does every
// operation. Twelve steps carry that to some 1e-14, so 1e-11 is a safe bound that finds every absolute tolerance: those
// show at the size of the Newton tolerance, 1e-6.
constexpr Real tolerance = 1e-11;
// At 1e6 m positions in a scene are known to 1e-10 m, which is also what two bodies' distance is known to.
constexpr Real far_tolerance = 1e-9;

void expect_same_motion(const Scene& scene, Real length, const char* what, Real limit = tolerance) {
  static const Motion reference = motion_of(loaded_scene(), 1);
  const Motion found = motion_of(scene, length);
  EXPECT_EQ(found.iterations, reference.iterations) << what;
  const Real difference = relative_difference(found.x, reference.x);
  std::printf("%s: relative difference %.1e\n", what, difference);
  EXPECT_LT(difference, limit) << what;
}

TEST(Scales, SimilarScenesMoveAlike) {
  // Same density and stiffness: time goes with length, mass with its cube.
  expect_same_motion(in_units(loaded_scene(), {1e-3, 1e-9, 1e-3}), 1e-3, "1e-3");
  expect_same_motion(in_units(loaded_scene(), {1e3, 1e9, 1e3}), 1e3, "1e3");
}

TEST(Scales, MillimetersAndTonsAreAsGoodAsMetersAndKilograms) {
  expect_same_motion(in_units(loaded_scene(), {1e3, 1e-3, 1}), 1e3, "mm-t-s");
}

TEST(Scales, DistanceFromTheOriginDoesNotMatter) {
  expect_same_motion(moved(loaded_scene(), {{1e6, -1e6, 1e6}}), 1, "1e6 m away", far_tolerance);
}

TEST(Scales, ReportsAreAboutTheOriginOfTheScene) {
  Scene near = loaded_scene();
  near.motions.clear();
  Simulation here(near, world()), there(moved(near, {{1000, 0, 0}}), world());
  const StepRecord a = here.advance(), b = there.advance();
  const Real mass = 0.12 * (1000 + 600);
  EXPECT_NEAR(b.energy.gravity - a.energy.gravity, -mass * 0.5 * 1000, 1e-8 * mass * 1000);
  // L about the origin changes by (1000, 0, 0) x momentum.
  EXPECT_NEAR(b.angular_momentum[2] - a.angular_momentum[2], 1000 * a.momentum[1], 1e-8 * mass * 1000);
  EXPECT_EQ(there.scene().origin[0], 1000.1);
}

// A mesh file in map coordinates: the body lies far from the origin of its own mesh.
class FarSource final : public TetrahedraSource {
 public:
  GlobalIndex vertex_count() const override { return 4; }
  GlobalIndex tetrahedron_count() const override { return 1; }
  std::vector<Vec3> vertices(const Communicator&, GlobalIndex begin, GlobalIndex end) const override {
    const std::vector<Vec3> all{{{3e6, 5e6, 0}}, {{3e6 + 2, 5e6, 0}}, {{3e6, 5e6 + 2, 0}}, {{3e6, 5e6, 2}}};
    return {all.begin() + begin, all.begin() + end};
  }
  std::vector<GlobalTetrahedron> tetrahedra(const Communicator&, GlobalIndex begin, GlobalIndex end) const override {
    return std::vector<GlobalTetrahedron>(static_cast<std::size_t>(end - begin), GlobalTetrahedron{{0, 1, 2, 3}});
  }
};

TEST(LocalOrigin, IsInTheMiddleOfAMeshThatIsFarFromItsOwnOrigin) {
  Scene scene;
  scene.bodies.resize(1);
  scene.bodies[0].place.translate = {{1, 2, 3}};
  const Vec3 origin = scene_origin(scene, FarSource(), world());
  EXPECT_EQ(origin[0], 3e6 + 2);
  EXPECT_EQ(origin[1], 5e6 + 3);
  EXPECT_EQ(origin[2], 4);
  move_to_local_origin(scene, origin);
  EXPECT_EQ(scene.bodies[0].place.translate[0], -3e6 - 1);
}

}  // namespace
}  // namespace unbarred::test
