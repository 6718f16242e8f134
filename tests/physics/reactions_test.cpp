// What holds prescribed coordinates, against forces known otherwise: Hooke's law, weights, contact, momentum.
#include "support/reactions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/contact_scene.hpp"
#include "support/loaded_scene.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

void expect_near(const Vec3& a, const Vec3& b, Real tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "component " << k;
}

/// A bar of 1 m and 0.01 m^2 around (3, 2, 1), held at its left end, the right one drawn by 0.1 mm a step; no inertia.
Scene drawn_bar() {
  Scene scene = box_scene({{1, 0.1, 0.1}}, {{8, 2, 2}}, material(MaterialModel::stable_neo_hookean, 1e5, 0));
  scene.time_step = 1e4;
  scene.bodies[0].place.translate = {{3, 2, 1}};
  MotionSpec draw = clamp_below(0);
  draw.name = "draw";
  draw.select.center = {{3.5, 0, 0}};
  draw.select.direction = {{-1, 0, 0}};
  draw.move.kind = MoveSpec::Kind::velocity;
  draw.move.velocity = {{1e-8, 0, 0}};
  scene.motions = {clamp_below(2.5), draw};
  tighten(scene);
  return scene;
}

TEST(Reactions, OfADrawnBarFollowHookeAndCancel) {
  Held bar(drawn_bar(), world());
  const std::vector<Reaction> reactions = bar.after(1);
  ASSERT_EQ(reactions.size(), 2u);
  const Reaction &left = reactions[0], &right = reactions[1];
  EXPECT_EQ(left.motion, 0u);
  EXPECT_EQ(right.motion, 1u);
  const Real expected = 1e5 * 0.01 * 1e-4;
  expect_near(right.force, {{expected, 0, 0}}, 1e-3 * expected);
  expect_near(left.force, Real(-1) * right.force, 1e-6 * expected);
  // About the origin of the scene: the line of action is (x, 2, 1).
  expect_near(right.moment, {{0, expected, -2 * expected}}, 1e-3 * expected);
  expect_near(left.moment, Real(-1) * right.moment, 1e-6 * expected);
}

TEST(Reactions, OfAHangingBodyAreItsWeight) {
  Scene scene = box_scene({{0.2, 0.2, 0.2}}, {{3, 3, 3}}, material(MaterialModel::neo_hookean));
  scene.time_step = 100;
  scene.gravity = {{0, -9.81, 0}};
  scene.motions = {grip_above(0.09, {{0, 0, 0}})};
  tighten(scene);
  const std::vector<Reaction> reactions = Held(scene, world()).after(3);
  ASSERT_EQ(reactions.size(), 1u);
  expect_near(reactions[0].force, {{0, weight_of_box, 0}}, 1e-4 * weight_of_box);
  expect_near(reactions[0].moment, {{0, 0, 0}}, 1e-4 * weight_of_box);
}

// All forces on the box change its momentum: the grip's, the floor's, its weight.
TEST(Reactions, OfAPressedBoxBalanceContactInertiaAndWeight) {
  Scene scene = box_on_floor(3);
  scene.motions = {grip_above(0.2, {{0.1, -0.1, 0}})};
  scene.solver.minimum_iterations = 12;
  tighten(scene);
  Held box(scene, world());
  box.after(3);
  const Vec3 before = box.record.momentum;
  const std::vector<Reaction> reactions = box.after(1);
  ASSERT_EQ(reactions.size(), 1u);
  const std::vector<BodyForce> between = box.contact->between_bodies();
  ASSERT_EQ(between.size(), 1u);
  const Vec3 contact = between[0].normal + between[0].friction;
  EXPECT_GT(contact[1], weight_of_box);
  const Vec3 inertia = (1 / scene.time_step) * (box.record.momentum - before);
  expect_near(reactions[0].force, inertia - contact + Vec3{{0, weight_of_box, 0}}, 1e-5 * contact[1]);
}

TEST(Reactions, OfAMovingObstacleAreWhatItDoesToTheBox) {
  Scene scene = box_on_floor(3);
  ObstacleSpec press = scene.obstacles[0];
  press.name = "press";
  press.place.translate = {{0, 0.203, 0}};
  scene.obstacles.push_back(press);
  MotionSpec down = grip_above(0, {{0, -0.1, 0}});
  down.select.shape = Selection::Shape::all;
  down.body = 2;
  scene.motions = {down};
  Held box(scene, world());
  const std::vector<Reaction> reactions = box.after(4);
  ASSERT_EQ(reactions.size(), 1u);
  const std::vector<BodyForce> between = box.contact->between_bodies();
  ASSERT_EQ(between.size(), 2u);
  const Vec3 on_box = between[1].normal + between[1].friction;
  EXPECT_EQ(between[1].body_b, 2);
  EXPECT_LT(on_box[1], -1);
  expect_near(reactions[0].force, on_box, 1e-12 * std::abs(on_box[1]));
}

TEST(Reactions, OfACoordinateThatTwoMotionsPrescribeInOneStepAreOfTheLaterOne) {
  Scene scene = drawn_bar();
  MotionSpec next = scene.motions[1];
  next.name = "next";
  scene.motions[1].to = next.from = 1.5 * scene.time_step;
  scene.motions.push_back(next);
  Held bar(scene, world());
  const std::vector<Reaction> first = bar.after(1), second = bar.after(1), third = bar.after(1);
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 3u);
  ASSERT_EQ(third.size(), 2u);
  expect_near(second[1].force, {{0, 0, 0}}, 0);
  EXPECT_EQ(third[1].motion, 2u);
  for (const Reaction& right : {first[1], second[2], third[1]}) EXPECT_GT(right.force[0], 0.05);
  expect_near(second[0].force, Real(-1) * second[2].force, 1e-6);
}

// With body forces, pressures and springs.
TEST(Reactions, ThereAreNoneWhereNothingIsPrescribed) {
  Scene scene = loaded_scene();
  tighten(scene);
  scene.solver.accuracy = 1e-11;
  Held loaded(scene, world());
  loaded.after(2);
  const Simulation& simulation = loaded.simulation;
  std::vector<Index> tiles(simulation.plan().tiles.size());
  std::iota(tiles.begin(), tiles.end(), 0);
  DeviceArray<Vec3> gradient(simulation.map().owned());
  loaded.simulation.stepper().gradient_at_end(simulation.state(), tiles, gradient.view());
  std::vector<std::uint8_t> held(static_cast<std::size_t>(simulation.map().owned()), 0);
  for (const Index v : simulation.motion().all_vertices()) held[static_cast<std::size_t>(v)] = 1;
  const std::vector<Vec3> values = gradient.to_host();
  Real free = 0, prescribed = 0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    Real& most = held[v] != 0 ? prescribed : free;
    most = std::max(most, std::sqrt(squared_norm(values[v])));
  }
  EXPECT_GT(prescribed, 0);
  EXPECT_LT(free, 1e-9 * prescribed);
}

}  // namespace
}  // namespace unbarred::test
