// The slip velocity at which mollified friction is full, where the scene leaves it open: on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "app/contact_setup.hpp"
#include "app/simulation.hpp"
#include "support/small_pile.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

Real friction_velocity(const Scene& scene, const Communicator& communicator) {
  LocalMesh mesh = local_mesh(scene, communicator, 5);
  mesh.scene_body = scene_bodies(scene);
  return contact_options(scene, mesh, communicator).friction_velocity;
}

/// The same on all of them.
Real friction_velocity_on(int ranks, const Scene& scene) {
  const Communicator part = group(ranks);
  const Real mine = works_in(ranks) ? friction_velocity(scene, part) : 0;
  EXPECT_EQ(part.min(mine), part.max(mine));
  return world().max(mine);
}

TEST(FrictionVelocity, IsThatOfTheBodiesBoxOnAnyNumberOfRanks) {
  Scene scene = small_pile();
  const Real askew = friction_velocity_on(1, scene);
  for (const int ranks : {2, 3, 4}) EXPECT_EQ(friction_velocity_on(ranks, scene), askew) << ranks << " ranks";
  // Three upright boxes in a tower; the floor, ten times as wide, does not count.
  scene.bodies[0].place.degrees = 0;
  scene.bodies[0].repeat.jitter = 0;
  const Real diagonal = std::sqrt(0.2 * 0.2 + 0.2 * 0.2 + 0.7 * 0.7);
  for (const int ranks : {1, 4}) EXPECT_NEAR(friction_velocity_on(ranks, scene), 1e-3 * diagonal, 1e-15);
}

TEST(FrictionVelocity, IsInMetersASecondWhereTheSceneGivesIt) {
  Scene scene = small_pile();
  scene.contact->friction_velocity = 0.02;
  EXPECT_EQ(friction_velocity_on(2, scene), 0.02);
}

}  // namespace
}  // namespace unbarred::test
