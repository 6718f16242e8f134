// Connected components of bodies are bodies of the mesh, numbered alike on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include "app/start_audit.hpp"
#include "dynamics/motions/selection.hpp"
#include "partitioning/partitioner.hpp"
#include "scene/mesh_components.hpp"
#include "scene/tetrahedra_source.hpp"
#include "support/scenes.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

/// Two copies of a bar, 3 m apart along x, in one file: vertices and tetrahedra take turns, the far copy first.
/// @note Collective
std::string two_bars(const MeshSpec& spec) {
  const WholeMesh bar = whole(*make_generator(spec), world());
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(2 * bar.positions.size()) + "\n";
  std::size_t tag = 1;
  for (const Vec3& x : bar.positions)
    for (const double shift : {3.0, 0.0})
      text += std::to_string(tag++) + " " + std::to_string(x[0] + shift) + " " + std::to_string(x[1]) + " " +
              std::to_string(x[2]) + "\n";
  text += "$EndNodes\n$Elements\n" + std::to_string(2 * bar.tetrahedra.size()) + "\n";
  tag = 1;
  for (const GlobalTetrahedron& t : bar.tetrahedra)
    for (const int copy : {0, 1}) {
      text += std::to_string(tag++) + " 4 0";
      for (const GlobalIndex v : t.v) text += " " + std::to_string(2 * v + 1 + copy);
      text += "\n";
    }
  return text + "$EndElements\n";
}

/// Bodies: a box twice, the file twice, a box; and an obstacle.
Scene stones(const std::filesystem::path& file) {
  Scene scene = box_scene({{1, 1, 1}}, {{3, 3, 3}}, material(MaterialModel::corotated));
  scene.bodies.resize(3, scene.bodies[0]);
  scene.bodies[0].repeat.count = {2, 1, 1};
  scene.bodies[0].repeat.spacing = {{5, 0, 0}};
  scene.bodies[0].place.translate = {{0, -10, 0}};
  BodySpec& stone = scene.bodies[1];
  stone.name = "stone";
  stone.mesh = {};
  stone.mesh.file = file;
  stone.repeat.count = {1, 2, 1};
  stone.repeat.spacing = {{0, 5, 0}};
  stone.components = true;
  scene.bodies[2].name = "last";
  scene.bodies[2].components = true;
  scene.bodies[2].place.translate = {{0, 20, 0}};
  ObstacleSpec floor;
  floor.name = "floor";
  floor.mesh.generator = "plane";
  floor.mesh.parameters = {{"size", {9, 9}}, {"cells", {4}}};
  floor.place.translate = {{0, -30, 0}};
  scene.obstacles = {floor};
  return scene;
}

std::int32_t expected_body(const Vec3& x) {
  if (x[1] < -20) return 7;
  if (x[1] < -5) return x[0] < 2 ? 0 : 1;
  if (x[1] > 15) return 6;
  return 2 + (x[1] > 2.5 ? 2 : 0) + (x[0] > 1.5 ? 0 : 1);  // the far bar has the first vertex of the file
}

class Stones : public ::testing::Test {
 protected:
  Stones() {
    const std::string text = two_bars(bar_spec());
    if (world().is_root()) file_ = std::make_unique<TemporaryFile>("_stones.msh", text);
    path_ = world().broadcast(file_ ? file_->path().string() : std::string(), 0);
  }
  ~Stones() override { world().barrier(); }
  std::unique_ptr<TemporaryFile> file_;
  std::string path_;
};

TEST_F(Stones, AreBodiesOnAnyNumberOfRanks) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    Scene scene = stones(path_);
    const LocalMesh mesh = load_mesh(scene, part);
    EXPECT_EQ(mesh.scene_body, std::vector<int>({0, 0, 1, 1, 1, 1, 2, 3}));
    Index of_file = 0;
    for (Index v = 0; v < mesh.map.local(); ++v) {
      const std::int32_t body = expected_body(mesh.rest_positions[v] + scene.origin);
      EXPECT_EQ(mesh.vertex_body[v], body);
      of_file += body >= 2 && body < 6;
    }
    EXPECT_EQ(static_cast<Index>(selected_vertices({}, 1, {}, mesh, mesh.scene_body).size()), of_file);
    EXPECT_EQ(mesh_body_names(scene, mesh.scene_body),
              std::vector<std::string>(
                  {"box[0]", "box[1]", "stone[0]", "stone[1]", "stone[2]", "stone[3]", "last", "floor"}));
  }
}

TEST_F(Stones, StayOneBodyUnlessAskedFor) {
  Scene scene = stones(path_);
  scene.bodies[1].components = false;
  const LocalMesh mesh = load_mesh(scene, world());
  EXPECT_EQ(mesh.scene_body, scene_bodies(scene));
  EXPECT_EQ(mesh.scene_body, std::vector<int>({0, 0, 1, 1, 2, 3}));
  for (Index v = 0; v < mesh.map.local(); ++v) {
    const std::int32_t body = expected_body(mesh.rest_positions[v] + scene.origin);
    EXPECT_EQ(mesh.vertex_body[v], body < 2 ? body : body < 6 ? 2 + (body - 2) / 2 : body - 2);
  }
}

// Thin slices of a bar lie on the ranks in turn: its name goes from rank to rank many times.
TEST(Components, AreFoundAcrossManyPieces) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    Scene scene = box_scene({{1, 1, 1}}, {{1, 1, 1}}, material(MaterialModel::corotated));
    scene.bodies[0].mesh = bar_spec();
    scene.bodies[0].components = true;
    std::vector<std::unique_ptr<TetrahedraSource>> sources;
    sources.push_back(make_generator(scene.bodies[0].mesh));
    BlockMesh blocks = make_block_mesh(scene, sources, {}, part);
    std::vector<int> owners;
    for (const Vec3& x : blocks.positions) owners.push_back(static_cast<int>((x[0] + 0.51) * 10) % ranks);
    LocalMesh mesh = distribute(std::move(blocks), owners, part);
    mesh.scene_body = {0};
    split_components(scene, part, mesh);
    EXPECT_EQ(mesh.scene_body, std::vector<int>({0}));
    for (const std::int32_t body : mesh.vertex_body) EXPECT_EQ(body, 0);
  }
}

}  // namespace
}  // namespace unbarred::test
