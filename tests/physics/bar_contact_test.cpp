// An elastic bar that meets a rigid ground (the barrier-free paper, section 6.1): thrown at it without gravity, or
// falling on it. Positions and velocities converge with the first order to those of the semi-discrete bar.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/bar_chain.hpp"
#include "support/bar_reference.hpp"
#include "support/scenes.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

struct BarProblem {
  const char* name;
  Real lift, velocity, gravity, end;
  Real young = 900, density = 1;  // waves of 30 m/s
  Real offset = 1e-5;             // as small as the errors to be seen ask for, m
  BarChain chain{.cells = 4, .length = 10};
};
constexpr Real longest_step = 1.25e-3;
constexpr int halvings = 3;

BarModel one_dimensional(const BarProblem& problem) {
  const BarChain& chain = problem.chain;
  BarModel bar;
  for (int layer = 0; layer <= chain.cells; ++layer) bar.height.push_back(layer * chain.cell_length());
  bar.mass = chain.layer_masses(problem.density);
  const Corotated material = Corotated::from(problem.young, 0);
  const Real area = chain.cell_volume() / chain.cell_length();
  bar.pull = [=](Real stretch) { return area * material.principal(Vec3{{stretch, 1, 1}}).stress[0]; };
  bar.gravity = problem.gravity;
  bar.ground = problem.offset;
  bar.lift = problem.lift;
  bar.velocity = problem.velocity;
  return bar;
}

/// Layers at the ends of all steps of the shortest h, the start included.
struct Trajectory {
  std::vector<std::vector<Real>> x, v;
};

Trajectory reference_of(const BarProblem& problem) {
  const BarModel bar = one_dimensional(problem);
  BarReference reference(bar);
  const Real h = longest_step / (1 << halvings);
  Trajectory found;
  for (int i = 0; i <= std::lround(problem.end / h); ++i) {
    if (i > 0) reference.advance(h, 64);
    found.x.push_back(reference.x());
    found.v.push_back(reference.v());
  }
  return found;
}

Scene scene_of(const BarProblem& problem, const std::filesystem::path& mesh, Real time_step) {
  Scene scene;
  scene.solver.accuracy = 1e-3;  // the order of the integrator, not of what Newton leaves
  scene.name = "bar";
  scene.time_step = time_step;
  scene.end_time = problem.end;
  scene.gravity = {{0, problem.gravity, 0}};
  scene.materials = {material(MaterialModel::corotated, problem.young, 0, problem.density)};
  BodySpec body;
  body.name = "bar";
  body.mesh.file = mesh;
  // Well inside one triangle of the ground.
  body.place.translate = {{4, problem.lift, 1}};
  body.velocity = {{0, problem.velocity, 0}};
  scene.bodies = {body};
  ObstacleSpec ground;
  ground.name = "ground";
  ground.mesh.generator = "plane";
  ground.mesh.parameters = {{"size", {20, 20}}, {"cells", {1, 1}}};
  scene.obstacles = {ground};
  MotionSpec guide;
  guide.name = "guide";
  guide.axes = {true, false, true};
  scene.motions = {guide};
  scene.contact.emplace();
  scene.contact->offset = problem.offset;
  scene.output.every = 0;
  return scene;
}

struct LayerVertex {
  Index vertex;
  std::size_t layer;
  Real mass;
};

/// The bar's vertices at the start of the run.
std::vector<LayerVertex> layer_vertices(const Simulation& simulation, const BarProblem& problem) {
  const std::vector<Vec3> x = simulation.state().x.to_host();
  const std::vector<Real> mass = simulation.elastic().mass.to_host();
  std::vector<LayerVertex> vertices;
  for (Index i = 0; i < simulation.map().owned(); ++i) {
    if (mass[i] == 0) continue;  // of the ground
    const Real height = x[i][1] + simulation.scene().origin[1] - problem.lift;
    vertices.push_back({i, static_cast<std::size_t>(std::lround(height / problem.chain.cell_length())), mass[i]});
  }
  return vertices;
}

struct Errors {
  Real position = 0, velocity = 0;  ///< root of the mass-weighted mean square, mean over time
};

