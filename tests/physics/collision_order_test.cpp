// Two soft spheres meet head-on: order of convergence in the time step, against a solution with a far smaller one.
#include <gtest/gtest.h>

#include <numeric>

#include "support/collisions.hpp"
#include "support/gather.hpp"

namespace unbarred::test {
namespace {

struct Solution {
  std::vector<Vec3> x, v;
  std::vector<Vec3> center_velocity;  ///< of each sphere
  int iterations = 0;
};

/// After the collision, when the spheres are apart again.
Solution solution_at(Real end, Real time_step) {
  Scene scene = two_spheres(6, time_step);
  // Pairs keep between a hundredth of it and all of it, depending on when h lets them be found: small beside the
  // errors.
  scene.contact->offset = 1e-4;
  Simulation simulation(scene, world());
  const auto steps = static_cast<int>(std::lround(end / time_step));
  Solution solution;
  for (int i = 0; i < steps; ++i) solution.iterations += simulation.advance().outer_iterations;
  solution.x = gather(world(), simulation.map(), simulation.state().x);
  solution.v = gather(world(), simulation.map(), simulation.state().v);
  const std::vector<Vec3> momenta = body_momenta(simulation);
  const std::vector<Real> masses = simulation.elastic().mass.to_host();
  const Real mass = world().sum(std::accumulate(masses.begin(), masses.end(), Real(0))) / 2;
  for (const Vec3& p : momenta) solution.center_velocity.push_back((1 / mass) * p);
  return solution;
}

Real distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += squared_norm(a[i] - b[i]);
  return std::sqrt(sum / static_cast<Real>(a.size()));
}

struct Errors {
  std::vector<Real> position, velocity, center_velocity;
};

/// Mean order over the whole range of steps.
Real order(const std::vector<Real>& errors, const std::vector<Real>& steps) {
  return std::log(errors.front() / errors.back()) / std::log(steps.front() / steps.back());
}

// Vibrations of the elements with angular frequency w are damped by exp(-w^2 h t / 2): none of these h resolves them,
// whatever contact does, and as a part of the velocity they converge more slowly than the motion of the whole.
TEST(TwoSpheres, ConvergesWithFirstOrder) {
  const Real end = 0.144;
  const Solution reference = solution_at(end, 1e-4);
  const std::vector<Real> steps{4e-3, 2e-3, 1e-3, 5e-4};
  Errors errors;
  for (const Real h : steps) {
    const Solution solution = solution_at(end, h);
    errors.position.push_back(distance(solution.x, reference.x));
    errors.velocity.push_back(distance(solution.v, reference.v));
    errors.center_velocity.push_back(distance(solution.center_velocity, reference.center_velocity));
    std::printf(
        "h %.1e s: error of position %.3e m, of velocity %.3e m/s, of the centers' velocity %.3e m/s; %.2f "
        "iterations a step\n",
        h, errors.position.back(), errors.velocity.back(), errors.center_velocity.back(),
        solution.iterations / (end / h));
  }
  std::printf("orders %.2f, %.2f, %.2f\n", order(errors.position, steps), order(errors.velocity, steps),
              order(errors.center_velocity, steps));
  EXPECT_GE(order(errors.position, steps), 0.85);
  EXPECT_GE(order(errors.center_velocity, steps), 0.85);
  EXPECT_GE(order(errors.velocity, steps), 0.5);
}

}  // namespace
}  // namespace unbarred::test
