#include <gtest/gtest.h>

#include <random>

#include "partitioning/partitioner.hpp"
#include "support/world.hpp"

namespace unbarred::test {

static Real entry(GlobalIndex id, int column) { return 10.0 * static_cast<Real>(id) + column; }

/// The same permutation of 0..n-1 on every rank.
static std::vector<GlobalIndex> shuffled(GlobalIndex n, unsigned seed) {
  std::vector<GlobalIndex> ids(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<GlobalIndex>(i);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(seed));
  return ids;
}

/// This rank's share of shuffled rows.
struct Table {
  std::vector<GlobalIndex> ids;
  std::vector<Real> rows;
  Table(const Communicator& ring, GlobalIndex n, int width, unsigned seed) {
    const BlockDistribution blocks{n, ring.size()};
    const auto all = shuffled(n, seed);
    ids.assign(all.begin() + blocks.begin(ring.rank()), all.begin() + blocks.end(ring.rank()));
    for (GlobalIndex id : ids)
      for (int k = 0; k < width; ++k) rows.push_back(entry(id, k));
  }
};

TEST(FetchRows, BringsRowsInAnyOrder) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    for (int width : {1, 3, 7})
      for (GlobalIndex n : {1, 2, 57}) {
        const Table table(ring, n, width, 3);
        std::vector<GlobalIndex> wanted = shuffled(n, 11u + static_cast<unsigned>(ring.rank()));
        wanted.push_back(wanted.front());  // twice is allowed
        if (ring.rank() == 1) wanted.clear();
        const auto rows = fetch_rows(ring, n, table.ids, table.rows, width, wanted);
        ASSERT_EQ(rows.size(), wanted.size() * width);
        for (std::size_t i = 0; i < wanted.size(); ++i)
          for (int k = 0; k < width; ++k) EXPECT_EQ(rows[i * width + k], entry(wanted[i], k));
      }
  }
}

static std::string failure_of(const Table& table, GlobalIndex n, const std::vector<GlobalIndex>& wanted) {
  try {
    fetch_rows(world(), n, table.ids, table.rows, 2, wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::checkpoint_mismatch);
    return error.what();
  }
  return "no error";
}

TEST(FetchRows, TellsEveryRankOfAMissingRow) {
  const GlobalIndex n = 20;
  Table table(world(), n, 2, 4);
  const auto found = std::find(table.ids.begin(), table.ids.end(), 13);
  if (found != table.ids.end()) {
    const auto row = 2 * (found - table.ids.begin());
    table.rows.erase(table.rows.begin() + row, table.rows.begin() + row + 2);
    table.ids.erase(found);
  }
  std::vector<GlobalIndex> wanted{1, 2};
  if (world().rank() == world().size() - 1) wanted.push_back(13);
  EXPECT_EQ(failure_of(table, n, wanted), "the row of vertex 13 is missing");
}

TEST(FetchRows, RefusesRowsGivenTwiceAndIdsOutside) {
  const GlobalIndex n = 20;
  Table table(world(), n, 2, 4);
  if (world().is_root()) {
    table.ids.push_back(13);
    table.rows.insert(table.rows.end(), {0, 0});
  }
  EXPECT_EQ(failure_of(table, n, {13}), "the row of vertex 13 is there more than once");
  if (world().is_root()) table.ids.back() = 20;
  EXPECT_EQ(failure_of(table, n, {13}), "the row of vertex 20 is given, but there are only 20 vertices");
}

}  // namespace unbarred::test
