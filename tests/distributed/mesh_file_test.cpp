// Mesh files and generators give the same mesh on 1, 2, 3 and 4 ranks, ranks without an element included.
#include <gtest/gtest.h>

#include "io/mesh/mesh_file.hpp"
#include "io/mesh/surface_file.hpp"
#include "support/mesh_variants.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

/// A file that rank 0 writes; its path on every rank.
class SharedFile {
 public:
  SharedFile(const Communicator& communicator, const std::string& suffix, const std::string& text) {
    if (communicator.is_root()) file_ = std::make_unique<test::TemporaryFile>("_shared" + suffix, text);
    spec.file = communicator.broadcast(file_ ? file_->path().string() : std::string(), 0);
  }
  MeshSpec spec;

 private:
  std::unique_ptr<test::TemporaryFile> file_;
};

template <class Check>
void on_any_ranks(const Check& check) {
  for (int ranks = 1; ranks <= test::world().size(); ++ranks) {
    const Communicator group = test::group(ranks);
    if (test::works_in(ranks)) check(group);
    group.barrier();
  }
}

TEST(MeshFile, RegionsFollowTheirTetrahedra) {
  on_any_ranks([](const Communicator& group) {
    for (const std::string suffix : {".msh", ".vtk"}) {
      const SharedFile file(group, suffix,
                            suffix == ".msh" ? test::msh41({true, true}, true) : test::vtk_legacy(true, 5));
      const auto source = open_mesh_file(file.spec, group);
      const test::WholeMesh mesh = test::whole(*source, group);
      EXPECT_TRUE(test::same(mesh.positions, test::Sample().x));
      ASSERT_EQ(mesh.tetrahedra.size(), 2u);
      EXPECT_EQ(mesh.tetrahedra[1].v[0], 1);
      const bool msh = suffix == ".msh";
      EXPECT_EQ(source->region_names(), msh ? std::vector<std::string>({"left", "7"}) : std::vector<std::string>());
      const BlockDistribution blocks{2, group.size()};
      const auto own = source->regions(group, blocks.begin(group.rank()), blocks.end(group.rank()));
      for (std::size_t t = 0; t < own.size(); ++t)
        EXPECT_EQ(own[t], msh ? blocks.begin(group.rank()) + static_cast<GlobalIndex>(t) : -1);
      group.barrier();
    }
  });
}

TEST(SurfaceFile, IsTheSameOnEveryRank) {
  on_any_ranks([](const Communicator& group) {
    const SharedFile file(group, ".obj", test::obj_surface());
    MeshReport report;
    const auto surface = open_surface_file(file.spec, group, &report);
    EXPECT_EQ(surface->vertex_count(), 4);
    EXPECT_EQ(surface->triangle_count(), 4);
    EXPECT_EQ(report.ignored_elements, 1);
    const auto triangles = surface->triangles(group, 1, 3);
    ASSERT_EQ(triangles.size(), 2u);
    EXPECT_EQ(triangles[1].v[2], 3);
    EXPECT_EQ(surface->vertices(group, 3, 4)[0][2], 1);
    const SharedFile wrong(group, ".obj", "v 0 0 0\nf 1 1 1\n");
    try {
      open_surface_file(wrong.spec, group);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("triangle 1 has no area"), std::string::npos);
    }
    group.barrier();
  });
}

TEST(GeneratedMesh, IsTheSameOnAnyRanks) {
  MeshSpec torus, sphere;
  torus.generator = "torus";
  torus.parameters = {{"radius", {1}}, {"tube_radius", {0.3}}, {"cells", {3}}};
  sphere.generator = "sphere";
  sphere.parameters = {{"radius", {1}}, {"cells", {3}}};
  const Communicator alone = test::world().split(test::world().rank());
  const test::WholeMesh expected = test::whole(*make_generator(torus), alone);
  on_any_ranks([&](const Communicator& group) {
    const test::WholeMesh mesh = test::whole(*make_generator(torus), group);
    EXPECT_TRUE(test::same(mesh.positions, expected.positions));
    EXPECT_TRUE(test::same(mesh.tetrahedra, expected.tetrahedra));
    const auto surface = make_surface_generator(sphere);
    const BlockDistribution blocks{surface->vertex_count(), group.size()};
    const auto part = surface->vertices(group, blocks.begin(group.rank()), blocks.end(group.rank()));
    EXPECT_EQ(group.sum(static_cast<GlobalIndex>(part.size())), 56);
  });
}

}  // namespace
}  // namespace unbarred
