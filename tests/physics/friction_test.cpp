// Coulomb's law on an inclined plane and in an arch (paper, section 6.1, Figs. 11 and 12).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "io/scene_reader.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

/// Mean velocity of the vertices of every body of the mesh, m/s.
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

void slide(const char* file, const std::vector<std::string>& overrides) {
  Scene scene = read_scene(std::string(UNBARRED_SOURCE_DIR "/scenes/") + file, overrides);
  Simulation simulation(scene, world());
  const std::size_t bodies = scene.bodies.size();
  const Vec3 down{{2 / std::sqrt(5.0), -1 / std::sqrt(5.0), 0}};
  std::vector<std::vector<Real>> v;
  for (int i = 0; i < 80; ++i) {
    const StepRecord r = simulation.advance();
    v.emplace_back();
    for (const Vec3& velocity : body_velocities(simulation, bodies)) v.back().push_back(dot(velocity, down));
    std::printf("series %d", i + 1);
    for (std::size_t b = 0; b < bodies; ++b) std::printf(" %.5f", v.back()[b]);
    std::printf(" it %d pairs %ld/%ld new %ld\n", r.outer_iterations, (long)r.pairs, (long)r.pairs_active,
                (long)r.pairs_new);
    if (std::getenv("D") && i == std::atoi(std::getenv("D"))) {
      const auto pairs = simulation.contact()->active().to_host();
      for (std::size_t q = 0; q < pairs.size(); ++q) {
        const auto& p = pairs[q];
        const auto& h = simulation.contact()->active().holders()[q];
        const int b = std::min(h.body[0], h.body[1]);
        if (b != 3) continue;
        const Vec3 up{{1 / std::sqrt(5.0), 2 / std::sqrt(5.0), 0}};
        const auto& n = p.link.normal;
        std::printf(
            "body %d kind %d act %d lam %.3g fl %.3g dec %.2g d %.4g n.up %.5f n.down %.5f nz %.5f w %.3g %.3g %.3g "
            "%.3g\n",
            b, (int)p.pair.kind, p.active, p.multiplier, p.friction_multiplier, p.decay, p.link.distance, dot(n, up),
            dot(n, down), n[2], p.link.weight[0], p.link.weight[1], p.link.weight[2], p.link.weight[3]);
      }
    }
    if (i % 20 == 19)
      std::printf("step %d outer %d pairs %ld/%ld gap %g\n", i + 1, r.outer_iterations, (long)r.pairs,
                  (long)r.pairs_active, r.gap_min.value_or(-1));
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    const Real mu = 0.45 + 0.01 * b, exact = 9.81 * (1 - 2 * mu) / std::sqrt(5.0);
    const Real a = (v[79][b] - v[39][b]) / (40 * scene.time_step);
    std::printf("mu %.2f a %.5f exact %.5f  v(.2) %.5g v(.4) %.5g v(.8) %.5g exact v(.8) %.5g\n", mu, a, exact,
                v[19][b], v[39][b], v[79][b], exact * .8);
  }
}

TEST(Friction, SlopeMeasure) {
  std::vector<std::string> o;
  std::string all = std::getenv("O") ? std::getenv("O") : "";
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(' ', at), all.size());
    o.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  slide(std::getenv("F"), o);
}

}  // namespace
}  // namespace unbarred::test
