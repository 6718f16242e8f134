// Coulomb's law: cubes on an inclined plane (paper, section 6.1, Fig. 11), and an arch of loose blocks (Fig. 12).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/scene/scene_reader.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

Scene scene_file(const std::string& name, const std::vector<std::string>& overrides) {
  return read_scene(std::string(UNBARRED_SOURCE_DIR "/scenes/") + name, overrides);
}

/// Mean velocity of the vertices of the first `bodies` bodies of the mesh, m/s.
std::vector<Vec3> body_velocities(const Simulation& simulation, std::size_t bodies) {
  const std::vector<Vec3> v = simulation.state().v.to_host();
  std::vector<Vec3> sum(bodies, Vec3{{0, 0, 0}});
  std::vector<Real> count(bodies, 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(simulation.map().owned()); ++i) {
    const auto body = static_cast<std::size_t>(simulation.mesh().vertex_body[i]);
    if (body >= bodies) continue;
    sum[body] += v[i];
    count[body] += 1;
  }
  for (std::size_t b = 0; b < bodies; ++b) sum[b] = (1 / count[b]) * sum[b];
  return sum;
}

/// Friction of each cube against the slope.
std::vector<Real> frictions(const Scene& scene) {
  std::vector<Real> mu(scene.bodies.size(), 0);
  for (std::size_t b = 0; b < mu.size(); ++b)
    for (const FrictionPair& pair : scene.contact->pairs)
      if (std::min(pair.a, pair.b) == scene.bodies[b].material) mu[b] = pair.friction;
  return mu;
}

class Slope : public testing::TestWithParam<const char*> {};

// At arctan 0.5. Sliding: the acceleration over 0.4 s once the landing is over is g (sin - mu cos) within 2 %; staying:
// what is left is the creep of mollified friction, at most its velocity. At mu = tan the two cancel and neither holds.
TEST_P(Slope, CubesSlideOrStayAsCoulombSays) {
  Scene scene = scene_file(GetParam(), {"parameters.n=3"});
  const std::vector<Real> mu = frictions(scene);
  const std::size_t bodies = mu.size();
  Simulation simulation(scene, world());
  const Real root = std::sqrt(5.0);
  const Vec3 down{{2 / root, -1 / root, 0}};
  std::vector<Real> before(bodies), after(bodies);
  constexpr int landed = 40, end = 80;
  for (int step = 1; step <= end; ++step) {
    const StepRecord record = simulation.advance();
    EXPECT_GT(record.gap_min.value_or(1), 0);
    if (step != landed && step != end) continue;
    std::vector<Real>& speeds = step == landed ? before : after;
    const std::vector<Vec3> velocities = body_velocities(simulation, bodies);
    for (std::size_t b = 0; b < bodies; ++b) speeds[b] = dot(velocities[b], down);
  }
  int sliding = 0, staying = 0;
  for (std::size_t b = 0; b < bodies; ++b) {
    SCOPED_TRACE(testing::Message() << scene.bodies[b].name << ", friction " << mu[b]);
    if (mu[b] <= 0.475 + 1e-9) {
      const Real exact = 9.81 * (1 - 2 * mu[b]) / root;
      EXPECT_NEAR((after[b] - before[b]) / ((end - landed) * scene.time_step), exact, 0.02 * exact);
      ++sliding;
    }
    if (mu[b] >= 0.525 - 1e-9) {
      EXPECT_LE(std::abs(after[b]), scene.contact->friction_velocity.value());
      ++staying;
    }
  }
  EXPECT_GE(sliding, 2);
  EXPECT_GE(staying, 2);
}

INSTANTIATE_TEST_SUITE_P(Friction, Slope, testing::Values("slope.yaml", "slope_fine.yaml"),
                         [](const auto& info) { return info.index == 0 ? "TwoTriangles" : "TenByTenCells"; });

/// Largest fall of a block's lowest vertex in `seconds`, m.
Real fall_of_the_arch(Real friction, Real seconds) {
  Scene scene = scene_file("arch.yaml", {"contact.friction=" + std::to_string(friction)});
  Simulation simulation(scene, world());
  const std::vector<Vec3> start = simulation.state().x.to_host();
  const auto steps = static_cast<int>(std::lround(seconds / scene.time_step));
  for (int step = 0; step < steps; ++step) simulation.advance();
  const std::vector<Vec3> end = simulation.state().x.to_host();
  Real fall = 0;
  for (std::size_t v = 0; v < start.size(); ++v) fall = std::max(fall, start[v][1] - end[v][1]);
  return fall;
}

TEST(Arch, StandsByFriction) { EXPECT_LT(fall_of_the_arch(0.5, 0.2), 1e-3); }
TEST(Arch, FallsWithoutFriction) { EXPECT_GT(fall_of_the_arch(0, 0.2), 0.02); }

}  // namespace
}  // namespace unbarred::test
