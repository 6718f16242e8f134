// Which bodies share a step length: the same islands on every rank, whoever knows the pairs.
#include "dynamics/bodies/islands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <random>

#include "support/world.hpp"

namespace unbarred::test {
namespace {

using Bodies = std::vector<std::size_t>;
using Touching = std::vector<std::array<std::int32_t, 2>>;  // bodies of pairs

std::vector<PairHolders> pairs_of(const Touching& touching) {
  std::vector<PairHolders> pairs;
  for (const auto& [a, b] : touching) pairs.push_back({.owner = {0, 0, 0, 0}, .body = {a, b}});
  return pairs;
}

/// Island of each body, where every rank of the world knows all pairs.
Islands coupled(std::size_t bodies, std::size_t first_obstacle, const Touching& touching) {
  Islands islands(bodies, first_obstacle);
  islands.couple(pairs_of(touching), world());
  return islands;
}

Bodies numbers(const Islands& islands, std::size_t bodies) {
  Bodies of;
  for (std::size_t b = 0; b < bodies; ++b) of.push_back(islands.of(b));
  return of;
}

TEST(Islands, AreSingleBodiesBeforeAnythingTouches) {
  const Islands fresh(4, 3), none = coupled(4, 3, {});
  for (const Islands& islands : {fresh, none}) {
    EXPECT_EQ(islands.count(), 4u);
    EXPECT_EQ(numbers(islands, 4), (Bodies{0, 1, 2, 3}));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(islands.touches_obstacle(i)) << i;
  }
}

TEST(Islands, JoinBodiesOfAPairInEitherOrder) {
  EXPECT_EQ(numbers(coupled(4, 4, {{1, 3}}), 4), (Bodies{0, 1, 2, 1}));
  EXPECT_EQ(numbers(coupled(4, 4, {{3, 1}}), 4), (Bodies{0, 1, 2, 1}));
}

TEST(Islands, JoinBodiesThroughOthers) {
  const Islands islands = coupled(7, 7, {{4, 5}, {0, 2}, {6, 4}, {2, 6}});
  EXPECT_EQ(numbers(islands, 7), (Bodies{0, 1, 0, 2, 0, 0, 0}));
  EXPECT_EQ(islands.count(), 3u);
}

TEST(Islands, OfABodyThatTouchesItselfAreNoOthers) {
  const Islands islands = coupled(3, 2, {{0, 0}, {1, 1}, {2, 2}});
  EXPECT_EQ(numbers(islands, 3), (Bodies{0, 1, 2}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_FALSE(islands.touches_obstacle(i)) << i;
}

TEST(Islands, ObstaclesDoNotCoupleBodies) {
  const Islands islands = coupled(5, 3, {{0, 3}, {3, 1}, {2, 4}});
  EXPECT_EQ(numbers(islands, 5), (Bodies{0, 1, 2, 3, 4}));
}

TEST(Islands, ObstaclesDoNotCoupleEachOther) {
  const Islands islands = coupled(4, 2, {{2, 3}});
  EXPECT_EQ(numbers(islands, 4), (Bodies{0, 1, 2, 3}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(islands.touches_obstacle(i)) << i;
}

TEST(Islands, KnowWhetherAnyOfTheirBodiesTouchesAnObstacle) {
  const Islands islands = coupled(7, 5, {{0, 2}, {6, 2}, {1, 3}, {4, 5}});
  EXPECT_EQ(numbers(islands, 7), (Bodies{0, 1, 0, 1, 2, 3, 4}));
  EXPECT_TRUE(islands.touches_obstacle(0));
  EXPECT_FALSE(islands.touches_obstacle(1));
  EXPECT_TRUE(islands.touches_obstacle(2));
}

TEST(Islands, FallApartWhenPairsGo) {
  Islands islands = coupled(4, 3, {{0, 1}, {1, 2}, {0, 3}});
  EXPECT_EQ(islands.count(), 2u);
  islands.couple(pairs_of({{1, 2}}), world());
  EXPECT_EQ(numbers(islands, 4), (Bodies{0, 1, 1, 2}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_FALSE(islands.touches_obstacle(i)) << i;
}

TEST(Islands, MayBeOneOfAllThatLeansOnSomething) {
  Islands islands(5, 4);
  islands.couple_all();
  EXPECT_EQ(islands.count(), 1u);
  EXPECT_EQ(numbers(islands, 5), (Bodies{0, 0, 0, 0, 0}));
  EXPECT_TRUE(islands.touches_obstacle(0));
  islands.couple(pairs_of({{1, 2}}), world());
  EXPECT_EQ(numbers(islands, 5), (Bodies{0, 1, 1, 2, 3}));
  EXPECT_FALSE(islands.touches_obstacle(0));
}

TEST(Islands, SumOverTheirBodiesAndSpreadToThem) {
  const Islands islands = coupled(5, 4, {{0, 3}, {3, 1}, {2, 4}});
  EXPECT_EQ(islands.sum({1, 10, 100, 1000, 10000}), (std::vector<Real>{1011, 100, 10000}));
  EXPECT_EQ(islands.spread({7, 8, 9}), (std::vector<Real>{7, 7, 8, 7, 9}));
}

/// Islands by walking from body to body, in the order of their smallest bodies.
struct Walked {
  Walked(std::size_t bodies, std::size_t first_obstacle, const Touching& touching) : of(bodies, bodies) {
    const auto free = [&](std::int32_t b) { return static_cast<std::size_t>(b) < first_obstacle; };
    std::vector<std::vector<std::int32_t>> next(bodies);
    std::vector<bool> held(bodies, false);
    for (const auto& [a, b] : touching) {
      if (free(a) && free(b)) {
        next[static_cast<std::size_t>(a)].push_back(b);
        next[static_cast<std::size_t>(b)].push_back(a);
      } else if (free(a) || free(b)) {
        held[static_cast<std::size_t>(std::min(a, b))] = true;
      }
    }
    for (std::size_t start = 0; start < bodies; ++start) {
      if (of[start] < bodies) continue;
      leans.push_back(false);
      std::queue<std::size_t> open;
      for (open.push(start); !open.empty(); open.pop()) {
        const std::size_t body = open.front();
        if (of[body] < bodies) continue;
        of[body] = leans.size() - 1;
        leans.back() = leans.back() || held[body];
        for (const std::int32_t other : next[body]) open.push(static_cast<std::size_t>(other));
      }
    }
  }
  Bodies of;
  std::vector<bool> leans;
};

Touching random_touching(std::mt19937& random, std::int32_t bodies, int count) {
  std::uniform_int_distribution<std::int32_t> any(0, bodies - 1);
  Touching touching;
  for (int i = 0; i < count; ++i) touching.push_back({any(random), any(random)});
  return touching;
}

TEST(Islands, AreTheSameOnAnyRanksWhoeverKnowsThePairs) {
  constexpr std::size_t bodies = 40, first_obstacle = 36;
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    std::mt19937 random(17);  // the same pairs on every rank
    int joined = 0;
    for (const int count : {5, 15, 25, 40, 80}) {
      const Touching all = random_touching(random, bodies, count);
      Touching mine;
      for (const auto& pair : all) {  // one or more ranks know a pair
        const unsigned holders = 1 + random() % ((1u << ranks) - 1);
        if (holders >> part.rank() & 1) mine.push_back(pair);
      }
      Islands islands(bodies, first_obstacle);
      islands.couple(pairs_of(mine), part);
      const Walked expected(bodies, first_obstacle, all);
      EXPECT_EQ(numbers(islands, bodies), expected.of) << ranks << " ranks, " << count << " pairs";
      ASSERT_EQ(islands.count(), expected.leans.size());
      for (std::size_t i = 0; i < islands.count(); ++i) EXPECT_EQ(islands.touches_obstacle(i), expected.leans[i]) << i;
      joined += static_cast<int>(bodies - islands.count());
    }
    EXPECT_GT(joined, 50);
  }
}

}  // namespace
}  // namespace unbarred::test
