// Impacts of stiff, soft, thin, heavy and light bodies: energy, momentum, forces, iterations.
#include "support/impact_scenes.hpp"

namespace unbarred::test {
namespace {

Scene two_cubes(const MaterialSpec& spec, const Vec3& at, Real speed, Real friction) {
  Scene scene = nothing(0.01, 1e-3, friction);
  scene.materials = {spec};
  scene.bodies = {cube("a", at), cube("b", {{0.15, 0, 0}})};
  scene.bodies[0].velocity = {{speed, 0, 0}};
  return scene;
}

TEST(Impact, OfSteelCubesKeepsMomentumAndGainsNoEnergy) {
  Impact impact(two_cubes(solid("steel", 2e11, 7800), {{-0.15, 0.02, 0.01}}, 1, 0));
  const Judgement& j = impact.run(25);
  print("steel cubes", j);
  expect_clean(j);
  EXPECT_LE(j.momentum, 1e-9);
  EXPECT_LE(j.rise, 1e-9);
  EXPECT_LE(j.force, 0.01);
}

TEST(Impact, OfFastCubesKeepsMomentumAndGainsNoEnergy) {
  Impact impact(two_cubes(solid("plastic", 4e9, 1000), {{-0.155, 0.02, 0.01}}, 9.5, 0.3));
  const Judgement& j = impact.run(10);
  print("fast cubes", j);
  expect_clean(j);
  EXPECT_LE(j.momentum, 1e-9);
  EXPECT_LE(j.rise, 1e-9);
  EXPECT_LE(j.force, 0.01);
}

// The impulses of contact add up to the change of momentum, and at rest to the weight. The softest cube bounces on for
// a second.
TEST(Impact, OfADroppedCubeWritesTheForcesThatStopIt) {
  for (const Real young : {1e5, 1e7, 1e9, 2e11}) {
    Scene scene = nothing(0.01, 1e-3);
    scene.materials = {solid("cube", young, 1000)};
    scene.bodies = {cube("cube", {{0, 0.5, 0}})};
    add_floor(scene);
    Impact impact(scene);
    Vec3 impulse{{0, 0, 0}}, needed{{0, 0, 0}};
    const int steps = young < 1e6 ? 120 : 60;
    for (int i = 0; i < steps; ++i) {
      impact.advance();
      impulse += scene.time_step * impact.given()[0];
      needed += scene.time_step * impact.needed()[0];
      if (i >= steps - 5) {
        EXPECT_NEAR(impact.given()[0][1], impact.weight(0), 0.01 * impact.weight(0)) << young;
      }
    }
    print("dropped cube, E = " + std::to_string(young), impact.judgement);
    std::printf("impulse %.4f N s of %.4f N s\n", impulse[1], needed[1]);
    expect_clean(impact.judgement);
    EXPECT_LE(std::sqrt(squared_norm(impulse - needed)), 0.01 * std::sqrt(squared_norm(needed))) << young;
    EXPECT_LE(impact.judgement.force, 0.01) << young;
    EXPECT_LE(impact.judgement.rise, 0.01) << young;
  }
}

// A step of 0.025 s resolves nothing of what a card does that hits the floor with its edge. The stiffest one takes 50
// iterations a step.
TEST(Impact, OfACardGainsNoEnergy) {
  for (const Real young : {1e5, 1e8, 1e11}) {
    Scene scene = nothing(0.025, 5e-4);
    scene.materials = {solid("card", young, 1000, 0.4)};
    scene.bodies = {box("card", {{0.5, 0.0066, 0.5}}, {{10, 1, 10}}, {{0, 0.24, 0}})};
    turn(scene.bodies[0], {{0, 0, 1}}, 60);
    add_floor(scene);
    Impact impact(scene);
    const Judgement& j = impact.run(14);
    print("card, E = " + std::to_string(young), j);
    expect_clean(j);
    EXPECT_LE(j.rise, 0.01) << young;
    EXPECT_LE(j.force, 0.01) << young;
  }
}

TEST(Impact, OfAMatOnABoardEndsEveryStep) {
  Scene scene = nothing(0.025, 1.1e-3, 0.1);
  scene.materials = {solid("mat", 1e4, 1000, 0.4), solid("board", 1e8, 2000, 0.4)};
  scene.bodies = {box("mat", {{1, 0.01, 1}}, {{8, 1, 8}}, {{0, 1, 0}}, 0),
                  box("board", {{1, 0.01, 1}}, {{8, 1, 8}}, {{0, 0.5, 0}}, 1)};
  for (BodySpec& body : scene.bodies) turn(body, {{0.3, 1, 0.2}}, 98);
  add_floor(scene);
  Impact impact(scene);
  const Judgement& j = impact.run(30);
  print("mat on a board", j);
  expect_clean(j);
  EXPECT_LE(j.mean_iterations(), 20);
}

TEST(Impact, ATowerStandsOnItsWeight) {
  Scene scene = nothing(0.01, 1e-3, 0.3);
  scene.materials = {solid("cube", 1e6, 1000)};
  for (int i = 0; i < 5; ++i) scene.bodies.push_back(cube("cube" + std::to_string(i), {{0, 0.1015 + 0.2015 * i, 0}}));
  add_floor(scene);
  Impact impact(scene);
  const Judgement& j = impact.run(80);
  print("tower", j);
  expect_clean(j);
  Real weight = 0, on_floor = 0;
  for (std::size_t b = 0; b < 5; ++b) {
    weight += impact.weight(b);
    on_floor += impact.given()[b][1];  // what cubes do to each other cancels
  }
  std::printf("on the floor %.2f N of %.2f N\n", on_floor, weight);
  EXPECT_NEAR(on_floor, weight, 0.01 * weight);
  EXPECT_LE(j.rise, 0.01);
}

TEST(Impact, OfSteelOnFoamAndFoamOnSteelEndsEveryStep) {
  for (const bool steel_above : {true, false}) {
    Scene scene = nothing(0.01, 1e-3);
    scene.materials = {solid("steel", 2e11, 7800), solid("foam", 1e5, 50)};
    scene.bodies = {cube("below", {{0, 0.1015, 0}}, steel_above ? 1 : 0),
                    cube("above", {{0, 0.1015 + 0.22, 0}}, steel_above ? 0 : 1)};
    add_floor(scene);
    Impact impact(scene);
    const Judgement& j = impact.run(40);
    print(steel_above ? "steel on foam" : "foam on steel", j);
    expect_clean(j);
    // Contact lifts what it finds below its offset, slowly: energy that a heavy body gains.
    if (steel_above) {
      EXPECT_LE(j.rise, 1e-6);
    }
    EXPECT_LE(j.mean_iterations(), 20);
  }
}

// A step is three radii long: the ball may end beside the cylinder or behind it, and must not be driven on from there.
TEST(Impact, InALongStepGainsNoEnergy) {
  Scene scene = nothing(0.0120211, 0.001019, 0.8);
  scene.materials = {solid("ball", 1.0624e6, 350.51, 0.45), solid("cylinder", 1.2897e8, 2329.8, 0.45)};
  for (MaterialSpec& material : scene.materials) material.model = MaterialModel::stable_neo_hookean;
  BodySpec ball, cylinder;
  ball.name = "ball";
  ball.mesh.generator = "ball";
  ball.mesh.parameters = {{"radius", {0.1}}, {"cells", {4}}};
  ball.place.translate = {{-1.15539, -0.01279, 0.01}};
  ball.velocity = {{25.01632, 0, 0}};
  turn(ball, {{0.770, 0.909, 1}}, 33.07);
  cylinder.name = "cylinder";
  cylinder.mesh.generator = "cylinder";
  cylinder.mesh.parameters = {{"radius", {0.07}}, {"height", {0.2}}, {"cells", {4}}};
  cylinder.material = 1;
  turn(cylinder, {{0.799, -0.886, 1}}, 72.23);
  scene.bodies = {ball, cylinder};
  Impact impact(scene);
  const Judgement& j = impact.run(8);
  print("long step", j);
  expect_clean(j);
  EXPECT_LE(j.rise, 1e-6);
  EXPECT_LE(j.momentum, 1e-6);
}

}  // namespace
}  // namespace unbarred::test
