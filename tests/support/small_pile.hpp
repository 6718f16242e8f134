#pragma once
// Boxes that touch, rub and rest, dealt out to ranks at random: pairs with every number of owners.
#include "support/random_owners.hpp"
#include "support/scenes.hpp"
#include "support/test_surfaces.hpp"

namespace unbarred::test {

/// Three soft boxes, askew, that fall onto a floor of 32 triangles and onto each other, with friction.
inline Scene small_pile() {
  Scene scene = box_scene({{0.2, 0.2, 0.2}}, {{2, 2, 2}}, material(MaterialModel::stable_neo_hookean, 1e5, 0.3));
  BodySpec& box = scene.bodies[0];
  box.place.axis = {{1, 2, 3}};
  box.place.degrees = 10;
  box.place.translate = {{0.01, 0.02, 0.15}};
  box.velocity = {{0.3, 0, -2}};
  box.repeat.count = {1, 1, 3};
  box.repeat.spacing = {{0, 0, 0.25}};
  box.repeat.jitter = 0.01;
  box.repeat.seed = 3;
  scene.gravity = {{0, 0, -9.81}};
  scene.obstacles = {obstacle("floor", {{0, 0, 0}})};
  scene.contact.emplace();
  scene.contact->offset = 1e-3;
  scene.contact->friction = 0.3;
  scene.solver.minimum_iterations = 6;
  scene.solver.audit = 1;
  tighten(scene);
  scene.solver.linear.preconditioner = PreconditionerKind::block_jacobi;  // aggregates are those of a partition
  scene.solver.accuracy = 1e-3;  // more iterations let go of pairs that carry nothing, and few are left
  return scene;
}

/// A random owner for each vertex, never `idle`. @note Collective
inline LocalMesh local_mesh(const Scene& scene, const Communicator& communicator, unsigned seed, int idle = -1) {
  BlockMesh block = block_mesh(scene, {square(4)}, communicator);
  const std::vector<int> owners = random_owners(communicator, block, seed, idle);
  return distribute(std::move(block), owners, communicator);
}

}  // namespace unbarred::test
