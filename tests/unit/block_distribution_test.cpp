#include <gtest/gtest.h>

#include "partitioning/index_map.hpp"

namespace unbarred {

TEST(BlockDistribution, CutsEverySizeIntoAdjacentBlocks) {
  for (int parts : {1, 2, 3, 4, 7})
    for (GlobalIndex size : {0, 1, 2, 3, 6, 7, 8, 100}) {
      const BlockDistribution blocks{size, parts};
      EXPECT_EQ(blocks.begin(0), 0);
      EXPECT_EQ(blocks.end(parts - 1), size);
      for (int part = 0; part < parts; ++part) {
        const GlobalIndex count = blocks.end(part) - blocks.begin(part);
        EXPECT_GE(count, size / parts);
        EXPECT_LE(count, size / parts + 1);
        for (GlobalIndex item = blocks.begin(part); item < blocks.end(part); ++item)
          EXPECT_EQ(blocks.part_of(item), part) << size << " items in " << parts << " parts, item " << item;
      }
    }
}

TEST(BlockDistribution, HoldsNumbersBeyondThirtyTwoBits) {
  const BlockDistribution blocks{10'000'000'001, 3};
  EXPECT_EQ(blocks.begin(1), 3'333'333'334);
  EXPECT_EQ(blocks.part_of(3'333'333'333), 0);
  EXPECT_EQ(blocks.part_of(3'333'333'334), 1);
  EXPECT_EQ(blocks.part_of(10'000'000'000), 2);
}

}  // namespace unbarred
