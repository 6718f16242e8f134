#include "partitioning/communicator.hpp"

#include <gtest/gtest.h>

#include "support/world.hpp"

namespace unbarred::test {

TEST(Communicator, ExchangesGroupsOfAnySize) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    // Rank a sends a*b items to rank b: some messages are empty.
    std::vector<std::int64_t> items;
    std::vector<int> counts(ranks), received;
    for (int to = 0; to < ranks; ++to) {
      counts[to] = ring.rank() * to;
      for (int k = 0; k < counts[to]; ++k) items.push_back(10000 * ring.rank() + 100 * to + k);
    }
    const auto arrived = ring.exchange(std::span<const std::int64_t>(items), std::span<const int>(counts), &received);
    std::vector<std::int64_t> expected;
    for (int from = 0; from < ranks; ++from) {
      EXPECT_EQ(received[from], from * ring.rank());
      for (int k = 0; k < from * ring.rank(); ++k) expected.push_back(10000 * from + 100 * ring.rank() + k);
    }
    EXPECT_EQ(arrived, expected);
  }
}

TEST(Communicator, MakesOneRanksFailureEveryonesError) {
  const int last = world().size() - 1;
  try {
    world().agree([&] {
      if (world().rank() == last) throw Error(ExitCode::io_failed, "disk of the last rank is full");
    });
    FAIL() << "nobody threw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::io_failed);
    EXPECT_STREQ(error.what(), "disk of the last rank is full");
  }
}

TEST(Communicator, TellsTheFailureOfTheLowestRank) {
  try {
    world().agree([&] { throw Error(ExitCode::bad_input, "rank " + std::to_string(world().rank())); });
    FAIL() << "nobody threw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "rank 0");
  }
  EXPECT_NO_THROW(world().require_all(std::nullopt));
}

TEST(Communicator, SumsTheRanksBefore) {
  const GlobalIndex rank = world().rank();
  EXPECT_EQ(world().exclusive_sum(rank + 1), rank * (rank + 1) / 2);
}

}  // namespace unbarred::test
