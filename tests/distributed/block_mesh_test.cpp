// The block mesh of a scene and the mesh of a file are the same on 1, 2, 3 and 4 ranks, to the last bit.
#include <gtest/gtest.h>

#include "io/mesh/mesh_file.hpp"
#include "io/scene/scene_reader.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

const char* const text = R"yaml(
time: {step: 0.01, end: 1.0}
materials:
  a: {density: 1000, young: 1.0e6, poisson: 0.3}
  b: {density: 1000, young: 1.0e6, poisson: 0.3}
bodies:
  tiny: {mesh: {box: {size: [1, 1, 1], cells: 1}}, material: b, repeat: {count: [3, 1, 2], spacing: [2, 0, 3]}}
  balls:
    mesh: {ball: {radius: 0.5, cells: 3}}
    material: a
    place: {rotate: {axis: [1, 2, 3], degrees: 40}, translate: [5, 0, 0]}
    repeat: {count: [2, 2, 1], spacing: [1.1, 1.2, 1.3], jitter: 0.02, seed: 7}
  bar: {mesh: {file: meshes/bar.msh, scale: 2}, material: b, repeat: {count: [1, 2, 1], spacing: [0, 9, 0]}}
)yaml";

struct WholeBlockMesh {
  test::WholeMesh mesh;
  std::vector<std::int32_t> vertex_body, material;
};

Scene scene() { return parse_scene(text, UNBARRED_SOURCE_DIR "/scenes/block_mesh.yaml", {}); }

WholeBlockMesh block_mesh(const Scene& scene, const Communicator& communicator) {
  std::vector<std::unique_ptr<TetrahedraSource>> sources;
  for (const BodySpec& body : scene.bodies)
    sources.push_back(body.mesh.file.empty() ? make_generator(body.mesh) : open_mesh_file(body.mesh, communicator));
  const BlockMesh mesh = make_block_mesh(scene, sources, {}, communicator);
  const int rank = communicator.rank();
  EXPECT_EQ(static_cast<GlobalIndex>(mesh.positions.size()), mesh.vertices.end(rank) - mesh.vertices.begin(rank));
  EXPECT_EQ(static_cast<GlobalIndex>(mesh.connectivity.size()),
            mesh.tetrahedra.end(rank) - mesh.tetrahedra.begin(rank));
  EXPECT_EQ(mesh.vertex_body.size(), mesh.positions.size());
  EXPECT_EQ(mesh.material.size(), mesh.connectivity.size());
  return {{gather_range(communicator, mesh.positions, 0, mesh.vertices.size),
           gather_range(communicator, mesh.connectivity, 0, mesh.tetrahedra.size)},
          gather_range(communicator, mesh.vertex_body, 0, mesh.vertices.size),
          gather_range(communicator, mesh.material, 0, mesh.tetrahedra.size)};
}

TEST(BlockMesh, IsTheSameOnAnyNumberOfRanks) {
  const Communicator alone = test::world().split(test::world().rank());
  const WholeBlockMesh serial = block_mesh(scene(), alone);
  for (int ranks = 1; ranks <= test::world().size(); ++ranks) {
    const Communicator group = test::group(ranks);
    if (!test::works_in(ranks)) continue;
    const WholeBlockMesh mesh = block_mesh(scene(), group);
    EXPECT_TRUE(test::same(mesh.mesh.positions, serial.mesh.positions)) << ranks << " ranks";
    EXPECT_TRUE(test::same(mesh.mesh.tetrahedra, serial.mesh.tetrahedra)) << ranks << " ranks";
    EXPECT_EQ(mesh.vertex_body, serial.vertex_body);
    EXPECT_EQ(mesh.material, serial.material);
  }
}

TEST(BlockMesh, NumbersBodiesAndCopiesInOrder) {
  const Communicator alone = test::world().split(test::world().rank());
  const WholeBlockMesh all = block_mesh(scene(), alone);
  ASSERT_EQ(all.mesh.positions.size(), 6u * 8 + 4 * 64 + 2 * 496);
  ASSERT_EQ(all.mesh.tetrahedra.size(), 6u * 6 + 4 * 162 + 2 * 1620);
  EXPECT_EQ(all.vertex_body.front(), 0);
  EXPECT_EQ(all.vertex_body[6 * 8], 6);
  EXPECT_EQ(all.vertex_body.back(), 11);
  EXPECT_EQ(all.material.front(), 1);
  EXPECT_EQ(all.material[36], 0);
  // Copy 4 of the tiny box is the one at (1, 0, 1) of the grid.
  const Vec3 shift = all.mesh.positions[4 * 8] - all.mesh.positions[0];
  EXPECT_EQ(shift[0], 2);
  EXPECT_EQ(shift[1], 0);
  EXPECT_EQ(shift[2], 3);
  for (const auto& t : all.mesh.tetrahedra) {
    const auto body = all.vertex_body[static_cast<std::size_t>(t.v[0])];
    Vec3 x[4];
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(all.vertex_body[static_cast<std::size_t>(t.v[i])], body);
      x[i] = all.mesh.positions[static_cast<std::size_t>(t.v[i])];
    }
    EXPECT_GT(dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]), 0);
  }
}

