#pragma once
// A box slides over a floor and hits a ball, as YAML: a small scene with friction for tests of the program.
#include <string>

namespace unbarred::test {

inline const std::string sliding_box = R"(name: beam
time: {step: 0.01, end: 0.16}
gravity: [0, -9.81, 0]
materials:
  rubber: {model: stable_neo_hookean, density: 1000, young: 1.0e5, poisson: 0.3}
bodies:
  box:
    mesh: {box: {size: [0.2, 0.2, 0.2], cells: 2}}
    material: rubber
    place: {translate: [0, 0.104, 0]}
    velocity: [2, -0.3, 0.1]
  ball:
    mesh: {ball: {radius: 0.1, cells: 3}}
    material: rubber
    place: {translate: [0.23, 0.12, 0.02]}
obstacles:
  floor: {mesh: {plane: {size: [2, 2], cells: 2}}}
contact: {offset: 1.0e-3, friction: 0.3}
)";

}  // namespace unbarred::test
