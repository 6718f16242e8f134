// Forces and matrices of whole meshes: patch test, rigid motion, differences of the energy, beam theory.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "linear/pcg.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

const MaterialModel all_models[] = {MaterialModel::stable_neo_hookean, MaterialModel::neo_hookean,
                                    MaterialModel::corotated};

/// One assembly at the simulation's state; h = 1 and predicted = x, so that downhill is the elastic force alone.
struct Assembled {
  explicit Assembled(Simulation& simulation)
      : predicted(simulation.map()), downhill(simulation.map()), window(simulation.plan().largest_tile) {
    predicted.assign(simulation.state().x);
    assemble(simulation.elastic(), simulation.plan(), 1, simulation.state().x.local(), predicted.local(), {}, window,
             simulation.matrix(), downhill.write_owned());
  }
  Field predicted, downhill;
  AssemblyWindow window;
};

Mat3 affine() { return {{{1.1, 0.2, -0.1}, {0.05, 0.9, 0.15}, {-0.2, 0.1, 1.05}}}; }

/// Interior vertices of the box moved about, so that the mesh has no symmetry left.
Vec3 shuffled(const Vec3& p, std::mt19937& random, const Vec3& size) {
  std::uniform_real_distribution<Real> shift(-0.03, 0.03);
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(p[k]) - size[k] / 2) < 1e-9) return p;
  return p + Vec3{{shift(random), shift(random), shift(random)}};
}

Simulation shuffled_box(MaterialModel model) {
  const Vec3 size{{1, 0.8, 0.6}};
  return Simulation(box_scene(size, {{5, 4, 3}}, material(model)), world());
}

Real largest_force(const Field& downhill, const std::vector<Vec3>& rest, const Vec3& size, bool interior_only) {
  const std::vector<Vec3> force = downhill.to_host();
  Real largest = 0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    bool boundary = false;
    for (int k = 0; k < 3; ++k) boundary |= std::abs(std::abs(rest[i][k]) - size[k] / 2) < 1e-9;
    if (!(interior_only && boundary)) largest = std::max(largest, std::sqrt(squared_norm(force[i])));
  }
  return largest;
}

class EachModel : public testing::TestWithParam<MaterialModel> {};

TEST_P(EachModel, AffineMapLeavesInteriorVerticesWithoutForce) {
  Simulation simulation = shuffled_box(GetParam());
  const std::vector<Vec3> rest = simulation.state().x.to_host();
  const Vec3 size{{1, 0.8, 0.6}};
  deform(simulation, [](const Vec3& p) { return affine() * p; });
  const Assembled assembled(simulation);
  const Real boundary = largest_force(assembled.downhill, rest, size, false);
  EXPECT_GT(boundary, 1);
  EXPECT_LT(largest_force(assembled.downhill, rest, size, true), 1e-12 * boundary);
}

// The same, solved for: interior vertices start off their place and Newton must find it.
TEST_P(EachModel, NewtonFindsTheAffineMap) {
  const Vec3 size{{1, 0.8, 0.6}};
  Scene scene = box_scene(size, {{5, 4, 3}}, material(GetParam()));
  scene.time_step = 1e4;  // inertia vanishes
  tighten(scene);
  // All three coordinates of the surface are held; inside a box that just misses it everything is free.
  Simulation simulation(scene, world());
  const std::vector<Vec3> rest = simulation.state().x.to_host();
  std::vector<Index> surface;
  for (Index i = 0; i < simulation.map().local(); ++i)
    for (int k = 0; k < 3; ++k)
      if (std::abs(std::abs(rest[i][k]) - size[k] / 2) < 1e-9) {
        surface.push_back(i);
        break;
      }
  MotionSpec hold;
  const std::vector<AxisMask> nowhere_always(static_cast<std::size_t>(simulation.map().local()), 0);
  const PrescribedMotion motion({hold}, {surface}, nowhere_always);
  std::mt19937 random(3);
  deform(simulation, [&](const Vec3& p) { return affine() * shuffled(p, random, size); });
  Pcg pcg(simulation.map(), {.tolerance = 1e-12, .maximum_iterations = 10000});
  SolverKeys keys;
  keys.minimum_iterations = 2;
  keys.accuracy = 1e-12;
  TimeStepper stepper(world(), simulation.map(), simulation.halo(), simulation.elastic(), simulation.plan(),
                      simulation.matrix(), motion, simulation.loads(), simulation.energy(), pcg,
                      {.time_step = scene.time_step, .keys = keys});
  stepper.advance(simulation.state());
  const std::vector<Vec3> x = simulation.state().x.to_host();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 expected = affine() * rest[i];
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[i][k], expected[k], 1e-9);
  }
}

TEST_P(EachModel, RigidMotionGivesNoForce) {
  Simulation simulation = shuffled_box(GetParam());
  const std::vector<Vec3> rest = simulation.state().x.to_host();
  const Real angle = 2;
  const Mat3 turn{{{std::cos(angle), -std::sin(angle), 0}, {std::sin(angle), std::cos(angle), 0}, {0, 0, 1}}};
  deform(simulation, [&](const Vec3& p) { return turn * p + Vec3{{3, -2, 1}}; });
  const Assembled assembled(simulation);
  // Young's modulus times a typical area is the scale of forces.
  EXPECT_LT(largest_force(assembled.downhill, rest, {{1, 0.8, 0.6}}, false), 1e-12 * 1e5 * 0.04);
}

