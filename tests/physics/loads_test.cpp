// Body forces, pressures, springs, and motions by table and expression against what is known exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/gather.hpp"
#include "support/loaded_scene.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

std::vector<Vec3> positions(const Simulation& simulation) {
  return gather(world(), simulation.map(), simulation.state().x);
}

Vec3 mean(const std::vector<Vec3>& x) {
  Vec3 sum{{0, 0, 0}};
  for (const Vec3& p : x) sum += p;
  return (1 / static_cast<Real>(x.size())) * sum;
}

Real volume(const Simulation& simulation, const std::vector<Vec3>& local) {
  Real sum = 0;
  for (const auto& t : simulation.mesh().tetrahedra)
    sum += dot(local[t[1]] - local[t[0]], cross(local[t[2]] - local[t[0]], local[t[3]] - local[t[0]])) / 6;
  return sum;
}

TEST(BodyForce, OfDensityTimesGravityIsGravity) {
  Scene heavy = box_scene({{1, 0.2, 0.2}}, {{8, 2, 2}}, material(MaterialModel::stable_neo_hookean));
  heavy.motions = {clamp_below(-0.5)};
  tighten(heavy);
  Scene pulled = heavy;
  heavy.gravity = {{0, -9.81, 1}};
  pulled.bodies[0].body_force = {{0, -9810, 1000}};
  Simulation a(heavy, world()), b(pulled, world());
  for (int i = 0; i < 10; ++i) {
    const StepRecord ra = a.advance(), rb = b.advance();
    EXPECT_NEAR(ra.energy.gravity, rb.energy.loads, 1e-11 * std::abs(ra.energy.gravity));
  }
  EXPECT_LT(relative_difference(positions(a), positions(b)), 1e-13);
}

// Springs that share the stiffness like the mass move a body as a whole: implicit Euler of one oscillator,
// x' = (x + h v) / (1 + h^2 k / m), to the rounding.
TEST(Springs, SwingABodyLikeOneOscillator) {
  Scene scene = box_scene({{1, 1, 1}}, {{3, 2, 2}}, material(MaterialModel::corotated));
  SpringSpec spring;
  spring.name = "spring";
  spring.stiffness = 4000;  // 1000 kg: omega = 2 / s
  scene.springs = {spring};
  scene.bodies[0].velocity = {{0, 0.2, 0}};
  scene.time_step = 0.002;
  tighten(scene);
  Simulation simulation(scene, world());
  Real x = 0, v = 0.2, crossing = 0;
  for (int i = 1; i <= 1000 && crossing == 0; ++i) {
    const Real before = x;
    const StepRecord record = simulation.advance();
    x = (x + scene.time_step * v) / (1 + scene.time_step * scene.time_step * 4);
    v = (x - before) / scene.time_step;
    ASSERT_NEAR(mean(positions(simulation))[1], x, 1e-9);
    ASSERT_NEAR(record.energy.loads, 2000 * x * x, 1e-6);
    if (x < 0) crossing = i * scene.time_step;
  }
  EXPECT_NEAR(crossing, M_PI / 2, 0.005);  // half a period
}

TEST(Springs, PullToAPoint) {
  Scene scene = box_scene({{1, 1, 1}}, {{2, 2, 2}}, material(MaterialModel::stable_neo_hookean));
  SpringSpec spring;
  spring.stiffness = 1e6;
  spring.select.shape = Selection::Shape::sphere;
  spring.select.center = {{0.5, 0.5, 0.5}};
  spring.select.radius = 0.1;
  spring.point = Vec3{{1.5, 0.5, 0.5}};
  scene.springs = {spring};
  scene.time_step = 0.5;  // implicit Euler at long steps comes to rest
  Simulation simulation(scene, world());
  for (int i = 0; i < 60; ++i) simulation.advance();
  // Only the corner is held: it ends at the point, whichever way the body turns.
  const std::vector<Vec3> rest = simulation.elastic().rest_positions.to_host(), x = simulation.state().x.to_host();
  for (std::size_t v = 0; v < x.size(); ++v) {
    if (!selects(spring.select, rest[v])) continue;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[v][k], (*spring.point)[k], 1e-5);
  }
}

