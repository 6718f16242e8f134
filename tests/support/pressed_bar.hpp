#pragma once
// A slender bar whose ends run into it: it buckles, and its exact Hessian is indefinite again and again.
#include "support/scenes.hpp"

namespace unbarred::test {

inline Scene pressed_bar(MaterialModel model) {
  Scene scene = box_scene({{1, 0.12, 0.1}}, {{20, 3, 2}}, material(model, 1e5, 0.4));
  for (const Real side : {-1, 1}) {
    MotionSpec push = clamp_below(0);
    push.name = side < 0 ? "left" : "right";
    push.select.center = {{0.4999 * side, 0, 0}};
    push.select.direction = {{-side, 0, 0}};
    push.move.kind = MoveSpec::Kind::velocity;
    push.move.velocity = {{-6 * side, 0, 0}};
    scene.motions.push_back(push);
  }
  return scene;
}

}  // namespace unbarred::test
