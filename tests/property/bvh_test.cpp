// The tree finds what brute force finds.
#include "contact/search/bvh.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include "contact/search/exclusion.hpp"
#include "contact/search/hilbert.hpp"
#include "core/error.hpp"
#include "scene/tetrahedra_source.hpp"
#include "support/boundary.hpp"
#include "support/box_soups.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

/// Runs with a number of threads, and restores the old one.
class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

class BvhSoup : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(sizes, BvhSoup, testing::Values(0, 1, 2, 3, 7, 8, 9, 64, 65, 100, 513, 2000));

TEST_P(BvhSoup, FindsTheSamePairsAsBruteForceAndAgainAfterRefits) {
  const int n = GetParam();
  for (const std::string& kind : test::soup_kinds()) {
    Bvh tree;
    BoxList list;
    PairSearch search;
    BruteForceSearch oracle;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {  // one build, then refits with boxes that lie elsewhere
      const test::Soup soup = test::draw_soup(kind, n, seed);
      SCOPED_TRACE(soup.name);
      const DeviceArray<Box> boxes = test::boxes_of(soup);
      seed == 1 ? tree.build(boxes.view()) : tree.refit(boxes.view());
      seed == 1 ? list.build(boxes.view()) : list.refit(boxes.view());
      const test::PairList expected = test::in_order(oracle.within(list, AdmitsAll{}));
      ASSERT_EQ(test::sorted(search.within(tree, AdmitsAll{})), expected);
      if (kind == "identical" || kind == "points") {
        ASSERT_EQ(static_cast<int>(expected.size()), n * (n - 1) / 2);
      }
    }
  }
}

TEST_P(BvhSoup, FindsTheSamePairsBetweenTwoTrees) {
  const int n = GetParam();
  for (const std::string& kind : test::soup_kinds())
    for (const int queries : {0, 1, 5, 200}) {
      const test::Soup a = test::draw_soup(kind, queries, 11), b = test::draw_soup(kind, n, 12);
      SCOPED_TRACE(a.name + " against " + b.name);
      const DeviceArray<Box> query_boxes = test::boxes_of(a), boxes = test::boxes_of(b);
      Bvh query_tree, tree;
      query_tree.build(query_boxes.view());
      tree.build(boxes.view());
      BoxList query_list, list;
      query_list.build(query_boxes.view());
      list.build(boxes.view());
      PairSearch search;
      BruteForceSearch oracle;
      ASSERT_EQ(test::sorted(search.between(query_tree, tree, AdmitsAll{})),
                test::in_order(oracle.between(query_list, list, AdmitsAll{})));
    }
}

TEST(Bvh, SoupsHavePairsToFind) {
  for (const std::string& kind : test::soup_kinds()) {
    BoxList list;
    list.build(test::boxes_of(test::draw_soup(kind, 500, 1)).view());
    BruteForceSearch oracle;
    EXPECT_GT(oracle.within(list, AdmitsAll{}).size(), 500) << kind;
  }
}

TEST(Bvh, SearchOfASurfaceWithFilters) {
  MeshSpec spec;
  spec.generator = "ball";
  spec.parameters = {{"radius", {1}}, {"cells", {10}}};
  const auto ball = make_generator(spec);
  const std::vector<Vec3> start = ball->vertices(test::world(), 0, ball->vertex_count());
  const test::SurfaceMesh surface = test::boundary_of(ball->tetrahedra(test::world(), 0, ball->tetrahedron_count()));
  ASSERT_EQ(surface.triangles.size(), 1200U);
  ASSERT_EQ(surface.edges.size(), 1800U);
  test::RandomMatrices random(3);
  std::vector<Vec3> end = start;
  const DeviceArray<Edge> edges(surface.edges);
  const DeviceArray<Triangle> triangles(surface.triangles);
  const DeviceArray<SurfaceVertex> vertices(surface.vertices);
  const AdmitsEdges edge_filter{.first = edges.view(), .second = edges.view(), .rules = {}};
  const AdmitsVertexTriangle filter{.first = vertices.view(), .second = triangles.view(), .rules = {}};
  Bvh tree[3];
  BoxList list[3];
  PairSearch search;
  BruteForceSearch oracle;
  for (int moved = 0; moved < 4; ++moved) {
    for (Vec3& x : end) x += 0.1 * moved * random.vector();
    const DeviceArray<Box> boxes[3] = {test::boxes_of(surface.edges, start, end, 1e-3),
                                       test::boxes_of(surface.vertices, start, end, 1e-3),
                                       test::boxes_of(surface.triangles, start, end, 1e-3)};
    for (int k = 0; k < 3; ++k) {
      moved == 0 ? tree[k].build(boxes[k].view()) : tree[k].refit(boxes[k].view());
      list[k].build(boxes[k].view());
    }
    const test::PairList edge_pairs = test::sorted(search.within(tree[0], edge_filter));
    EXPECT_EQ(edge_pairs, test::in_order(oracle.within(list[0], edge_filter)));
    EXPECT_GT(edge_pairs.size(), 100U);
    const test::PairList pairs = test::sorted(search.between(tree[1], tree[2], filter));
    EXPECT_EQ(pairs, test::in_order(oracle.between(list[1], list[2], filter)));
    EXPECT_GT(pairs.size(), 30U);
  }
}

