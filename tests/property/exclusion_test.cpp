// Which pairs of primitives are candidates, against the rules in words.
#include "contact/search/exclusion.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/box_soups.hpp"

namespace unbarred {
namespace {

struct World {
  static constexpr Index vertex_count = 60;
  std::vector<std::int32_t> body;
  std::vector<std::uint8_t> prescribed;
  std::set<std::pair<int, int>> excluded;
  std::vector<Edge> edges;
  std::vector<SurfaceVertex> vertices;
  std::vector<Triangle> triangles;

  explicit World(std::uint64_t seed) {
    test::RandomMatrices random(seed);
    for (Index v = 0; v < vertex_count; ++v) {
      body.push_back(v / 10);  // six bodies
      prescribed.push_back(random.uniform(0, 1) < 0.6);
      vertices.push_back({{v}});
    }
    for (int n = 0; n < 200; ++n) {
      const Index first = 10 * static_cast<Index>(random.uniform(0, 6));
      Index v[3];
      for (Index& i : v) i = first + static_cast<Index>(random.uniform(0, 10));
      edges.push_back({{v[0], v[1]}});
      triangles.push_back({{v[0], v[1], v[2]}});
    }
    excluded = {{0, 0}, {1, 4}, {2, 3}, {5, 5}};
  }
  std::vector<std::uint64_t> keys() const {
    std::vector<std::uint64_t> list;
    for (const auto& [a, b] : excluded) list.push_back(body_pair_key(b, a));
    std::sort(list.begin(), list.end());
    return list;
  }
  template <int A, int B>
  bool kept(const Primitive<A>& p, const Primitive<B>& q, bool with_bodies, bool drop_prescribed) const {
    std::set<Index> all(p.v, p.v + A);
    for (const Index v : q.v)
      if (all.contains(v)) return false;
    all.insert(q.v, q.v + B);
    const int a = body[static_cast<std::size_t>(p.v[0])], b = body[static_cast<std::size_t>(q.v[0])];
    if (with_bodies && excluded.contains({std::min(a, b), std::max(a, b)})) return false;
    if (!drop_prescribed) return true;
    for (const Index v : all)
      if (prescribed[static_cast<std::size_t>(v)] == 0) return true;
    return false;
  }
};

/// Boxes that all overlap, so that only the filter decides.
BoxList everywhere(std::size_t count) {
  BoxList list;
  list.build(DeviceArray<Box>(std::vector<Box>(count, Box{{0, 0, 0}, {1, 1, 1}})).view());
  return list;
}

TEST(PairFilter, FollowsTheRules) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const World world(seed);
    const DeviceArray<Edge> edges(world.edges);
    const DeviceArray<SurfaceVertex> vertices(world.vertices);
    const DeviceArray<Triangle> triangles(world.triangles);
    const DeviceArray<std::int32_t> body(world.body);
    const DeviceArray<std::uint64_t> excluded(world.keys());
    const DeviceArray<std::uint8_t> prescribed(world.prescribed);
    for (int choice = 0; choice < 4; ++choice) {
      const bool with_bodies = choice & 1, drop_prescribed = choice & 2;
      PairRules rules{.body = body.view(), .excluded = {}, .prescribed = {}};
      if (drop_prescribed) rules.prescribed = prescribed.view();
      if (with_bodies) rules.excluded = excluded.view();
      BruteForceSearch search;
      test::PairList expected;
      for (std::size_t a = 0; a < world.edges.size(); ++a)
        for (std::size_t b = a + 1; b < world.edges.size(); ++b)
          if (world.kept(world.edges[a], world.edges[b], with_bodies, drop_prescribed))
            expected.push_back({static_cast<Index>(a), static_cast<Index>(b)});
      const AdmitsEdges edge_filter{.first = edges.view(), .second = edges.view(), .rules = rules};
      EXPECT_EQ(test::in_order(search.within(everywhere(world.edges.size()), edge_filter)), expected);
      expected.clear();
      for (std::size_t a = 0; a < world.vertices.size(); ++a)
        for (std::size_t b = 0; b < world.triangles.size(); ++b)
          if (world.kept(world.vertices[a], world.triangles[b], with_bodies, drop_prescribed))
            expected.push_back({static_cast<Index>(a), static_cast<Index>(b)});
      const AdmitsVertexTriangle filter{.first = vertices.view(), .second = triangles.view(), .rules = rules};
      EXPECT_EQ(
          test::in_order(search.between(everywhere(world.vertices.size()), everywhere(world.triangles.size()), filter)),
          expected);
      EXPECT_GT(expected.size(), 1000U);
    }
  }
}

TEST(PairFilter, WithoutRulesOnlyNeighborsAreDropped) {
  const DeviceArray<Edge> edges(std::vector<Edge>{{{0, 1}}, {{1, 2}}, {{2, 3}}, {{3, 0}}});
  BruteForceSearch search;
  const AdmitsEdges filter{.first = edges.view(), .second = edges.view(), .rules = {}};
  EXPECT_EQ(test::in_order(search.within(everywhere(4), filter)), (test::PairList{{0, 2}, {1, 3}}));
}

TEST(PairFilter, BodyPairKeyIsTheSameInEitherOrder) {
  EXPECT_EQ(body_pair_key(3, 7), body_pair_key(7, 3));
  EXPECT_NE(body_pair_key(3, 7), body_pair_key(3, 8));
  EXPECT_LT(body_pair_key(3, 1000000), body_pair_key(4, 4));
}

}  // namespace
}  // namespace unbarred
