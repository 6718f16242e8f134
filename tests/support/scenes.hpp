#pragma once
// Small scenes in code, for tests that need no scene file.
#include <functional>

#include "app/simulation.hpp"
#include "scene/scene.hpp"

namespace unbarred::test {

inline MaterialSpec material(MaterialModel model, Real young = 1e5, Real poisson = 0.3, Real density = 1000) {
  return {"rubber", model, density, young, poisson};
}

/// A box of size x cells, centred at the origin, free, without gravity.
inline Scene box_scene(const Vec3& size, const Vec3& cells, const MaterialSpec& spec) {
  Scene scene;
  scene.name = "box";
  scene.time_step = 0.01;
  scene.end_time = 1;
  scene.materials = {spec};
  BodySpec body;
  body.name = "box";
  body.mesh.generator = "box";
  body.mesh.parameters = {{"size", {size[0], size[1], size[2]}}, {"cells", {cells[0], cells[1], cells[2]}}};
  scene.bodies = {body};
  scene.output.every = 0;
  return scene;
}

/// Vertices with x at or below `x` hold their place.
inline MotionSpec clamp_below(Real x) {
  MotionSpec motion;
  motion.name = "clamp";
  motion.select.shape = Selection::Shape::plane;
  motion.select.center = {{x, 0, 0}};
  motion.select.direction = {{1, 0, 0}};
  return motion;
}

/// Tight enough that runs on different rank counts agree to 1e-10.
inline void tighten(Scene& scene) {
  scene.solver.accuracy = scene.contact ? 1e-5 : 1e-7;
  scene.solver.linear.tolerance = 1e-12;
}

inline void set_owned(Field& field, Halo& halo, const std::vector<Vec3>& owned) {
  field.set_owned_from_host(owned);
  field.forward(halo);
}

/// x = f(x) at every owned vertex, ghosts follow. @note Collective
inline void deform(Simulation& simulation, const std::function<Vec3(const Vec3&)>& f) {
  std::vector<Vec3> x = simulation.state().x.to_host();
  for (Vec3& p : x) p = f(p);
  set_owned(simulation.state().x, simulation.halo(), x);
}

}  // namespace unbarred::test