/// The order of pairs, too.
TEST(Bvh, ResultIsTheSameForAnyNumberOfThreads) {
  for (const char* kind : {"uniform", "clustered", "grid", "fast"}) {
    const test::Soup soup = test::draw_soup(kind, 5000, 4), other = test::draw_soup(kind, 5000, 5);
    const DeviceArray<Box> boxes = test::boxes_of(soup), moved = test::boxes_of(other);
    std::vector<test::PairList> results[2];
    for (int threads = 1; threads <= 2; ++threads) {
      const Threads scope(threads);
      Bvh tree;
      PairSearch search;
      auto& result = results[threads - 1];
      tree.build(boxes.view());
      result.push_back(test::in_order(search.within(tree, AdmitsAll{})));
      tree.refit(moved.view());
      result.push_back(test::in_order(search.within(tree, AdmitsAll{})));
      result.push_back(test::in_order(search.between(tree, tree, AdmitsAll{})));
    }
    EXPECT_GT(results[0][0].size(), 1000U);
    EXPECT_EQ(results[0], results[1]) << kind;
  }
}

TEST(Bvh, PairsGrowWithoutLimitAndMemoryIsUsedAgain) {
  const DeviceArray<Box> few = test::boxes_of(test::draw_soup("uniform", 1000, 1));
  const DeviceArray<Box> many = test::boxes_of(test::draw_soup("identical", 1000, 1));
  Bvh tree;
  PairSearch search;
  tree.build(few.view());
  EXPECT_LT(search.within(tree, AdmitsAll{}).size(), 50000);
  tree.refit(many.view());
  EXPECT_EQ(search.within(tree, AdmitsAll{}).size(), 499500);
  EXPECT_EQ(search.between(tree, tree, AdmitsAll{}).size(), 1000000);
  const std::size_t used = memory::usage().current;
  memory::reset_peak();
  for (const DeviceArray<Box>* boxes : {&few, &many, &few}) {
    tree.build(boxes->view());
    tree.refit(boxes->view());
    search.within(tree, AdmitsAll{});
    search.between(tree, tree, AdmitsAll{});
  }
  EXPECT_EQ(memory::usage().current, used);
  EXPECT_EQ(memory::usage().peak, used);
}

TEST(Bvh, RefitWithAnotherNumberOfBoxesIsAnError) {
  Bvh tree;
  BoxList list;
  const DeviceArray<Box> boxes = test::boxes_of(test::draw_soup("uniform", 10, 1));
  tree.build(boxes.view());
  list.build(boxes.view());
  EXPECT_THROW(tree.refit(boxes.view().part(0, 9)), Error);
  EXPECT_THROW(list.refit(boxes.view().part(0, 9)), Error);
}

TEST(Hilbert, CubesNextToEachOtherOnTheCurveShareAFace) {
  constexpr int side = 16, bits = 4;
  std::vector<std::array<int, 3>> cubes(side * side * side, {{-1, -1, -1}});
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z) {
        const auto whole = [](int c) { return static_cast<std::uint32_t>(c) << (21 - bits) | 0x1abcdU >> bits; };
        cubes.at(hilbert_code(whole(x), whole(y), whole(z)) >> 3 * (21 - bits)) = {{x, y, z}};
      }
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    ASSERT_GE(cubes[i][0], 0) << "no cube has the code " << i;
    int distance = 0;
    for (std::size_t axis = 0; i > 0 && axis < 3; ++axis) distance += std::abs(cubes[i][axis] - cubes[i - 1][axis]);
    ASSERT_EQ(distance, i > 0 ? 1 : 0);
  }
}

}  // namespace
}  // namespace unbarred
