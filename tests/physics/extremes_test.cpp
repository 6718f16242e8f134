// Ten orders of stiffness on one floor: what lands, rests, slides or sticks there does so alike.
#include <array>
#include <cmath>

#include "support/impact_scenes.hpp"

namespace unbarred::test {
namespace {

struct Landing {
  Real young, degrees, height;  // Pa; of its tilt; m
};

// A card with its edges in the way is in impact_test.cpp; flat, and on its edge, it lands with many vertices at once.
TEST(Extremes, ACardLandsFlatOrOnItsEdge) {
  for (const auto& [young, degrees, height] :
       {Landing{1e5, 0, 0.05}, Landing{1e11, 0, 0.05}, Landing{1e5, 90, 0.26}, Landing{1e11, 90, 0.26}}) {
    Scene scene = nothing(0.025, 5e-4);
    scene.materials = {solid("card", young, 1000, 0.4)};
    scene.bodies = {box("card", {{0.5, 0.0066, 0.5}}, {{8, 1, 8}}, {{0, height, 0}})};
    turn(scene.bodies[0], {{0, 0, 1}}, degrees);
    add_floor(scene);
    Impact impact(scene);
    const Judgement& j = impact.run(16);
    print("card, E = " + std::to_string(young) + ", turned " + std::to_string(degrees), j);
    expect_clean(j);
    EXPECT_LE(j.rise, 0.01) << young;
    EXPECT_LE(j.force, 0.01) << young;
    EXPECT_LE(j.mean_iterations(), 10) << young;
  }
}

TEST(Extremes, ASteelBallLandsOnFoam) {
  Scene scene = nothing(0.01, 1e-3, 0.3);
  scene.materials = {solid("foam", 1e4, 30), solid("steel", 2e11, 7800)};
  scene.bodies = {box("foam", {{0.2, 0.2, 0.2}}, {{4, 4, 4}}, {{0, 0.1015, 0}}),
                  ball("ball", 0.1, 4, {{0.01, 0.35, 0}}, {{0, 0, 0}})};
  scene.bodies[1].material = 1;
  add_floor(scene);
  Impact impact(scene);
  const Judgement& j = impact.run(30);
  print("steel ball on foam", j);
  expect_clean(j);
  EXPECT_LE(j.rise, 0.01);
  EXPECT_LE(j.force, 0.01);
  EXPECT_LE(j.mean_iterations(), 20);
}

// What the cubes give to each other cancels in the sum over those above a joint: what is left came through it.
TEST(Extremes, EveryJointOfATowerCarriesWhatLiesAbove) {
  constexpr std::size_t cubes = 5;
  Scene scene = nothing(0.01, 1e-3, 0.3);
  scene.materials = {solid("cube", 1e8, 7800)};
  for (std::size_t i = 0; i < cubes; ++i)
    scene.bodies.push_back(cube("cube" + std::to_string(i), {{0, 0.1015 + 0.2015 * static_cast<Real>(i), 0}}));
  add_floor(scene);
  Impact impact(scene);
  const Judgement& j = impact.run(60);
  print("tower", j);
  expect_clean(j);
  Real carried = 0, weight = 0;
  for (std::size_t above = cubes; above-- > 0;) {
    carried += impact.given()[above][1];
    weight += impact.weight(above);
    EXPECT_NEAR(carried, weight, 0.01 * weight) << "below cube " << above;
  }
}

/// A cube on a slope of arctan 0.5.
Scene on_slope(Real young, Real friction) {
  const Real degrees = 26.56505117707799, root = std::sqrt(5.0);
  Scene scene = nothing(0.01, 1e-3, friction);
  scene.materials = {solid("cube", young, 1000)};
  add_floor(scene);
  const Real above = 0.1012, back = -1.5;  // m: normal to the slope, and down along it
  scene.bodies = {cube("cube", {{(above + 2 * back) / root, (2 * above - back) / root, 0}})};
  turn(scene.bodies[0], {{0, 0, 1}}, -degrees);
  scene.obstacles[0].place.degrees = -degrees;
  return scene;
}

/// Down the slope, m/s.
Real speed(const Impact& impact) {
  const Real root = std::sqrt(5.0);
  const Vec3 p = impact.momenta()[0];
  return (2 * p[0] - p[1]) / root / (impact.weight(0) / earth);
}

TEST(Extremes, ACubeSlidesAsCoulombSaysHoweverStiffItIs) {
  for (const Real young : {1e6, 2e11})
    for (const Real friction : {0.45, 0.475}) {
      Impact impact(on_slope(young, friction));
      const int landed = 30, steps = 60;
      impact.run(landed);
      const Real before = speed(impact);
      const Judgement& j = impact.run(steps);
      const Real found = (speed(impact) - before) / (0.01 * steps),
                 expected = earth * 2 / std::sqrt(5.0) * (0.5 - friction);
      std::printf("E %g, friction %g: %.4f m/s^2 of %.4f\n", young, friction, found, expected);
      expect_clean(j);
      EXPECT_NEAR(found, expected, 0.02 * expected) << young;
      EXPECT_LE(j.mean_iterations(), 5) << young;
    }
}

// From the start of the step and not from free flight, which has no friction: what rests is found at rest at once.
TEST(Extremes, ACubeThatSticksDoesNotCreep) {
  for (const Real young : {1e6, 2e11}) {
    Scene scene = on_slope(young, 0.5 / 0.9);
    scene.solver.contact.warm_start = ContactConstants::WarmStart::start;
    Impact impact(scene);
    impact.run(100);
    const int before = impact.judgement.iterations;
    constexpr int steps = 20;
    Real creep = 0;  // m
    for (int i = 0; i < steps; ++i) {
      impact.advance();
      creep += scene.time_step * speed(impact);
    }
    std::printf("E %g: creeps by %.1e m/s\n", young, creep / (steps * scene.time_step));
    EXPECT_LE(std::abs(creep), 1e-5 * 0.2 * steps * scene.time_step) << young;
    EXPECT_LE(impact.judgement.iterations - before, 2 * steps) << young;
  }
}

}  // namespace
}  // namespace unbarred::test
