#include "partitioning/index_map.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace unbarred {

TEST(IndexMap, FindsEveryLocalVertexAndNoOther) {
  const IndexMap map(100, {40, 7, 99, 3}, 2, {50, 12, 13}, {0, 2, 2});
  EXPECT_EQ(map.global_size(), 100);
  EXPECT_EQ(map.interior(), 2);
  EXPECT_EQ(map.owned(), 4);
  EXPECT_EQ(map.ghosts(), 3);
  EXPECT_EQ(map.local(), 7);
  for (Index local = 0; local < map.local(); ++local) EXPECT_EQ(map.to_local(map.to_global(local)), local);
  for (GlobalIndex absent : {0, 8, 41, 98, 100}) EXPECT_EQ(map.to_local(absent), -1);
}

TEST(IndexMap, MayBeEmpty) {
  const IndexMap map(100, {}, 0, {}, {});
  EXPECT_EQ(map.local(), 0);
  EXPECT_EQ(map.to_local(5), -1);
}

TEST(IndexMap, RefusesGhostsOutOfOrder) {
  EXPECT_THROW(IndexMap(100, {1}, 0, {13, 12}, {2, 2}), std::logic_error);
  EXPECT_THROW(IndexMap(100, {1}, 0, {12, 50}, {2, 0}), std::logic_error);
  EXPECT_THROW(IndexMap(100, {1}, 2, {}, {}), std::logic_error);
}

}  // namespace unbarred
