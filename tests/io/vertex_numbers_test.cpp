// IdSet and VertexTags find the same as a plain search, in each of their ways of storing.
#include <gtest/gtest.h>

#include "io/mesh/id_set.hpp"
#include "io/mesh/vertex_tags.hpp"

namespace unbarred {
namespace {

TEST(IdSet, DenseAndSparseNumbers) {
  for (const GlobalIndex stride : {1, 1000}) {
    std::vector<GlobalIndex> ids;
    for (GlobalIndex i = 0; i < 300; ++i) ids.push_back(50 + stride * (i * 7 % 100));
    const IdSet set(ids);
    ASSERT_EQ(set.ids().size(), 100u);
    for (const GlobalIndex id : ids) EXPECT_EQ(set.ids()[set.find(id)], id);
    for (std::size_t i = 1; i < 100; ++i) EXPECT_LT(set.ids()[i - 1], set.ids()[i]);
  }
  EXPECT_TRUE(IdSet({}).ids().empty());
}

TEST(VertexTags, CountingAscendingAndUnsortedTags) {
  const std::vector<std::vector<GlobalIndex>> cases{{4, 5, 6, 7}, {4, 5, 60, 700}, {40, 5, 6, -7}};
  for (const auto& tags : cases) {
    VertexTags numbers;
    for (const GlobalIndex tag : tags) numbers.add(tag);
    GlobalIndex duplicate = 0;
    ASSERT_TRUE(numbers.finish(duplicate));
    for (std::size_t i = 0; i < tags.size(); ++i) EXPECT_EQ(numbers.find(tags[i]), static_cast<GlobalIndex>(i));
    for (const GlobalIndex absent : {-8, 3, 8, 59, 701}) EXPECT_EQ(numbers.find(absent), -1);
  }
}

TEST(VertexTags, NamesADuplicate) {
  VertexTags numbers;
  for (const GlobalIndex tag : {1, 2, 9, 2}) numbers.add(tag);
  GlobalIndex duplicate = 0;
  EXPECT_FALSE(numbers.finish(duplicate));
  EXPECT_EQ(duplicate, 2);
}

}  // namespace
}  // namespace unbarred
