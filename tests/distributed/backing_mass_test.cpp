// What stands behind a body, from pairs that each rank knows some of.
#include "dynamics/contact/backing_mass.hpp"

#include <gtest/gtest.h>

#include "support/world.hpp"

namespace unbarred::test {
namespace {

// A floor, and on it a light body, a heavy one, another light one; a second floor apart from them.
constexpr std::int32_t light = 0, heavy = 1, rider = 2, loner = 3, ground = 4;

class Stacked : public testing::Test {
 protected:
  /// Pair i on rank i of `ranks`, round and round. Whether anything changed.
  bool touch(BackingMass& backing, const Communicator& part, int ranks,
             const std::vector<std::array<int, 2>>& couples) {
    std::vector<PairHolders> mine;
    for (std::size_t i = 0; i < couples.size(); ++i)
      if (static_cast<int>(i) % ranks == part.rank()) mine.push_back({{0, 0, 0, 0}, {couples[i][0], couples[i][1]}});
    return backing.update(mine, part);
  }
};

TEST_F(Stacked, AHeavyBodyIsFeltThroughALightOneOnlyWhereThatLeansOnIt) {
  for (const int ranks : {1, 2, 3, 4}) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    BackingMass backing;
    backing.begin_step({1, 1e5, 2, 3, 0}, {0, 0, 0, 0, 1});
    EXPECT_TRUE(touch(backing, part, ranks, {{light, ground}, {heavy, light}, {rider, heavy}}));
    EXPECT_FALSE(touch(backing, part, ranks, {{rider, heavy}, {light, ground}, {heavy, light}, {heavy, light}}));
    EXPECT_EQ(backing.inverse(light, ground), 1e-5) << "the heavy body stands behind it";
    EXPECT_EQ(backing.inverse(light, heavy), 1e-5) << "it leans on the ground";
    EXPECT_EQ(backing.inverse(heavy, light), 1e-5);
    EXPECT_EQ(backing.inverse(rider, heavy), 0.5) << "nothing stands behind it";
    EXPECT_EQ(backing.inverse(ground, light), 0) << "it is held";
    EXPECT_EQ(backing.inverse(loner, loner), 1.0 / 3) << "it touches itself";
    EXPECT_TRUE(touch(backing, part, ranks, {{heavy, light}, {rider, heavy}})) << "the light body leaves the ground";
    EXPECT_EQ(backing.inverse(light, heavy), 1);
  }
}

}  // namespace
}  // namespace unbarred::test
