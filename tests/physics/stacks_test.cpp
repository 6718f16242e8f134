// Two cubes on a floor that are as unlike as can be: what is light holds what is heavy, and rests on it.
#include "support/impact_scenes.hpp"

namespace unbarred::test {
namespace {

struct Stack {
  const char* name;
  MaterialSpec lower, upper;
  Real height;  // of the upper one's center, m
};

Scene on_floor(const Stack& stack) {
  Scene scene = nothing(0.01, 1e-3, 0.3);
  scene.materials = {stack.lower, stack.upper};
  scene.bodies = {cube("lower", {{0, 0.1215, 0}}, 0), cube("upper", {{0, stack.height, 0}}, 1)};
  add_floor(scene);
  return scene;
}

void expect_right(const Stack& stack, int steps) {
  Impact impact(on_floor(stack));
  const Judgement& j = impact.run(steps);
  print(stack.name, j);
  expect_clean(j);
  EXPECT_LE(j.rise, 0.01) << stack.name;
  EXPECT_LE(j.force, 0.01) << stack.name;
  EXPECT_LE(j.mean_iterations(), 20) << stack.name;
}

TEST(Stacks, AHundredThousandTimesTheMassRestsOnALightCube) {
  for (const Real young : {1e6, 1e8, 2e11})
    expect_right({"heavy on light", solid("light", young, 1), solid("heavy", young, 1e5), 0.343}, 40);
}

TEST(Stacks, ALightCubeRestsOnAHundredThousandTimesItsMass) {
  for (const Real young : {1e6, 1e8, 2e11})
    expect_right({"light on heavy", solid("heavy", young, 1e5), solid("light", young, 1), 0.343}, 40);
}

TEST(Stacks, TenOrdersOfStiffness) {
  const MaterialSpec soft = solid("soft", 1e3, 1000), stiff = solid("stiff", 1e13, 1000);
  expect_right({"soft on stiff", stiff, soft, 0.343}, 20);
  expect_right({"stiff on soft", soft, stiff, 0.343}, 20);
}

}  // namespace
}  // namespace unbarred::test