TEST(Pressure, OnAClosedSurfaceHasNoNetForceAndChangesTheVolume) {
  for (const Real p : {20.0, -20.0}) {
    Scene scene = box_scene({{1, 0.7, 0.5}}, {{5, 3, 3}}, material(MaterialModel::stable_neo_hookean));
    PressureSpec pressure;
    pressure.pressure = p;
    scene.pressures = {pressure};
    scene.time_step = 0.2;
    tighten(scene);
    scene.solver.accuracy = 1e-9;
    Simulation simulation(scene, world());
    StepRecord record;
    for (int i = 0; i < 50; ++i) record = simulation.advance();
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(record.momentum[k], 0, 1e-9);
      EXPECT_NEAR(record.angular_momentum[k], 0, 1e-9);
    }
    // A uniform stress: -p / K, K = E / (3 (1 - 2 nu)); large strain terms are of the order p / E.
    const Real change = volume(simulation, simulation.state().x.to_host()) / 0.35 - 1;
    EXPECT_NEAR(change, -p * 3 * (1 - 0.6) / 1e5, 1e-3 * std::abs(p) / 1e5);
    EXPECT_NEAR(record.energy.loads, p * 0.35 * (1 + change), 1e-9);
  }
}

TEST(Pressure, OnTwoEndsIsAUniaxialStress) {
  Scene scene = box_scene({{1, 0.2, 0.2}}, {{10, 2, 2}}, material(MaterialModel::stable_neo_hookean));
  PressureSpec left, right;
  left.name = "left";
  left.pressure = right.pressure = 10;
  left.select = box_selection({{-0.51, -1, -1}}, {{-0.49, 1, 1}});
  right.name = "right";
  right.select = box_selection({{0.49, -1, -1}}, {{0.51, 1, 1}});
  scene.pressures = {left, right};
  scene.time_step = 0.2;
  tighten(scene);
  scene.solver.accuracy = 1e-9;
  Simulation simulation(scene, world());
  for (int i = 0; i < 100; ++i) simulation.advance();
  Real lower = 0, upper = 0;
  for (const Vec3& x : positions(simulation)) {
    lower = std::min(lower, x[0]);
    upper = std::max(upper, x[0]);
  }
  EXPECT_NEAR(upper - lower - 1, -10 / 1e5, 1e-3 * 10 / 1e5);
}

TEST(Pressure, ActsInItsWindowOnly) {
  Scene scene = box_scene({{1, 1, 1}}, {{2, 2, 2}}, material(MaterialModel::stable_neo_hookean));
  PressureSpec right;
  right.name = "right";
  right.pressure = 1000;
  right.select = box_selection({{0.49, -1, -1}}, {{0.51, 1, 1}});
  right.from = 0.02;
  right.to = 0.05;
  scene.pressures = {right};
  Simulation simulation(scene, world());
  std::vector<Real> gained{0};
  for (int i = 0; i < 8; ++i) gained.push_back(simulation.advance().momentum[0]);
  const Real step = -1000 * 0.01;  // p A h a step, A about 1 m^2
  EXPECT_NEAR(gained[2], 0, 1e-9);
  EXPECT_NEAR(gained[3], step, 1e-2 * std::abs(step));
  EXPECT_NEAR(gained[5], 3 * step, 3e-2 * std::abs(step));
  EXPECT_NEAR(gained[8], gained[5], 1e-6 * std::abs(step));
}

