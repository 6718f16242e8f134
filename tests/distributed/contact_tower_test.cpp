// A tower that a ball hits, with the tolerances of every day: 1 to 4 ranks go the same way.
#include <gtest/gtest.h>

#include "support/collisions.hpp"
#include "support/gather.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

constexpr int steps = 8;

Scene tower() {
  Scene scene = box_scene({{0.2, 0.2, 0.2}}, {{2, 2, 2}}, material(MaterialModel::neo_hookean, 2e5));
  scene.time_step = 0.005;
  scene.materials.push_back(material(MaterialModel::neo_hookean, 1e7, 0.2, 1200));
  const BodySpec cube = scene.bodies[0];
  scene.bodies.clear();
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back(cube);
    scene.bodies.back().name = "cube" + std::to_string(i);
    scene.bodies.back().place.translate = {{0.01 * i + 3e-4, 0.102 + 0.203 * i, 0.01 * i - 2e-4}};
  }
  scene.bodies.push_back(ball("ball", 0.1, 3, {{0.05, 0.72, 0}}, {{0, -2, 0}}));
  scene.bodies.back().material = 1;
  ObstacleSpec floor;
  floor.name = "floor";
  floor.mesh.generator = "plane";
  floor.mesh.parameters = {{"size", {20, 20}}, {"cells", {1}}};
  scene.obstacles = {floor};
  scene.gravity = {{0, -9.81, 0}};
  scene.contact = ContactSpec{};
  scene.contact->offset = 1e-3;
  scene.contact->friction = 0.3;
  scene.resolved_yaml = "none";
  return scene;
}

/// How far each vertex goes.
std::vector<Vec3> motion(const Communicator& communicator) {
  Simulation simulation(tower(), communicator);
  std::vector<Vec3> start = gather(communicator, simulation.map(), simulation.state().x);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(simulation.advance().converged) << "step " << i;
  std::vector<Vec3> way = gather(communicator, simulation.map(), simulation.state().x);
  for (std::size_t i = 0; i < way.size(); ++i) way[i] -= start[i];
  return way;
}

TEST(ContactTower, FallsAlikeOnAnyNumberOfRanks) {
  const Communicator alone = world().split(world().rank());
  const std::vector<Vec3> reference = motion(alone);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    const Real apart = relative_difference(motion(part), reference);
    if (part.is_root()) std::printf("%d ranks: %.1e of the motion apart\n", ranks, apart);
    EXPECT_LE(apart, 1e-6);
  }
}

}  // namespace
}  // namespace unbarred::test
