// Regions of a mesh on 1 to 4 ranks: selections by name, copies of a repeated body included.
#include <gtest/gtest.h>

#include "dynamics/motions/selection.hpp"
#include "scene/mesh_regions.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

/// A generated mesh whose tetrahedra are in region "first" or "last" by their number, the middle third in none.
class WithRegions final : public TetrahedraSource {
 public:
  explicit WithRegions(const MeshSpec& spec) : mesh_(make_generator(spec)) {}
  GlobalIndex vertex_count() const override { return mesh_->vertex_count(); }
  GlobalIndex tetrahedron_count() const override { return mesh_->tetrahedron_count(); }
  std::vector<Vec3> vertices(const Communicator& communicator, GlobalIndex begin, GlobalIndex end) const override {
    return mesh_->vertices(communicator, begin, end);
  }
  std::vector<GlobalTetrahedron> tetrahedra(const Communicator& communicator, GlobalIndex begin,
                                            GlobalIndex end) const override {
    return mesh_->tetrahedra(communicator, begin, end);
  }
  std::vector<std::string> region_names() const override { return {"first", "last"}; }
  std::vector<std::int32_t> regions(const Communicator&, GlobalIndex begin, GlobalIndex end) const override {
    std::vector<std::int32_t> regions;
    for (GlobalIndex e = begin; e < end; ++e) regions.push_back(region(e, tetrahedron_count()));
    return regions;
  }
  static std::int32_t region(GlobalIndex e, GlobalIndex count) {
    return 3 * e < count ? 0 : 3 * e >= 2 * count ? 1 : -1;
  }

 private:
  std::unique_ptr<TetrahedraSource> mesh_;
};

Scene two_bodies() {
  Scene scene = box_scene({{3, 1, 1}}, {{6, 2, 2}}, material(MaterialModel::corotated));
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].repeat.count = {2, 1, 1};
  scene.bodies[1].repeat.spacing = {{5, 0, 0}};
  scene.bodies[1].place.translate = {{0, 3, 0}};
  SpringSpec spring;
  spring.body = 1;
  spring.select.shape = Selection::Shape::region;
  spring.select.region = "last";
  scene.springs = {spring};
  return scene;
}

TEST(Regions, AreTheSameOnAnyNumberOfRanks) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    Scene scene = two_bodies();
    std::vector<std::unique_ptr<TetrahedraSource>> sources;
    for (const BodySpec& body : scene.bodies) sources.push_back(std::make_unique<WithRegions>(body.mesh));
    LocalMesh mesh = load_mesh(scene, part);
    add_regions(scene, sources, part, mesh);
    ASSERT_EQ(mesh.regions.size(), 4u);
    const GlobalIndex size = sources[0]->tetrahedron_count();
    std::vector<std::uint8_t> expected(mesh.rest_positions.size(), 0);
    for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
      const GlobalIndex body = mesh.tetrahedron_ids[e] / size;  // the second and third are copies of scene body 1
      const std::int32_t region = WithRegions::region(mesh.tetrahedron_ids[e] % size, size);
      EXPECT_EQ(mesh.region[e], region < 0 ? -1 : region + (body > 0 ? 2 : 0));
      if (body > 0 && region == 1)
        for (const Index v : mesh.tetrahedra[e]) expected[v] = 1;
    }
    const SpringSpec& spring = scene.springs[0];
    std::vector<std::uint8_t> found(expected.size(), 0);
    for (const Index v : selected_vertices(spring.select, 1, {}, mesh, scene_bodies(scene))) found[v] = 1;
    EXPECT_EQ(found, expected);
    GlobalIndex owned = 0;
    for (Index v = 0; v < mesh.map.owned(); ++v) owned += found[v];
    EXPECT_EQ(part.sum(owned), 2 * 34);  // two copies of 8 of 24 cells: one row of 6, and 2 of another
  }
}

TEST(Regions, UnknownOnesAreNamedWithTheKnown) {
  Scene scene = two_bodies();
  std::vector<std::unique_ptr<TetrahedraSource>> sources;
  for (const BodySpec& body : scene.bodies) sources.push_back(std::make_unique<WithRegions>(body.mesh));
  LocalMesh mesh = load_mesh(scene, world());
  add_regions(scene, sources, world(), mesh);
  Selection select = scene.springs[0].select;
  select.region = "lost";
  try {
    selected_vertices(select, 0, {"s.yaml", 3, 1}, mesh, scene_bodies(scene));
    FAIL() << "there is no such region";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "s.yaml:3:1: the mesh has no region `lost`; it has: first, last");
  }
}

}  // namespace
}  // namespace unbarred::test
