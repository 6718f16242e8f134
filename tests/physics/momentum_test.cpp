// Contact and friction act in pairs: bodies hand momentum on and lose none.
#include <gtest/gtest.h>

#include "support/collisions.hpp"

namespace unbarred::test {
namespace {

struct MomentumHistory {
  Real exchanged = 0;  ///< largest |momentum gained| of the body that was at rest, kg m/s
  Real moved = 0;      ///< of the moving body at the start, kg m/s
  Real lost = 0;       ///< largest |change of the sum since the start|
  Real lost_in_step = 0;
  Real lost_untruncated = 0;  ///< sum over the steps whose step fractions were all 1
  int untruncated = 0;        ///< such steps
};

MomentumHistory momentum_history(const Scene& scene, int steps) {
  Simulation simulation(scene, world());
  const std::vector<Vec3> at_start = body_momenta(simulation);
  Vec3 start{{0, 0, 0}};
  for (const Vec3& p : at_start) start += p;
  MomentumHistory history;
  history.moved = std::sqrt(squared_norm(at_start[0]));
  Vec3 before = start;
  for (int i = 0; i < steps; ++i) {
    const StepRecord record = simulation.advance();
    const std::vector<Vec3> momenta = body_momenta(simulation);
    Vec3 sum{{0, 0, 0}};
    for (const Vec3& p : momenta) sum += p;
    const Real lost = std::sqrt(squared_norm(sum - before));
    history.lost = std::max(history.lost, std::sqrt(squared_norm(sum - start)));
    history.lost_in_step = std::max(history.lost_in_step, lost);
    if (record.step_fraction_min == 1) {
      history.lost_untruncated += lost;
      ++history.untruncated;
    }
    history.exchanged = std::max(history.exchanged, std::sqrt(squared_norm(momenta[1] - at_start[1])));
    before = sum;
  }
  std::printf(
      "%s: exchanged %.3g kg m/s of %.3g, lost at most %.1e of it, %.1e in a step, %.1e over %d steps without "
      "truncation\n",
      scene.name.c_str(), history.exchanged, history.moved, history.lost / history.exchanged,
      history.lost_in_step / history.exchanged, history.lost_untruncated / history.exchanged, history.untruncated);
  return history;
}

// At the default tolerances. Lazy fractions differ from vertex to vertex, so a truncated last iteration may lose some.
TEST(FrictionalCollision, LazyFilterKeepsMomentum) {
  for (const Real time_step : {0.02, 0.01, 0.005}) {
    const MomentumHistory history =
        momentum_history(frictional_collision(6, time_step), static_cast<int>(0.6 / time_step));
    EXPECT_GT(history.exchanged, 0.1 * history.moved);
    EXPECT_LE(history.lost, 1e-4 * history.exchanged);
  }
}

// M23: what remains of a step's motion when it ends, less than epsilon, is lost; nothing is where no
// step fraction was below 1.
TEST(FrictionalCollision, GlobalFilterLosesLessThanEpsilon) {
  Scene scene = frictional_collision(6, 0.01);
  use_global_filter(scene);
  const MomentumHistory history = momentum_history(scene, 60);
  EXPECT_GT(history.exchanged, 0.1 * history.moved);
  EXPECT_LE(history.lost_in_step, scene.solver.epsilon * history.moved);
  EXPECT_GT(history.untruncated, 20);
  EXPECT_LE(history.lost_untruncated, 1e-6 * history.exchanged);
}

// While two bodies crush each other, a third one far away goes its way.
TEST(FrictionalCollision, FarBodyKeepsItsVelocity) {
  Scene scene = frictional_collision(5, 0.01);
  const Vec3 velocity{{0.3, -0.2, 0.5}};
  scene.bodies.push_back(ball("far", 0.2, 4, {{0, 3, 0}}, velocity));
  Simulation simulation(scene, world());
  Real largest = 0, crushed = 0;
  for (int i = 0; i < 60; ++i) {
    crushed = std::max(crushed, simulation.advance().energy.elastic);
    const std::vector<Vec3> v = simulation.state().v.to_host();
    for (std::size_t k = 0; k < v.size(); ++k)
      if (simulation.mesh().vertex_body[k] == 2) largest = std::max(largest, std::sqrt(squared_norm(v[k] - velocity)));
  }
  const Real size = std::sqrt(squared_norm(velocity));
  std::printf("a body far away: velocity off by %.1e of it after 60 steps\n", largest / size);
  EXPECT_GT(crushed, 1);
  EXPECT_LE(largest, 1e-4 * size);
}

}  // namespace
}  // namespace unbarred::test
