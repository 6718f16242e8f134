// Exact and projected second derivatives in one matrix, and steps in which the exact ones are not definite.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "linear/linear_kernels.hpp"
#include "support/pressed_bar.hpp"
#include "support/random_matrices.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

/// A box far from rest, and the matrix of any choice of projected tetrahedra times one vector p.
struct Products {
  explicit Products(MaterialModel model)
      : simulation(box_scene({{1, 0.8, 0.6}}, {{5, 4, 3}}, material(model)), world()),
        predicted(simulation.map()),
        downhill(simulation.map()),
        p(simulation.map()),
        window(simulation.plan().largest_tile),
        fixed(DeviceArray<AxisMask>::zeros(simulation.map().local())) {
    RandomMatrices random(5);
    const Mat3 turn = random.rotation(), squeeze = diagonal(0.55, 0.8, 1.1);
    deform(simulation, [&](const Vec3& x) { return turn * (squeeze * x + 0.006 * random.vector()); });
    std::vector<Vec3> directions(static_cast<std::size_t>(simulation.map().owned()));
    for (Vec3& d : directions) d = random.vector();
    set_owned(p, simulation.halo(), directions);
  }

  std::size_t tetrahedra() const { return static_cast<std::size_t>(simulation.elastic().tetrahedron_count()); }

  /// h = 1, predicted = x: downhill is the elastic force alone.
  void assemble_with(const std::vector<std::uint8_t>& projected) {
    predicted.assign(simulation.state().x);
    const DeviceArray<std::uint8_t> flags(projected);
    assemble(simulation.elastic(), simulation.plan(), 1, simulation.state().x.local(), predicted.local(), flags.view(),
             window, simulation.matrix(), downhill.write_owned());
  }

  std::vector<Vec3> product(const std::vector<std::uint8_t>& projected) {
    assemble_with(projected);
    DeviceArray<Vec3> image(simulation.map().owned());
    multiply_and_dot(simulation.matrix(), fixed.view(), 0, simulation.map().owned(), p.local(), image.view());
    return image.to_host();
  }

  /// Force at x + t p.
  std::vector<Vec3> force(const std::vector<Vec3>& x, Real t) {
    const std::vector<Vec3> along = p.to_host();
    std::vector<Vec3> moved = x;
    for (std::size_t i = 0; i < x.size(); ++i) moved[i] += t * along[i];
    set_owned(simulation.state().x, simulation.halo(), moved);
    assemble_with(std::vector<std::uint8_t>(tetrahedra(), 0));
    return downhill.to_host();
  }

  Simulation simulation;
  Field predicted, downhill, p;
  AssemblyWindow window;
  DeviceArray<AxisMask> fixed;
};

Real largest(const std::vector<Vec3>& a) {
  Real size = 0;
  for (const Vec3& v : a) size = std::max(size, std::sqrt(squared_norm(v)));
  return size;
}

std::vector<Vec3> difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  std::vector<Vec3> result = a;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

class HessianChoices : public testing::TestWithParam<MaterialModel> {};

TEST_P(HessianChoices, ExactMatrixIsTheDerivativeOfTheForce) {
  Products products(GetParam());
  const std::vector<Vec3> x = products.simulation.state().x.to_host(), along = products.p.to_host();
  ASSERT_TRUE(std::isfinite(elastic_energy(products.simulation.elastic(), products.simulation.state().x.local())));
  std::vector<Vec3> expected = products.product(std::vector<std::uint8_t>(products.tetrahedra(), 0));
  const std::vector<Real> mass = products.simulation.elastic().mass.to_host();
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = expected[i] - mass[i] * along[i];
  const Real t = 1e-6;
  std::vector<Vec3> slope = difference(products.force(x, -t), products.force(x, t));
  for (Vec3& s : slope) s = (1 / (2 * t)) * s;
  EXPECT_LT(largest(difference(slope, expected)), 1e-6 * largest(expected));
}

