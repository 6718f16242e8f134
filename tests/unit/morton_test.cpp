#include "partitioning/morton.hpp"

#include <gtest/gtest.h>

#include <set>

namespace unbarred {

TEST(Morton, SpreadsEveryBitToEveryThirdPlace) {
  for (int bit = 0; bit < 21; ++bit) EXPECT_EQ(spread_bits(std::uint64_t{1} << bit), std::uint64_t{1} << (3 * bit));
  EXPECT_EQ(spread_bits(0x1fffff), 0x1249249249249249ULL);
}

TEST(Morton, VisitsTheOctantsInOrder) {
  const MortonGrid grid = MortonGrid::over({{-1, -1, -1}}, {{1, 1, 1}});
  std::uint64_t before = 0;
  for (int octant = 0; octant < 8; ++octant) {
    const Vec3 point{{octant & 4 ? 0.5 : -0.5, octant & 2 ? 0.5 : -0.5, octant & 1 ? 0.5 : -0.5}};
    const std::uint64_t code = grid.code(point);
    EXPECT_EQ(code >> 60, static_cast<std::uint64_t>(octant));
    EXPECT_GE(code, before);
    before = code;
  }
}

TEST(Morton, TellsCellsApartAndKeepsOutsidePointsOnTheRim) {
  const MortonGrid grid = MortonGrid::over({{0, 0, 0}}, {{1, 2, 2}});
  std::set<std::uint64_t> codes;
  for (int i = 0; i < 1000; ++i) codes.insert(grid.code({{i * 1e-6, 0, 0}}));
  EXPECT_EQ(codes.size(), 1000u);
  EXPECT_EQ(grid.code({{-5, -5, -5}}), 0u);
  EXPECT_EQ(grid.code({{9, 9, 9}}), 0x7fffffffffffffffULL);
}

TEST(Morton, GivesOneCodeInABoxWithoutExtent) {
  const MortonGrid grid = MortonGrid::over({{3, 3, 3}}, {{3, 3, 3}});
  EXPECT_EQ(grid.code({{3, 3, 3}}), 0u);
}

}  // namespace unbarred
