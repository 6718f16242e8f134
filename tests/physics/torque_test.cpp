// Stiff boxes that tumble onto each other and the floor: forces of contact, as they are written, turn each of them as
// it turns, however loose the accuracy of a step is. They are off by 12 % without a test of torques at the end of
// steps.
#include <gtest/gtest.h>

#include <cstdio>

#include "app/simulation.hpp"
#include "dynamics/output/contact_output.hpp"
#include "support/impact_scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

Scene tumbling() {
  Scene scene = box_scene({{0.3, 0.2, 0.1}}, {{3, 2, 1}}, material(MaterialModel::stable_neo_hookean, 1e10, 0.3));
  BodySpec& box = scene.bodies[0];
  box.place.axis = {{1, 2, 3}};
  box.place.degrees = 35;
  box.place.translate = {{-0.2, 0.18, -0.2}};
  box.velocity = {{0.6, -3, 0}};
  box.repeat.count = {2, 2, 2};
  box.repeat.spacing = {{0.35, 0.32, 0.35}};
  box.repeat.jitter = 0.01;
  box.repeat.seed = 5;
  add_floor(scene);
  scene.contact.emplace();
  scene.contact->offset = 1e-3;
  scene.contact->friction = 0.3;
  scene.solver.accuracy = 0.3;
  return scene;
}

struct Turning {
  Vec3 center{{0, 0, 0}}, force{{0, 0, 0}}, torque{{0, 0, 0}}, given{{0, 0, 0}};
  Real mass = 0, lever = 0, size = 0;
};

TEST(Torque, ThatContactIsWrittenToHaveTurnsTheBodies) {
  Simulation simulation(tumbling(), world());
  ContactOutput output(*simulation.contact(), simulation.map(), simulation.halo(), world(),
                       simulation.scene().time_step);
  const std::vector<Real> mass = simulation.elastic().mass.to_host();
  const Real h = simulation.scene().time_step;
  Real worst = 0;
  int turned = 0;
  for (int step = 0; step < 40; ++step) {
    const std::vector<Vec3> before = simulation.state().v.to_host();
    ASSERT_TRUE(simulation.advance().converged) << "step " << step;
    const std::vector<Vec3> x = simulation.state().x.to_host(), v = simulation.state().v.to_host();
    const VertexContact contact = output.at_vertices();
    std::vector<Turning> bodies(8);
    const auto of = [&](std::size_t i) -> Turning* {
      const auto body = static_cast<std::size_t>(simulation.mesh().vertex_body[i]);
      return body < bodies.size() ? &bodies[body] : nullptr;
    };
    for (std::size_t i = 0; i < mass.size(); ++i)
      if (Turning* body = of(i)) {
        body->mass += mass[i];
        body->center += mass[i] * x[i];
      }
    for (Turning& body : bodies) body.center = (1 / body.mass) * body.center;
    for (std::size_t i = 0; i < mass.size(); ++i)
      if (Turning* body = of(i)) {
        const Vec3 lever = x[i] - body->center, given = contact.normal[i] + contact.friction[i];
        const Vec3 needed = (mass[i] / h) * (v[i] - before[i]) - mass[i] * simulation.scene().gravity;
        body->force += needed;
        body->torque += cross(lever, needed);
        body->given += cross(lever, given);
        if (squared_norm(given) > 0) body->lever = std::max(body->lever, std::sqrt(squared_norm(lever)));
        body->size += std::sqrt(squared_norm(given));
      }
    for (const Turning& body : bodies) {
      if (!(body.size > 0)) continue;
      ++turned;
      const Real needed = std::max(std::sqrt(squared_norm(body.force)), earth * body.mass);
      worst = std::max(worst, std::sqrt(squared_norm(body.torque - body.given)) / (body.lever * needed));
    }
  }
  std::printf("torques are off by %.1e of force times lever at most, %d times a body is touched\n", worst, turned);
  EXPECT_GT(turned, 100);
  EXPECT_LE(worst, 0.025);
}

}  // namespace
}  // namespace unbarred::test
