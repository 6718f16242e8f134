// A multiplier follows what slides off its triangle: as a whole, to whoever is closer, alike on 1 to 4 ranks.
#include "contact/pairs/hand_over.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "contact/pairs/pair_values.hpp"
#include "partitioning/range_exchange.hpp"
#include "support/random_owners.hpp"
#include "support/test_surfaces.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

constexpr Real coefficient = 0.25;

/// A ground, which is body 0, and triangles above it, each a body; vertices are numbered in this order.
struct Surfaces {
  std::vector<ListedSurface> all;
  void add_tip(const Vec3& x) { all.push_back({{x, x + Vec3{{0.1, 1, 0}}, x + Vec3{{0, 1, 0.1}}}, {{{0, 1, 2}}}}); }
};

/// A pair that holds something, with its bodies.
SavedPair pair(PairKind kind, const std::array<GlobalIndex, 4>& ids, std::array<std::int32_t, 2> body,
               Real multiplier) {
  SavedPair pair{{kind, {ids[0], ids[1], ids[2], ids[3]}}, {{0, 0, 0, 0}, {body[0], body[1]}}, {}};
  pair.state.pair.kind = kind;
  pair.state.active = 1;
  pair.state.multiplier = multiplier;
  pair.state.decay = pair.state.adapted = 1;
  pair.state.penalty = 3;
  return pair;
}
SavedPair over(GlobalIndex vertex, std::array<GlobalIndex, 3> triangle, Real multiplier, std::int32_t tip = 1) {
  return pair(PairKind::vertex_triangle, {vertex, triangle[0], triangle[1], triangle[2]}, {tip, 0}, multiplier);
}

/// One rank's part of it.
class Hovering {
 public:
  Hovering(const Communicator& communicator, const Surfaces& surfaces, const std::vector<SavedPair>& pairs,
           unsigned seed)
      : ring_(communicator),
        mesh_(distributed(surfaces, seed)),
        transport_(make_transport(ring_)),
        surface_(build_surface(mesh_, ring_)),
        hand_over_(ring_, mesh_.map, surface_),
        active_(ring_, mesh_.map, *transport_, [](std::int32_t a, std::int32_t b) { return coefficient * (a + b); }),
        x_(mesh_.map),
        values_(active_) {
    const View<Vec3> into = x_.write_local();
    if (into.size() > 0)
      memory::copy_to_device(into.data(), mesh_.rest_positions.data(), mesh_.rest_positions.size() * sizeof(Vec3));
    std::vector<SavedPair> mine;
    for (SavedPair pair : pairs) {
      for (int k = 0; k < 4; ++k) pair.holders.owner[k] = owners_[static_cast<std::size_t>(pair.key.id[k])];
      if (ring_.is_root()) mine.push_back(pair);
    }
    active_.restore(mine);
  }

  /// All pairs after one hand-over, by key. @note Collective
  std::vector<SavedPair> hand_over() {
    linearize(active_.pairs(), values_.receive(x_), false);
    active_.update(hand_over_.decide(active_, values_.values()), {.least_decay = 0.01});
    EXPECT_NO_THROW(active_.require_equal_copies());
    const std::vector<SavedPair> mine = active_.saved();
    std::vector<SavedPair> all = ring_.all_gather_lists(std::span<const SavedPair>(mine));
    std::ranges::sort(all, [](const SavedPair& a, const SavedPair& b) { return a.key < b.key; });
    for (const SavedPair& pair : all)
      for (int k = 0; k < 4; ++k)
        EXPECT_EQ(pair.holders.owner[k], owners_[static_cast<std::size_t>(pair.key.id[k])]) << k;
    return all;
  }
  /// Lets all pairs hold, as an evaluation would where they are near.
  void activate() {
    std::vector<ActivePair> pairs = active_.to_host();
    for (ActivePair& pair : pairs) pair.active = 1;
    if (!pairs.empty()) memory::copy_to_device(active_.pairs().data(), pairs.data(), pairs.size() * sizeof(ActivePair));
  }

 private:
  LocalMesh distributed(const Surfaces& surfaces, unsigned seed) {
    Scene scene;
    for (std::size_t o = 0; o < surfaces.all.size(); ++o)
      scene.obstacles.push_back(obstacle(std::to_string(o), {{0, 0, 0}}));
    BlockMesh block = block_mesh(scene, surfaces.all, ring_);
    const std::vector<int> owners = random_owners(ring_, block, seed);
    owners_ = gather_range(ring_, owners, 0, block.vertices.size);
    return distribute(std::move(block), owners, ring_);
  }

  const Communicator& ring_;
  std::vector<int> owners_;  // of all vertices
  LocalMesh mesh_;
  std::unique_ptr<Transport> transport_;
  Surface surface_;
  HandOver hand_over_;
  ActiveSet active_;
  Field x_;
  PairValues values_;
};

