// Soft bodies where there is less room than they take: slots, points, two plates that close. Every step must end.
#include <fstream>

#include "support/impact_scenes.hpp"
#include "support/random_scenes.hpp"
#include "support/temporary_folder.hpp"

namespace unbarred::test {
namespace {

/// Below y = 0, along z.
void add_slot(Scene& scene, Real width) {
  const Vec3 size{{0.5, 0.4, 2}};
  const Real x = (size[0] + width) / 2;
  scene.obstacles = {wall("left", size, {{-x, -0.2, 0}}), wall("right", size, {{x, -0.2, 0}})};
  scene.gravity = {{0, -earth, 0}};
}

MotionSpec moves(int body, const Vec3& velocity) {
  MotionSpec motion;
  motion.name = "motion" + std::to_string(body);
  motion.body = body;
  motion.move.kind = MoveSpec::Kind::velocity;
  motion.move.velocity = velocity;
  return motion;
}

void expect_done(const std::string& name, const Judgement& j, Real most_iterations) {
  print(name, j);
  expect_clean(j);
  EXPECT_LE(j.mean_iterations(), most_iterations);
}

TEST(NarrowPlaces, ABallThrownIntoASlotSticksThere) {
  for (const Real width : {0.1, 0.005}) {
    Scene scene = nothing(0.01, 1e-3);
    scene.materials = {solid("soft", 1e5, 1000, 0.4)};
    scene.bodies = {ball("ball", 0.1, 4, {{0.003, 0.12, 0}}, {{0, -5, 0}})};
    add_slot(scene, width);
    Impact impact(scene);
    const Judgement& j = impact.run(30);
    expect_done("slot of " + std::to_string(width), j, 10);
    EXPECT_LE(j.rise, 0.01);
  }
}

/// One tetrahedron: an edge along z, 0.2 m long, below one along x.
void write_wedge(const std::filesystem::path& file) {
  std::ofstream(file) << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 -0.2 -0.1\n2 0 -0.2 0.1\n3 0.1 0 0\n"
                         "4 -0.1 0 0\n$EndNodes\n$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n";
}

TEST(NarrowPlaces, AWedgeIsPulledThroughASlot) {
  const TemporaryFolder folder(world());
  write_wedge(folder.path() / "wedge.msh");
  for (const Real friction : {0.0, 0.5}) {
    Scene scene = nothing(0.01, 1e-3, friction);
    scene.materials = {solid("soft", 1e5, 1000, 0.4)};
    BodySpec wedge;
    wedge.name = "wedge";
    wedge.mesh.file = folder.path() / "wedge.msh";
    wedge.place.translate = {{0.003, 0.212, 0}};
    scene.bodies = {wedge};
    add_slot(scene, 0.05);
    scene.motions = {moves(0, {{0, -0.5, 0}})};
    scene.motions[0].select.shape = Selection::Shape::plane;
    scene.motions[0].select.center = {{0, 0.02, 0}};
    scene.motions[0].select.direction = {{0, 1, 0}};
    Impact impact(scene);
    expect_done("wedge, friction " + std::to_string(friction), impact.run(60), 10);
  }
}

/// Pyramids on a grid of n x n, 50 mm high, cut off where they are 20 um wide.
void write_needles(const std::filesystem::path& file, int n, Real pitch) {
  std::ofstream out(file);
  const int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int i = 0; i < n * n; ++i)
    for (const auto& [y, half] : {std::pair{0.0, 0.01}, std::pair{0.05, 1e-5}})
      for (const auto& c : corner)
        out << "v " << (i / n - (n - 1) / 2.0) * pitch + c[0] * half << " " << y << " "
            << (i % n - (n - 1) / 2.0) * pitch + c[1] * half << "\n";
  const int face[6][4] = {{5, 8, 7, 6}, {1, 2, 3, 4}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 8, 4}, {4, 8, 5, 1}};
  for (int i = 0; i < n * n; ++i)
    for (const auto& f : face)
      out << "f " << f[0] + 8 * i << " " << f[1] + 8 * i << " " << f[2] + 8 * i << "\nf " << f[0] + 8 * i << " "
          << f[2] + 8 * i << " " << f[3] + 8 * i << "\n";
}

TEST(NarrowPlaces, ABallIsPressedOnNeedles) {
  const TemporaryFolder folder(world());
  for (const int n : {1, 3}) {
    write_needles(folder.path() / "needles.obj", n, 0.05);
    Scene scene = nothing(0.01, 1e-3);
    scene.materials = {solid("soft", 1e5, 1000, 0.4)};
    scene.bodies = {ball("ball", 0.1, 4, {{0.001, 0.16, 0.0017}}, {{0, 0, 0}})};
    ObstacleSpec needles;
    needles.name = "needles";
    needles.mesh.file = folder.path() / "needles.obj";
    scene.obstacles = {needles, wall("plate", {{0.5, 0.02, 0.5}}, {{0, 0.275, 0}})};
    scene.motions = {moves(2, {{0, -0.5, 0}})};
    scene.motions[0].to = 0.24;
    scene.gravity = {{0, -earth, 0}};
    Impact impact(scene);
    expect_done(std::to_string(n * n) + " needles", impact.run(30), 15);
  }
}

}  // namespace
}  // namespace unbarred::test