// d/dt E(x + t p) against -downhill . p, and the change of downhill against the matrix, at a state where the elastic
// Hessian is positive definite and so not clamped.
TEST_P(EachModel, EnergyForceAndMatrixAgreeByDifferences) {
  Simulation simulation = shuffled_box(GetParam());
  std::mt19937 random(11);
  std::uniform_real_distribution<Real> shift(-1, 1);
  // Stretched: compression would make the exact Hessian indefinite.
  deform(simulation, [&](const Vec3& p) {
    return Vec3{
        {1.2 * p[0] + 0.002 * shift(random), 1.15 * p[1] + 0.002 * shift(random), 1.1 * p[2] + 0.002 * shift(random)}};
  });
  std::vector<Vec3> p(static_cast<std::size_t>(simulation.map().owned()));
  for (Vec3& v : p) v = {{shift(random), shift(random), shift(random)}};
  const std::vector<Vec3> x0 = simulation.state().x.to_host();
  const Real t = 1e-5;
  const auto move = [&](Real step) {
    std::vector<Vec3> x = x0;
    for (std::size_t i = 0; i < p.size(); ++i) x[i] += step * p[i];
    set_owned(simulation.state().x, simulation.halo(), x);
  };
  move(t);
  const Real above = elastic_energy(simulation.elastic(), simulation.state().x.local());
  const std::vector<Vec3> force_above = Assembled(simulation).downhill.to_host();
  move(-t);
  const Real below = elastic_energy(simulation.elastic(), simulation.state().x.local());
  const std::vector<Vec3> force_below = Assembled(simulation).downhill.to_host();
  move(0);
  const Assembled here(simulation);
  const std::vector<Vec3> force = here.downhill.to_host();
  Real slope = 0;
  for (std::size_t i = 0; i < p.size(); ++i) slope -= dot(force[i], p[i]);
  EXPECT_NEAR((above - below) / (2 * t), slope, 1e-6 * std::abs(slope));

  Field direction(simulation.map()), image(simulation.map());
  set_owned(direction, simulation.halo(), p);
  const DeviceArray<AxisMask> fixed = DeviceArray<AxisMask>::zeros(simulation.map().local());
  const LinearSystem system{world(), simulation.map(), simulation.halo(), simulation.matrix(), fixed};
  apply(system, direction, image);
  const std::vector<Vec3> product = image.to_host();
  const std::vector<Real> mass = simulation.elastic().mass.to_host();
  Real error = 0, size = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    // predicted moves with x in Assembled, so the difference of forces holds no inertia; the matrix does.
    const Vec3 difference = (1 / (2 * t)) * (force_below[i] - force_above[i]) + mass[i] * p[i];
    error = std::max(error, std::sqrt(squared_norm(difference - product[i])));
    size = std::max(size, std::sqrt(squared_norm(product[i])));
  }
  EXPECT_LT(error, 1e-6 * size);
}

std::string model_name(const testing::TestParamInfo<MaterialModel>& info) {
  const char* names[] = {"stable_neo_hookean", "neo_hookean", "corotated"};
  return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Materials, EachModel, testing::ValuesIn(all_models), model_name);

// Tip deflection under its own weight: rho g A L^4 / (8 E I) (1 + shear). nu = 0 and a mesh fine enough that the
// stiffness of linear tetrahedra in bending costs less than the tolerance.
Real cantilever_error(int across) {
  const Real length = 1, height = 0.125, young = 1e7, density = 1000, g = 0.1;
  Scene scene = box_scene({{length, height, height}}, {{Real(8 * across), Real(across), Real(across)}},
                          material(MaterialModel::stable_neo_hookean, young, 0.0, density));
  scene.gravity = {{0, -g, 0}};
  scene.time_step = 1e3;  // far beyond every period: one step is the static solution
  MotionSpec clamp = clamp_below(-length / 2);
  scene.motions = {clamp};
  scene.solver.linear.tolerance = 1e-8;
  scene.solver.accuracy = 1e-8;
  Simulation simulation(scene, world());
  const std::vector<Vec3> rest = simulation.state().x.to_host();
  simulation.advance();
  const std::vector<Vec3> x = simulation.state().x.to_host();
  Real tip = 0;
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::abs(rest[i][0] - length / 2) < 1e-9) {
      tip += x[i][1] - rest[i][1];
      ++count;
    }
  tip /= count;
  const Real area = height * height, inertia = height * height * height * height / 12;
  const Real bending = density * g * area * length * length * length * length / (8 * young * inertia);
  const Real shear = density * g * area * length * length / (2 * (young / 2) * area * 5 / 6);
  const Real expected = -(bending + shear);
  return tip / expected - 1;
}

TEST(Cantilever, FollowsBeamTheory) {
  const Real coarse = cantilever_error(4), fine = cantilever_error(8);
  RecordProperty("relative_error_4_across", std::to_string(coarse));
  RecordProperty("relative_error_8_across", std::to_string(fine));
  std::printf("cantilever, 4 and 8 cells across: relative error of the tip %.4f, %.4f\n", coarse, fine);
  EXPECT_LT(std::abs(fine), 0.06);
  // Second order in the mesh width: a quarter, within the reach of these meshes.
  EXPECT_LT(std::abs(fine), 0.4 * std::abs(coarse));
}

}  // namespace
}  // namespace unbarred::test
