#pragma once
// A scene with every kind of load and motion, and the same scene in other units.
#include "scene/local_origin.hpp"
#include "support/scenes.hpp"

namespace unbarred::test {

inline Selection box_selection(const Vec3& lower, const Vec3& upper) {
  Selection select;
  select.shape = Selection::Shape::box;
  select.lower = lower;
  select.upper = upper;
  return select;
}

/// Two soft boxes of two materials, one clamped and turned, one free; 1 m, some tenths of a second.
inline Scene loaded_scene() {
  Scene scene = box_scene({{1, 0.4, 0.3}}, {{8, 3, 2}}, material(MaterialModel::stable_neo_hookean, 2e5, 0.3));
  scene.time_step = 0.01;
  scene.gravity = {{0.5, -9.81, 0.25}};
  scene.materials.push_back(material(MaterialModel::neo_hookean, 1e5, 0.4, 600));
  scene.bodies[0].body_force = {{0, 2000, -300}};
  scene.bodies[0].place.translate = {{0.1, 0.2, 0.3}};
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "free";
  scene.bodies[1].material = 1;
  scene.bodies[1].place.translate = {{0.3, 1.7, 0.1}};
  scene.bodies[1].velocity = {{0.1, 0.5, -0.2}};
  MotionSpec turn = clamp_below(-0.4);
  turn.name = "turn";
  turn.move.kind = MoveSpec::Kind::rotate;
  turn.move.axis = {{1, 0.2, 0}};
  turn.move.center = {{0.1, 0.2, 0.3}};
  turn.move.rate = 90;
  scene.motions = {turn};
  PressureSpec inside, patch;
  inside.name = "inside";
  inside.body = 1;
  inside.pressure = -4000;
  patch.name = "patch";
  patch.select = box_selection({{0.3, 0.39, 0}}, {{0.7, 0.41, 1}});
  patch.pressure = 3000;
  scene.pressures = {inside, patch};
  SpringSpec own, tether;
  own.name = "own";
  own.stiffness = 500;
  tether.name = "tether";
  tether.body = 1;
  tether.select = box_selection({{0.7, 1.4, -0.1}}, {{0.9, 2, 0.4}});
  tether.stiffness = 300;
  tether.point = Vec3{{1.5, 2.5, 0.3}};
  scene.springs = {own, tether};
  return scene;
}

/// What a unit of length, mass and time is, in the units of the scene that is converted.
struct Units {
  Real length = 1, mass = 1, time = 1;
};

/// Numbers of `scene` times the powers of `units` that their dimensions ask for: the same motion in other units, or the
/// dynamically similar one at another size.
inline Scene in_units(Scene scene, const Units& units) {
  const Real L = units.length, M = units.mass, T = units.time;
  const auto scale = [](Vec3& x, Real factor) { x = factor * x; };
  scene.time_step *= T;
  scale(scene.gravity, L / (T * T));
  for (MaterialSpec& spec : scene.materials) {
    spec.density *= M / (L * L * L);
    spec.young *= M / (L * T * T);
  }
  const auto convert = [&](Selection& select) {
    for (Vec3* x : {&select.center, &select.lower, &select.upper}) scale(*x, L);
    select.radius *= L;
  };
  for (BodySpec& body : scene.bodies) {
    for (Real& size : body.mesh.parameters.at("size")) size *= L;
    scale(body.place.translate, L);
    scale(body.velocity, L / T);
    scale(body.body_force, M / (L * L * T * T));
    scale(body.repeat.spacing, L);
    body.repeat.jitter *= L;
  }
  for (ObstacleSpec& obstacle : scene.obstacles) {
    for (Real& size : obstacle.mesh.parameters.at("size")) size *= L;
    scale(obstacle.place.translate, L);
  }
  if (scene.contact) {
    scene.contact->offset *= L;
    if (scene.contact->friction_velocity) *scene.contact->friction_velocity *= L / T;
  }
  for (MotionSpec& motion : scene.motions) {
    convert(motion.select);
    scale(motion.move.center, L);
    scale(motion.move.velocity, L / T);
    motion.move.rate /= T;
  }
  for (PressureSpec& pressure : scene.pressures) {
    convert(pressure.select);
    pressure.pressure *= M / (L * T * T);
  }
  for (SpringSpec& spring : scene.springs) {
    convert(spring.select);
    spring.stiffness *= M / (T * T);
    if (spring.point) scale(*spring.point, L);
  }
  return scene;
}

/// The scene, carried away as it is.
inline Scene moved(Scene scene, const Vec3& by) {
  move_to_local_origin(scene, Real(-1) * by);
  scene.origin = {{0, 0, 0}};
  return scene;
}

}  // namespace unbarred::test
