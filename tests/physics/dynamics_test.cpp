// Motion: order of convergence, energy, momentum, prescribed vertices.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/gather.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

Scene swinging_beam(const Vec3& cells, MaterialModel model = MaterialModel::stable_neo_hookean) {
  Scene scene = box_scene({{1, 0.1, 0.1}}, cells, material(model, 1e6, 0.3));
  scene.motions = {clamp_below(-0.5)};
  return scene;
}

/// First bending mode, roughly: the beam starts bent and at rest.
Vec3 bent(const Vec3& p) {
  const Real s = p[0] + 0.5;
  return {{p[0], p[1] + 0.1 * s * s, p[2]}};
}

/// First period of a clamped beam of square section: (2 pi / 1.8751^2) sqrt(rho A L^4 / (E I)), s.
Real first_period() {
  const Real inertia_over_area = 0.01 / 12;
  return 2 * std::numbers::pi / (1.8751 * 1.8751) * std::sqrt(1000 / (1e6 * inertia_over_area));
}

/// Velocity of a clamped beam (0 <= s <= 1) swinging in its first bending mode; sections turn with the slope.
Vec3 first_mode(const Vec3& p) {
  const Real beta = 1.87510407, ratio = 0.73409551, s = p[0] + 0.5;
  const auto deflection = [&](Real u) { return std::cosh(u) - std::cos(u) - ratio * (std::sinh(u) - std::sin(u)); };
  const auto slope = [&](Real u) { return beta * (std::sinh(u) + std::sin(u) - ratio * (std::cosh(u) - std::cos(u))); };
  return {{-0.1 * p[1] * slope(beta * s), 0.1 * deflection(beta * s), 0}};
}

// One slow mode, which every h below resolves: modes that no h resolves would hide the order.
std::vector<Vec3> positions_at(Real end, int steps) {
  Scene scene = swinging_beam({{12, 2, 2}});
  tighten(scene);
  scene.solver.accuracy = 1e-10;
  scene.time_step = end / steps;
  Simulation simulation(scene, world());
  std::vector<Vec3> v = simulation.state().x.to_host();
  for (Vec3& p : v) p = first_mode(p);
  set_owned(simulation.state().v, simulation.halo(), v);
  for (int i = 0; i < steps; ++i) simulation.advance();
  return gather(world(), simulation.map(), simulation.state().x);
}

Real distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += squared_norm(a[i] - b[i]);
  return std::sqrt(sum / static_cast<Real>(a.size()));
}

// Differences of solutions at h and h/2 fall like h when the method is of first order; no reference is needed.
TEST(SwingingBeam, ConvergesWithFirstOrder) {
  const Real end = 0.5 * first_period();
  std::vector<std::vector<Vec3>> solutions;
  for (int steps = 64; steps <= 1024; steps *= 2) solutions.push_back(positions_at(end, steps));
  std::vector<Real> differences;
  for (std::size_t i = 0; i + 1 < solutions.size(); ++i)
    differences.push_back(distance(solutions[i], solutions[i + 1]));
  for (std::size_t i = 0; i + 1 < differences.size(); ++i)
    std::printf("h -> h/2: difference %.3e, order %.3f\n", differences[i],
                std::log2(differences[i] / differences[i + 1]));
  const Real order = std::log2(differences[differences.size() - 2] / differences.back());
  EXPECT_NEAR(order, 1, 0.1);
}

TEST(SwingingBeam, EnergyNeverRises) {
  Scene scene = swinging_beam({{60, 4, 4}});
  scene.time_step = first_period() / 20;
  scene.solver.accuracy = 1e-8;
  scene.solver.linear.tolerance = 1e-6;
  Simulation simulation(scene, world());
  ASSERT_GE(simulation.mesh().global_tetrahedra, 5000);
  deform(simulation, bent);
  StepRecord record = simulation.measure();
  const Real start = record.energy.kinetic + record.energy.elastic;
  Real before = start, largest_rise = 0;
  for (int i = 0; i < 40; ++i) {
    record = simulation.advance();
    const Real now = record.energy.kinetic + record.energy.elastic;
    EXPECT_EQ(record.energy_change, now - before);
    EXPECT_EQ(record.residual_speed, record.solves.back().newton_speed);
    largest_rise = std::max(largest_rise, now - before);
    before = now;
  }
  std::printf("energy: start %.6g J, end %.6g J, largest rise %.2e of the start\n", start, before,
              largest_rise / start);
  EXPECT_GT(start, 0);
  EXPECT_LE(largest_rise, 1e-6 * start);
  EXPECT_LT(before, start);
}

