#pragma once
// A soft box on a floor: the smallest scene in which bodies touch, rub, and rest.
#include "support/scenes.hpp"

namespace unbarred::test {

/// 0.2 m wide, a little above the floor y = 0; friction 0.3.
inline Scene box_on_floor(int cells = 4) {
  const Real n = cells;
  Scene scene = box_scene({{0.2, 0.2, 0.2}}, {{n, n, n}}, material(MaterialModel::stable_neo_hookean, 1e5));
  scene.time_step = 0.02;
  scene.gravity = {{0, -9.81, 0}};
  scene.bodies[0].place.translate = {{0, 0.1015, 0}};
  ObstacleSpec floor;
  floor.name = "floor";
  floor.mesh.generator = "plane";
  floor.mesh.parameters = {{"size", {1, 1}}, {"cells", {3, 3}}};
  scene.obstacles = {floor};
  scene.contact = ContactSpec{};
  scene.contact->offset = 1e-3;
  scene.contact->friction = 0.3;
  scene.solver.minimum_iterations = 6;
  scene.resolved_yaml = "none";
  return scene;
}

/// Its weight, N.
constexpr Real weight_of_box = 1000 * 0.2 * 0.2 * 0.2 * 9.81;

}  // namespace unbarred::test
