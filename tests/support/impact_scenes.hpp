#pragma once
// Boxes that fall onto a floor or into each other: parts of scenes, and what every run of them must be.
#include <gtest/gtest.h>

#include "support/impact.hpp"

namespace unbarred::test {

inline constexpr Real earth = 9.81;  // m/s^2

inline Scene nothing(Real time_step, Real offset, Real friction = 0) {
  Scene scene;
  scene.name = "impact";
  scene.time_step = time_step;
  scene.end_time = 1;
  scene.contact = ContactSpec{};
  scene.contact->offset = offset;
  scene.contact->friction = friction;
  scene.output.every = 0;
  scene.resolved_yaml = "none";
  return scene;
}

inline BodySpec box(const std::string& name, const Vec3& size, const Vec3& cells, const Vec3& at, int material = 0) {
  BodySpec body;
  body.name = name;
  body.mesh.generator = "box";
  body.mesh.parameters = {{"size", {size[0], size[1], size[2]}}, {"cells", {cells[0], cells[1], cells[2]}}};
  body.place.translate = at;
  body.material = material;
  return body;
}

inline BodySpec cube(const std::string& name, const Vec3& at, int material = 0) {
  return box(name, {{0.2, 0.2, 0.2}}, {{3, 3, 3}}, at, material);
}

inline MaterialSpec solid(const char* name, Real young, Real density, Real poisson = 0.3) {
  return {name, MaterialModel::neo_hookean, density, young, poisson};
}

inline ObstacleSpec wall(const std::string& name, const Vec3& size, const Vec3& at) {
  ObstacleSpec wall;
  wall.name = name;
  wall.mesh.generator = "box";
  wall.mesh.parameters = {{"size", {size[0], size[1], size[2]}}, {"cells", {1, 1, 1}}};
  wall.place.translate = at;
  return wall;
}

/// y = 0.
inline void add_floor(Scene& scene) {
  ObstacleSpec floor;
  floor.name = "floor";
  floor.mesh.generator = "plane";
  floor.mesh.parameters = {{"size", {20, 20}}, {"cells", {1}}};
  scene.obstacles = {floor};
  scene.gravity = {{0, -earth, 0}};
}

inline void expect_clean(const Judgement& j) {
  EXPECT_EQ(j.unfinished, 0);
  EXPECT_EQ(j.intersections, 0);
  EXPECT_GT(j.least_gap, 0);
  EXPECT_GT(j.most_pairs, 0);
}

}  // namespace unbarred::test