Scene free_body() {
  Scene scene = box_scene({{1, 0.4, 0.3}}, {{6, 3, 2}}, material(MaterialModel::neo_hookean, 1e5, 0.3));
  scene.time_step = 0.01;
  tighten(scene);
  return scene;
}

/// Velocities of a spin, a drift and a pulsation.
Vec3 tumbling(const Vec3& p) {
  return cross(Vec3{{1, 2, 3}}, p) + Vec3{{0.3, -0.2, 0.5}} + Vec3{{0.5 * p[0], -0.2 * p[1], 0.1 * p[2]}};
}

// Linear momentum is conserved. Angular momentum about the origin is not, by the method itself: with x' = x + h v' and
// m (v' - v) = h f(x'), internal forces have no torque about x', so  L' - L = h sum m v' x v  exactly. (For a spinning
// body that is a loss of order h a unit of time: implicit Euler damps rotation.) Both are checked to the solver's
// tolerance.
TEST(FreeBody, KeepsLinearMomentumAndBalancesAngularMomentum) {
  Simulation simulation(free_body(), world());
  std::vector<Vec3> v = simulation.state().x.to_host();
  for (Vec3& p : v) p = tumbling(p);
  set_owned(simulation.state().v, simulation.halo(), v);
  const std::vector<Real> mass = simulation.elastic().mass.to_host();
  const StepRecord start = simulation.measure();
  Real momentum_size = 0, angular_size = 0;
  for (int k = 0; k < 3; ++k) {
    momentum_size += std::abs(start.momentum[k]);
    angular_size += std::abs(start.angular_momentum[k]);
  }
  ASSERT_GT(momentum_size, 1);
  ASSERT_GT(angular_size, 1);
  StepRecord before = start;
  for (int step = 0; step < 50; ++step) {
    const std::vector<Vec3> old_velocity = simulation.state().v.to_host();
    const StepRecord now = simulation.advance();
    const std::vector<Vec3> velocity = simulation.state().v.to_host();
    Vec3 expected{{0, 0, 0}};
    for (std::size_t i = 0; i < mass.size(); ++i) expected += (0.01 * mass[i]) * cross(velocity[i], old_velocity[i]);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(now.momentum[k], start.momentum[k], 1e-9 * momentum_size);
      EXPECT_NEAR(now.angular_momentum[k] - before.angular_momentum[k], expected[k], 1e-9 * angular_size);
    }
    before = now;
  }
}

TEST(FreeBody, FallsAsPointMassesDo) {
  Scene scene = free_body();
  scene.gravity = {{0, -9.81, 0}};
  scene.bodies[0].velocity = {{1, 2, 0}};
  Simulation simulation(scene, world());
  const std::vector<Vec3> rest = simulation.state().x.to_host();
  const int steps = 20;
  int iterations = 0;
  for (int i = 0; i < steps; ++i) iterations += simulation.advance().outer_iterations;
  const std::vector<Vec3> x = simulation.state().x.to_host();
  const Real h = 0.01;
  // Implicit Euler: x_n = x_0 + n h v_0 + h^2 g n (n + 1) / 2.
  const Vec3 shift{{steps * h * 1, steps * h * 2 - 9.81 * h * h * steps * (steps + 1) / 2, 0}};
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[i][k], rest[i][k] + shift[k], 1e-11);
  EXPECT_LE(iterations, 2 * steps);
}