TEST(BlockMesh, JitterIsSmallDiffersAndFollowsTheSeed) {
  const Communicator alone = test::world().split(test::world().rank());
  Scene first = scene();
  first.bodies.erase(first.bodies.begin() + 2);
  Scene second = first;
  second.bodies[1].repeat.seed = 8;
  const auto a = block_mesh(first, alone).mesh.positions, b = block_mesh(second, alone).mesh.positions;
  const std::size_t ball = 48, next = ball + 64;
  const Vec3 step = a[next] - a[ball];
  EXPECT_NE(step[0], 1.1);
  EXPECT_NEAR(step[0], 1.1, 0.04);
  EXPECT_NEAR(step[1], 0, 0.04);
  EXPECT_NE(a[ball][0], b[ball][0]);
  EXPECT_NEAR(a[ball][0], b[ball][0], 0.04);
  EXPECT_EQ(a[0][0], b[0][0]);
}

/// Two tetrahedra (the second is still to come), the first mirrored, a triangle, an unused vertex.
const std::string nodes =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n5 9 9 9\n"
    "4 0 0 1\n6 1 1 1\n$EndNodes\n$Elements\n3\n1 2 0 1 2 3\n2 4 0 1 2 4 3\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

/// Message of the error that every rank must get, for a file that rank 0 writes.
std::string file_error(const Communicator& communicator, const std::string& content) {
  MeshSpec spec;
  std::unique_ptr<test::TemporaryFile> file;
  if (communicator.is_root()) file = std::make_unique<test::TemporaryFile>("_distributed.msh", content);
  spec.file = communicator.broadcast(file ? file->path().string() : std::string(), 0);
  std::string message = "no error";
  try {
    open_mesh_file(spec, communicator);
  } catch (const Error& error) {
    message = error.what();
  }
  communicator.barrier();
  const auto at = message.find(".msh");
  return at == std::string::npos ? message : message.substr(at + 4);
}

TEST(MeshFile, ReportsTheSameOnEveryRank) {
  const std::string last = "3 4 0 6 2 4 3\n$EndElements\n";
  for (int ranks = 1; ranks <= test::world().size(); ++ranks) {
    const Communicator group = test::group(ranks);
    if (!test::works_in(ranks)) continue;
    EXPECT_EQ(file_error(group, nodes + last), "no error");
    EXPECT_EQ(file_error(group, nodes + "3 4 0 1 2 3 3\n$EndElements\n"),
              ": element 3 has no volume: remove it, or repair the mesh");
    EXPECT_EQ(file_error(group, nodes + "3 4 0 1 2 3 4\n$EndElements\n"),
              ": tetrahedra 2 and 3 have the same corners (1 such in the file): merge them with `unbarred mesh weld`");
    EXPECT_EQ(file_error(group, replaced(nodes, "6 1 1 1", "6 0 0 0") + last),
              ": vertices 1 and 6 lie at the same place (1 such in the file): merge them with `unbarred mesh weld`");
    EXPECT_EQ(file_error(group, nodes), ":17: the file ends before element number: it is truncated");
    EXPECT_EQ(file_error(group, nodes + "3 4 0 1 2 3 7\n$EndElements\n"),
              ":17: element 3 uses the node 7, which $Nodes does not have");
  }
}

TEST(MeshFile, CountsTheSameOnEveryRank) {
  const Communicator& world = test::world();
  std::unique_ptr<test::TemporaryFile> file;
  if (world.is_root())
    file = std::make_unique<test::TemporaryFile>("_counts.msh", nodes + "3 4 0 6 2 4 3\n$EndElements\n");
  MeshSpec spec;
  spec.file = world.broadcast(file ? file->path().string() : std::string(), 0);
  MeshReport report;
  const auto source = open_mesh_file(spec, world, &report);
  EXPECT_EQ(source->vertex_count(), 5);
  EXPECT_EQ(source->tetrahedron_count(), 2);
  EXPECT_EQ(report.reoriented, 1);
  EXPECT_EQ(report.dropped_vertices, 1);
  EXPECT_EQ(report.ignored_elements, 1);
  const auto mesh = test::whole(*source, world);
  EXPECT_EQ(mesh.positions[3][2], 1);
  EXPECT_EQ(mesh.tetrahedra[0].v[2], 2);
  EXPECT_EQ(mesh.tetrahedra[1].v[0], 4);
  world.barrier();
}

}  // namespace
}  // namespace unbarred
