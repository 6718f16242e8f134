// Reactions on 1, 2, 3 and 4 ranks: of motions that cross the borders of ranks, with and without contact.
#include "support/reactions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/contact_scene.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

/// The turned end feels a moment above all.
Scene turned_beam() {
  Scene scene = box_scene({{1, 0.2, 0.2}}, {{8, 3, 3}}, material(MaterialModel::neo_hookean, 1e5, 0.35));
  scene.time_step = 0.02;
  scene.gravity = {{0, -9.81, 0}};
  scene.bodies[0].place.translate = {{0.5, 1, 0}};
  MotionSpec turn = clamp_below(0);
  turn.name = "turn";
  turn.select.center = {{1, 0, 0}};
  turn.select.direction = {{-1, 0, 0}};
  turn.move.kind = MoveSpec::Kind::rotate;
  turn.move.axis = {{1, 0, 0}};
  turn.move.center = {{0, 1, 0}};
  turn.move.rate = 180;
  MotionSpec later = clamp_below(0.2);
  later.from = 10;
  MotionSpec clamp = clamp_below(0);
  clamp.to = later.from;
  scene.motions = {clamp, turn, later};
  tighten(scene);
  return scene;
}

Scene pressed_box() {
  Scene scene = box_on_floor(3);
  scene.motions = {grip_above(0.2, {{0.1, -0.1, 0}})};
  tighten(scene);
  return scene;
}

/// Components one after the other: force and moment of every motion that acts.
std::vector<Real> components(const std::vector<Reaction>& reactions) {
  std::vector<Real> values;
  for (const Reaction& reaction : reactions)
    for (const Vec3& vector : {reaction.force, reaction.moment})
      for (int k = 0; k < 3; ++k) values.push_back(vector[k]);
  return values;
}

void expect_same_on_any_ranks(const Scene& scene, std::size_t motions, Real tolerance) {
  const Communicator alone = world().split(world().rank());
  const std::vector<Real> reference = components(Held(scene, alone).after(3));
  ASSERT_EQ(reference.size(), 6 * motions);
  Real size = 0;
  for (const Real value : reference) size = std::max(size, std::abs(value));
  EXPECT_GT(size, 1);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const std::vector<Real> values = components(Held(scene, ring).after(3));
    ASSERT_EQ(values.size(), reference.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], reference[i], tolerance * size) << i;
  }
}

TEST(Reactions, OfATurnedBeamAreTheSameOnAnyNumberOfRanks) { expect_same_on_any_ranks(turned_beam(), 2, 1e-9); }

TEST(Reactions, OfAPressedBoxAreTheSameOnAnyNumberOfRanks) { expect_same_on_any_ranks(pressed_box(), 1, 1e-6); }

}  // namespace
}  // namespace unbarred::test