// The matrix is a sum over tetrahedra: one choice and its opposite add up to all exact and all projected.
TEST_P(HessianChoices, EveryTetrahedronIsProjectedByItsOwnFlag) {
  Products products(GetParam());
  std::mt19937 random(3);
  std::vector<std::uint8_t> none(products.tetrahedra(), 0), all(products.tetrahedra(), 1), some, others;
  for (std::size_t e = 0; e < products.tetrahedra(); ++e) {
    some.push_back(random() % 3 == 0 ? 1 : 0);
    others.push_back(some.back() == 0 ? 1 : 0);
  }
  const std::vector<Vec3> exact = products.product(none), projected = products.product(all);
  const std::vector<Vec3> one = products.product(some), opposite = products.product(others);
  const Real size = largest(projected);
  EXPECT_GT(largest(difference(exact, projected)), 1e-2 * size);
  EXPECT_GT(largest(difference(one, projected)), 1e-2 * size);
  EXPECT_LT(largest(difference(difference(one, exact), difference(projected, opposite))), 1e-12 * size);
}

TEST_P(HessianChoices, NoFlagsMeanProjected) {
  Products products(GetParam());
  const std::vector<Vec3> all = products.product(std::vector<std::uint8_t>(products.tetrahedra(), 1));
  EXPECT_EQ(largest(difference(products.product({}), all)), 0);
}

struct Pressed {
  int iterations = 0, failures = 0, cg_iterations = 0;
};

Pressed press(Scene scene, SolverKeys::Hessian hessian) {
  scene.solver.hessian = hessian;
  Simulation simulation(scene, world());
  Pressed result;
  for (int i = 0; i < 12; ++i) {
    const StepRecord record = simulation.advance();
    result.iterations += record.outer_iterations;
    EXPECT_TRUE(record.solves.empty() || record.solves.back().reason == "converged");
    for (const LinearSolveRecord& solve : record.solves) {
      result.cg_iterations += solve.iterations;
      if (solve.reason == "converged") continue;
      EXPECT_EQ(solve.reason, "indefinite");
      EXPECT_EQ(solve.newton_speed, 0);
      ++result.failures;
    }
  }
  return result;
}

// Not definite again and again, and still every step ends, in a third of the iterations.
TEST_P(HessianChoices, APressedBarNeedsFewerIterations) {
  Scene scene = pressed_bar(GetParam());
  scene.solver.accuracy = 1e-5;
  const Pressed exact = press(scene, SolverKeys::Hessian::exact),
                projected = press(scene, SolverKeys::Hessian::projected);
  std::printf("iterations %d exact, %d projected; CG %d, %d; failed solves %d\n", exact.iterations,
              projected.iterations, exact.cg_iterations, projected.cg_iterations, exact.failures);
  EXPECT_GT(exact.failures, 2);
  EXPECT_EQ(projected.failures, 0);
  EXPECT_LT(2 * exact.iterations, projected.iterations);
}

// Multigrid of an indefinite matrix fails in its own ways; all are answered alike.
TEST_P(HessianChoices, PetscIsAnsweredAlike) {
  Scene scene = pressed_bar(GetParam());
  const Pressed ours = press(scene, SolverKeys::Hessian::exact);
  scene.solver.linear.method = LinearSpec::Method::ksp;
  for (const char* options : {"", "-pc_type jacobi"}) {
    scene.solver.linear.options = options;
    const Pressed petsc = press(scene, SolverKeys::Hessian::exact);
    EXPECT_GT(petsc.failures, 2) << options;
    EXPECT_LT(petsc.iterations, 1.5 * ours.iterations) << options;
  }
}

std::string model_name(const testing::TestParamInfo<MaterialModel>& info) {
  return info.param == MaterialModel::neo_hookean ? "neo_hookean" : "corotated";
}
INSTANTIATE_TEST_SUITE_P(Materials, HessianChoices,
                         testing::Values(MaterialModel::neo_hookean, MaterialModel::corotated), model_name);

}  // namespace
}  // namespace unbarred::test