/// Three triangles in a row, (0 1 2), (1 2 3) and (2 3 4), bent along the edge 1-2 by the height of the rest, and a tip
/// above the middle one: vertex 5, body 1.
Surfaces strip(const Vec3& tip, Real rise = 0) {
  Surfaces surfaces;
  surfaces.all.push_back({{{{-1, 0, 0}}, {{0, 0, -1}}, {{0, 0, 1}}, {{1, rise, 0}}, {{1, rise, 2}}},
                          {{{0, 2, 1}}, {{1, 2, 3}}, {{2, 4, 3}}}});
  surfaces.add_tip(tip);
  return surfaces;
}
const Vec3 above_the_middle{{0.02, 0.01, 0.9}};

/// f(pairs after a hand-over) for random owners on 1 to 4 ranks.
template <class F>
void after_hand_over(const Surfaces& surfaces, const std::vector<SavedPair>& pairs, F f) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    for (unsigned seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, seed " + std::to_string(seed));
      f(Hovering(ring, surfaces, pairs, seed).hand_over());
    }
  }
}

void expect_key(const SavedPair& found, const SavedPair& expected) {
  EXPECT_TRUE(found.key == expected.key) << found.key.id[0] << " " << found.key.id[1] << " " << found.key.id[2] << " "
                                         << found.key.id[3];
}

TEST(HandOverRanks, AMultiplierGoesAsAWholeToTheNextTriangle) {
  after_hand_over(strip(above_the_middle), {over(5, {0, 1, 2}, 0.7)}, [](const std::vector<SavedPair>& after) {
    ASSERT_EQ(after.size(), 1u);
    expect_key(after[0], over(5, {1, 2, 3}, 0));
    EXPECT_EQ(after[0].state.multiplier, 0.7);
    EXPECT_EQ(after[0].state.decay, 1);
    EXPECT_EQ(after[0].state.friction, coefficient);
    EXPECT_EQ(after[0].state.valley, 0);
    EXPECT_EQ(after[0].holders.body[0], 1);
    EXPECT_EQ(after[0].holders.body[1], 0);
  });
}

TEST(HandOverRanks, MultipliersFromTwoTrianglesAddUpInTheThird) {
  const std::vector<SavedPair> before{over(5, {0, 1, 2}, 0.5), over(5, {2, 3, 4}, 0.125)};
  after_hand_over(strip(above_the_middle), before, [](const std::vector<SavedPair>& after) {
    ASSERT_EQ(after.size(), 1u);
    expect_key(after[0], over(5, {1, 2, 3}, 0));
    EXPECT_EQ(after[0].state.multiplier, 0.625);
  });
}

TEST(HandOverRanks, APairThatIsThereKeepsWhatItHasAndGetsTheRest) {
  const std::vector<SavedPair> before{over(5, {0, 1, 2}, 0.5), over(5, {1, 2, 3}, 0.25)};
  after_hand_over(strip(above_the_middle), before, [](const std::vector<SavedPair>& after) {
    ASSERT_EQ(after.size(), 1u);
    expect_key(after[0], over(5, {1, 2, 3}, 0));
    EXPECT_EQ(after[0].state.multiplier, 0.75);
    EXPECT_EQ(after[0].state.penalty, 3);
  });
}

TEST(HandOverRanks, AnEndOfAnEdgeGoesToTheTriangleBesideTheOtherEdge) {
  const SavedPair edges = pair(PairKind::edge_edge, {1, 2, 5, 6}, {0, 1}, 0.7);
  after_hand_over(strip(above_the_middle), {edges}, [](const std::vector<SavedPair>& after) {
    ASSERT_EQ(after.size(), 1u);
    expect_key(after[0], over(5, {1, 2, 3}, 0));
    EXPECT_EQ(after[0].state.multiplier, 0.7);
    EXPECT_EQ(after[0].holders.body[0], 1);
    EXPECT_EQ(after[0].holders.body[1], 0);
  });
}

TEST(HandOverRanks, AValleyKeepsBothTriangles) {
  const Real rise = 0.2;
  const Vec3 tip{{0.02, 0.02 * rise + 0.01, 0}};
  after_hand_over(strip(tip, rise), {over(5, {0, 1, 2}, 0.7)}, [](const std::vector<SavedPair>& after) {
    ASSERT_EQ(after.size(), 2u);
    expect_key(after[0], over(5, {0, 1, 2}, 0));
    EXPECT_EQ(after[0].state.multiplier, 0.7);
    EXPECT_EQ(after[0].state.decay, 1);
    EXPECT_EQ(after[0].state.valley, 1);
    expect_key(after[1], over(5, {1, 2, 3}, 0));
    EXPECT_EQ(after[1].state.multiplier, 0);
    EXPECT_EQ(after[1].state.decay, 1);
    EXPECT_EQ(after[1].state.valley, 0);
  });
}

