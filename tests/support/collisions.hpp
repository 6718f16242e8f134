#pragma once
// Free soft bodies that collide, without gravity.
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {

inline BodySpec ball(const std::string& name, Real radius, int cells, const Vec3& at, const Vec3& velocity) {
  BodySpec body;
  body.name = name;
  body.mesh.generator = "ball";
  body.mesh.parameters = {{"radius", {radius}}, {"cells", {static_cast<Real>(cells)}}};
  body.place.translate = at;
  body.velocity = velocity;
  return body;
}

inline void turn(BodySpec& body, const Vec3& axis, Real degrees) {
  body.place.axis = axis;
  body.place.degrees = degrees;
}

/// Two balls of radius 0.1 m, 0.01 m apart, meet head-on at 1 m/s each. They are turned, so that no vertex hits a
/// vertex: from there the contact would slide off to any side.
inline Scene two_spheres(int cells, Real time_step) {
  Scene scene;
  scene.name = "two_spheres";
  scene.time_step = time_step;
  scene.end_time = 1;
  scene.materials = {material(MaterialModel::stable_neo_hookean, 5e4)};
  scene.bodies = {ball("left", 0.1, cells, {{-0.105, 0, 0}}, {{1, 0, 0}}),
                  ball("right", 0.1, cells, {{0.105, 0, 0}}, {{-1, 0, 0}})};
  turn(scene.bodies[0], {{3, -1, 2}}, 70);
  turn(scene.bodies[1], {{1, 2, 3}}, 40);
  scene.contact = ContactSpec{};
  scene.contact->offset = 1e-3;
  scene.output.every = 0;
  scene.resolved_yaml = "none";
  return scene;
}

/// A ball hits a resting box off-center and drags it along by friction.
inline Scene frictional_collision(int cells, Real time_step, Real friction = 0.1) {
  Scene scene = two_spheres(cells, time_step);
  scene.name = "frictional_collision";
  scene.materials[0].young = 1e6;
  scene.bodies[0] = ball("moving", 0.2, cells, {{-0.42, 0.12, 0.03}}, {{2, 0, 0}});
  const Real n = cells;
  BodySpec box;
  box.name = "resting";
  box.mesh.generator = "box";
  box.mesh.parameters = {{"size", {0.36, 0.36, 0.36}}, {"cells", {n, n, n}}};
  scene.bodies[1] = box;
  scene.contact->friction = friction;
  if (friction > 0) scene.solver.minimum_iterations = 6;
  return scene;
}

inline void use_global_filter(Scene& scene) { scene.solver.step_filter = StepFilterKind::global; }

inline Real total_energy(const StepRecord& record) { return record.energy.kinetic + record.energy.elastic; }

/// Momenta of the bodies, kg m/s. @note Collective
inline std::vector<Vec3> body_momenta(const Simulation& simulation) {
  const std::vector<Vec3> v = simulation.state().v.to_host();
  const std::vector<Real> mass = simulation.elastic().mass.to_host();
  std::vector<Real> sums(3 * simulation.scene().bodies.size(), 0);
  for (std::size_t i = 0; i < mass.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const auto body = static_cast<std::size_t>(simulation.mesh().vertex_body[i]);
      sums[3 * body + static_cast<std::size_t>(k)] += mass[i] * v[i][k];
    }
  world().sum(std::span<Real>(sums));
  std::vector<Vec3> momenta;
  for (std::size_t b = 0; 3 * b < sums.size(); ++b)
    momenta.push_back({{sums[3 * b], sums[3 * b + 1], sums[3 * b + 2]}});
  return momenta;
}

}  // namespace unbarred::test