TEST(PrescribedMotion, RotatesAndReleases) {
  Scene scene = box_scene({{1, 0.2, 0.2}}, {{10, 2, 2}}, material(MaterialModel::neo_hookean, 1e5, 0.3));
  scene.time_step = 0.02;
  MotionSpec hold = clamp_below(-0.5);
  MotionSpec turn = hold;
  turn.name = "turn";
  turn.select.center = {{0.5, 0, 0}};
  turn.select.direction = {{-1, 0, 0}};
  turn.move.kind = MoveSpec::Kind::rotate;
  turn.move.axis = {{1, 0, 0}};
  turn.move.rate = 90;
  turn.to = 0.5;
  scene.motions = {hold, turn};
  Simulation simulation(scene, world());
  const std::vector<Vec3> rest = simulation.state().x.to_host();
  for (int i = 0; i < 25; ++i) simulation.advance();
  std::vector<Vec3> x = simulation.state().x.to_host();
  const Real angle = 45 * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  int turned = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::abs(rest[i][0] + 0.5) < 1e-9) {
      for (int k = 0; k < 3; ++k) EXPECT_EQ(x[i][k], rest[i][k]);
    }
    if (std::abs(rest[i][0] - 0.5) > 1e-9) continue;
    ++turned;
    EXPECT_NEAR(x[i][0], rest[i][0], 1e-12);
    EXPECT_NEAR(x[i][1], c * rest[i][1] - s * rest[i][2], 1e-12);
    EXPECT_NEAR(x[i][2], s * rest[i][1] + c * rest[i][2], 1e-12);
  }
  EXPECT_EQ(turned, 9);
  // Released, the end springs back towards rest.
  for (int i = 0; i < 5; ++i) simulation.advance();
  x = simulation.state().x.to_host();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::abs(rest[i][0] - 0.5) < 1e-9 && std::hypot(rest[i][1], rest[i][2]) > 0.05) {
      const Real now = std::atan2(x[i][2], x[i][1]) - std::atan2(rest[i][2], rest[i][1]);
      EXPECT_LT(std::cos(angle), std::cos(now));
    }
}

TEST(PrescribedMotion, MovesSomeAxesOnlyAndScales) {
  Scene scene = box_scene({{1, 0.2, 0.2}}, {{5, 2, 2}}, material(MaterialModel::stable_neo_hookean, 1e5, 0.3));
  MotionSpec squeeze;
  squeeze.name = "squeeze";
  squeeze.axes = {false, true, false};
  squeeze.move.kind = MoveSpec::Kind::scale;
  squeeze.move.rate = -0.5;
  scene.motions = {squeeze};
  scene.time_step = 0.1;
  Simulation simulation(scene, world());
  const std::vector<Vec3> rest = simulation.state().x.to_host();
  for (int i = 0; i < 4; ++i) simulation.advance();
  const std::vector<Vec3> x = simulation.state().x.to_host();
  Real widening = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i][1], 0.8 * rest[i][1], 1e-13);
    widening = std::max(widening, std::abs(x[i][0]) - std::abs(rest[i][0]));
  }
  EXPECT_GT(widening, 1e-3);
}

TEST(PrescribedMotion, RefusesTwoMotionsOfOneCoordinate) {
  Scene scene = swinging_beam({{4, 1, 1}});
  scene.motions.push_back(clamp_below(0));
  scene.motions.back().name = "second";
  EXPECT_THROW(Simulation(scene, world()), Error);
  scene.motions.back().axes = {false, false, false};
  EXPECT_NO_THROW(Simulation(scene, world()));
}

// What overflows is no solution: the step fails, and the state before it stays.
TEST(FreeBody, WhatOverflowsIsNotCalledConverged) {
  Scene scene = free_body();
  scene.gravity = {{0, -1e308, 0}};
  Simulation simulation(scene, world());
  try {
    simulation.advance();
    FAIL() << "converged to infinity";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::not_converged);
  }
  EXPECT_EQ(simulation.state().step, 0);
}

}  // namespace
}  // namespace unbarred::test