Errors errors_of(const BarProblem& problem, const std::filesystem::path& mesh, const Trajectory& exact, int halving) {
  const Real h = longest_step / (1 << halving);
  Simulation simulation(scene_of(problem, mesh, h), world());
  const std::vector<LayerVertex> vertices = layer_vertices(simulation, problem);
  const Real origin = simulation.scene().origin[1];
  const auto steps = static_cast<std::size_t>(std::lround(problem.end / h));
  Errors errors;
  int iterations = 0;
  for (std::size_t step = 1; step <= steps; ++step) {
    iterations += simulation.advance().outer_iterations;
    const std::vector<Vec3> x = simulation.state().x.to_host(), v = simulation.state().v.to_host();
    const std::size_t sample = step << (halvings - halving);
    Real total = 0, x_square = 0, v_square = 0;
    for (const auto& [vertex, layer, mass] : vertices) {
      total += mass;
      x_square += mass * std::pow(x[vertex][1] + origin - exact.x[sample][layer], 2);
      v_square += mass * std::pow(v[vertex][1] - exact.v[sample][layer], 2);
    }
    errors.position += std::sqrt(x_square / total) / static_cast<Real>(steps);
    errors.velocity += std::sqrt(v_square / total) / static_cast<Real>(steps);
  }
  std::printf("%s, h = %.4g s: %.2f iterations a step, mean error %.3e m, %.3e m/s\n", problem.name, h,
              static_cast<Real>(iterations) / static_cast<Real>(steps), errors.position, errors.velocity);
  return errors;
}

void expect_first_order(const BarProblem& problem) {
  const TemporaryFolder folder(world());
  const std::filesystem::path mesh = folder.path() / "bar.msh";
  std::ofstream(mesh) << problem.chain.msh();
  const Trajectory exact = reference_of(problem);
  Errors coarse = errors_of(problem, mesh, exact, 0);
  for (int halving = 1; halving <= halvings; ++halving) {
    const Errors fine = errors_of(problem, mesh, exact, halving);
    const Real position = std::log2(coarse.position / fine.position);
    const Real velocity = std::log2(coarse.velocity / fine.velocity);
    std::printf("%s: order of position %.3f, of velocity %.3f\n", problem.name, position, velocity);
    EXPECT_GE(position, 0.85) << problem.name;
    EXPECT_GE(velocity, 0.85) << problem.name;
    coarse = fine;
  }
}

TEST(BarOnGround, ThrownWithoutGravityConvergesWithFirstOrder) {
  expect_first_order({.name = "thrown", .lift = 0.5, .velocity = -10, .gravity = 0, .end = 1.2});
}

TEST(BarOnGround, FallingConvergesWithFirstOrder) {
  expect_first_order({.name = "falling", .lift = 2, .velocity = 0, .gravity = -10, .end = 2});
}

// The reference against the continuous bar: a wave runs up and down it, L/c each way, then it leaves with its speed.
TEST(BarOnGround, ReferenceStaysInContactForTwoTraversals) {
  BarModel bar;
  const int cells = 400;
  for (int layer = 0; layer <= cells; ++layer) {
    bar.height.push_back(layer * 10.0 / cells);
    bar.mass.push_back((layer % cells == 0 ? 0.5 : 1) * 10.0 / cells);
  }
  bar.pull = [](Real stretch) { return 900 * (stretch - 1); };
  bar.velocity = -10;
  bar.lift = 0.05;
  BarReference reference(bar);
  const Real dt = 1e-5;
  Real first = 0, last = 0;
  for (int i = 1; i <= 80000; ++i) {
    reference.advance(dt, 1);
    if (!reference.touches()) continue;
    last = i * dt;
    if (first == 0) first = last;
  }
  EXPECT_NEAR(first, 0.005, 2 * dt);
  EXPECT_NEAR(last - first, 2 * 10.0 / 30, 0.02);
  EXPECT_NEAR(reference.impulse(), 2 * 10 * 10, 2);
  Real momentum = 0;
  for (std::size_t i = 0; i < bar.mass.size(); ++i) momentum += bar.mass[i] * reference.v()[i];
  EXPECT_NEAR(momentum, reference.impulse() - 10 * 10, 1e-6);
}

}  // namespace
}  // namespace unbarred::test