TEST(HandOverRanks, WhatIsInsideItsTriangleStays) {
  after_hand_over(strip(above_the_middle), {over(5, {1, 2, 3}, 0.7)}, [](const std::vector<SavedPair>& after) {
    ASSERT_EQ(after.size(), 1u);
    expect_key(after[0], over(5, {1, 2, 3}, 0));
    EXPECT_EQ(after[0].state.multiplier, 0.7);
  });
}

TEST(HandOverRanks, WhatHoldsNothingStays) {
  SavedPair inactive = over(5, {0, 1, 2}, 0.7), empty = over(5, {2, 3, 4}, 0);
  inactive.state.active = 0;
  after_hand_over(strip(above_the_middle), {inactive, empty}, [](const std::vector<SavedPair>& after) {
    ASSERT_EQ(after.size(), 2u);
    expect_key(after[0], over(5, {0, 1, 2}, 0));
    EXPECT_EQ(after[0].state.multiplier, 0.7);
    expect_key(after[1], over(5, {2, 3, 4}, 0));
    EXPECT_EQ(after[1].state.multiplier, 0);
  });
}

/// A bumpy ground of n x n squares with many tips a little above it, each held by triangles nearby but not its own.
struct Bumpy {
  static constexpr GlobalIndex n = 6;
  static constexpr int tips = 25;
  static Real height(Real x, Real z) { return 0.03 * std::sin(11 * x + 1) * std::cos(9 * z); }

  Bumpy() {
    const ListedSurface flat = square(n);
    const Communicator& any = world();
    std::vector<Vec3> vertices = flat.vertices(any, 0, flat.vertex_count());
    for (Vec3& x : vertices) x = {{x[0], height(x[0], x[1]), x[1]}};
    const std::vector<GlobalTriangle> triangles = flat.triangles(any, 0, flat.triangle_count());
    surfaces.all.push_back({vertices, triangles});
    std::mt19937 random(7);
    std::uniform_real_distribution<Real> place(-0.45, 0.45), size(0.1, 1);
    for (std::int32_t tip = 1; tip <= tips; ++tip) {
      const Real x = place(random), z = place(random);
      const Vec3 at{{x, height(x, z) + 0.03, z}};
      const auto vertex = static_cast<GlobalIndex>(vertices.size()) + 3 * (tip - 1);
      surfaces.add_tip(at);
      for (const GlobalTriangle& t : triangles) {
        std::array<GlobalIndex, 3> ids{t.v[0], t.v[1], t.v[2]};
        std::ranges::sort(ids);
        Vec3 middle{{0, 0, 0}};
        for (const GlobalIndex v : ids) middle += Real(1.0 / 3) * vertices[static_cast<std::size_t>(v)];
        if (squared_norm(middle - at) < 0.2 * 0.2 && random() % 2 == 0)
          pairs.push_back(over(vertex, ids, size(random), tip));
      }
    }
  }
  Surfaces surfaces;
  std::vector<SavedPair> pairs;
};

std::vector<Real> by_tip(const std::vector<SavedPair>& pairs) {
  std::vector<Real> sums(Bumpy::tips + 1, 0);
  for (const SavedPair& pair : pairs)
    sums[static_cast<std::size_t>(std::max(pair.holders.body[0], pair.holders.body[1]))] += pair.state.multiplier;
  return sums;
}

TEST(HandOverRanks, KeepTheSumOfMultipliersAndAgreeToTheLastBit) {
  constexpr int rounds = 5;
  const Bumpy bumpy;
  const Communicator alone = world().split(world().rank());
  Hovering reference(alone, bumpy.surfaces, bumpy.pairs, 1);
  const std::vector<Real> sums = by_tip(bumpy.pairs);
  std::vector<std::vector<SavedPair>> expected;
  for (int round = 0; round < rounds; ++round) {
    expected.push_back(reference.hand_over());
    reference.activate();
    const std::vector<Real> now = by_tip(expected.back());
    for (std::size_t b = 0; b < sums.size(); ++b) EXPECT_NEAR(now[b], sums[b], 1e-14 * sums[b]) << b;
  }
  EXPECT_GT(bumpy.pairs.size(), 2 * expected.back().size());
  EXPECT_GT(std::ranges::count_if(expected.back(), [](const SavedPair& p) { return p.state.valley != 0; }), 3);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    Hovering shared(ring, bumpy.surfaces, bumpy.pairs, 5);
    for (const std::vector<SavedPair>& wanted : expected) {
      const std::vector<SavedPair> found = shared.hand_over();
      shared.activate();
      ASSERT_EQ(found.size(), wanted.size()) << ranks << " ranks";
      for (std::size_t i = 0; i < found.size(); ++i) {
        expect_key(found[i], wanted[i]);
        EXPECT_EQ(found[i].state.multiplier, wanted[i].state.multiplier);
        EXPECT_EQ(found[i].state.valley, wanted[i].state.valley);
      }
    }
  }
}

}  // namespace
}  // namespace unbarred::test