/// The whole energy at x, without inertia, J; gradient through what the stepper uses.
struct System {
  Simulation& simulation;
  Field x, predicted, downhill;
  DeviceArray<Vec3> gradient;
  AssemblyWindow window;
  explicit System(Simulation& s)
      : simulation(s),
        x(s.map()),
        predicted(s.map()),
        downhill(s.map()),
        gradient(s.map().owned()),
        window(s.plan().largest_tile) {}
  Real energy(const std::vector<Vec3>& at) {
    set_owned(x, simulation.halo(), at);
    return elastic_energy(simulation.elastic(), x.local()) + simulation.loads().energy(1, x.local());
  }
  /// h^2 times the gradient, without inertia.
  std::vector<Vec3> slope(const std::vector<Vec3>& at) {
    set_owned(x, simulation.halo(), at);
    predicted.assign(x);
    assemble(simulation.elastic(), simulation.plan(), simulation.scene().time_step, x.local(), predicted.local(), {},
             window, simulation.matrix(), downhill.write_owned());
    simulation.loads().add_to_system(1, x.local(), simulation.matrix(), downhill.write_owned(), gradient.view());
    std::vector<Vec3> result = downhill.to_host();
    for (Vec3& g : result) g = Real(-1) * g;
    return result;
  }
};

TEST(Loads, GradientIsTheDerivativeOfTheEnergy) {
  Simulation simulation(loaded_scene(), world());
  for (int i = 0; i < 3; ++i) simulation.advance();
  System system(simulation);
  std::mt19937 random(5);
  std::uniform_real_distribution<Real> unit(-1, 1);
  std::vector<Vec3> x = simulation.state().x.to_host();
  for (Vec3& p : x) p += 0.01 * Vec3{{unit(random), unit(random), unit(random)}};
  const std::vector<Vec3> gradient = system.slope(x);
  const std::vector<Vec3> loads = system.gradient.to_host();
  Real h = simulation.scene().time_step, largest = 0;
  for (const Vec3& g : loads) largest = std::max(largest, std::sqrt(squared_norm(g)) / (h * h));
  EXPECT_GT(largest, 10);  // N: the loads are there
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<Vec3> up = x, down = x;
    Real expected = 0, size = 0;
    for (std::size_t v = 0; v < x.size(); ++v) {
      const Vec3 direction{{unit(random), unit(random), unit(random)}};
      up[v] += 1e-6 * direction;
      down[v] -= 1e-6 * direction;
      expected += dot(direction, gradient[v]) / (h * h);
      size += std::abs(dot(direction, gradient[v])) / (h * h);
    }
    const Real found = (system.energy(up) - system.energy(down)) / 2e-6;
    EXPECT_NEAR(found, expected, 1e-6 * size);
  }
}

TEST(Motions, FollowTablesAndExpressions) {
  for (const auto kind : {MoveSpec::Kind::table, MoveSpec::Kind::expression}) {
    Scene scene = box_scene({{1, 0.2, 0.2}}, {{6, 2, 2}}, material(MaterialModel::stable_neo_hookean));
    MotionSpec motion = clamp_below(-0.5);
    motion.from = 0.02;
    motion.move.kind = kind;
    motion.move.table = {{0.02, 0.04, 0.06}, {{{0, 0, 0}}, {{0.01, 0, 0}}, {{0.01, 0.02, 0}}}};
    motion.move.expression = {[](Real t) { return 7 + 0.1 * t; }, [](Real t) { return t * t; },
                              [](Real) { return 0.0; }};
    scene.motions = {motion};
    Simulation simulation(scene, world());
    const std::vector<Vec3> start = positions(simulation);
    for (int i = 0; i < 2; ++i) simulation.advance();
    EXPECT_LT(relative_difference(positions(simulation), start), 1e-14);  // before `from` nothing has moved
    for (int i = 0; i < 6; ++i) simulation.advance();
    const std::vector<Vec3> end = positions(simulation);
    const Vec3 expected =
        kind == MoveSpec::Kind::table ? Vec3{{0.01, 0.02, 0}} : Vec3{{0.1 * 0.06, 0.08 * 0.08 - 0.02 * 0.02, 0}};
    for (std::size_t v = 0; v < start.size(); ++v) {
      if (start[v][0] > -0.499) continue;
      for (int k = 0; k < 3; ++k) ASSERT_NEAR(end[v][k] - start[v][k], expected[k], 1e-14);
    }
  }
}

}  // namespace
}  // namespace unbarred::test
