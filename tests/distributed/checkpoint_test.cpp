// Checkpoints written on some ranks and read on others are the same state.
#include <gtest/gtest.h>

#include <set>

#include "io/checkpoint/checkpoint_folder.hpp"
#include "support/captured_log.hpp"
#include "support/checkpoint_samples.hpp"
#include "support/file_size_limit.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

constexpr GlobalIndex vertices = 103;

/// Ids scattered over the ranks; rank `idle` owns none.
CheckpointData scattered(const Communicator& group, std::int64_t step, int idle = -1) {
  std::vector<GlobalIndex> ids;
  for (GlobalIndex i = 0; i < vertices; ++i) {
    const GlobalIndex id = i * 37 % vertices;
    int owner = static_cast<int>(id * id % group.size());
    if (owner == idle) owner = (owner + 1) % group.size();
    if (owner == group.rank()) ids.push_back(id);
  }
  return test::checkpoint_sample(step, vertices, std::move(ids));
}

void expect_whole(const CheckpointData& read, const Communicator& group, std::int64_t step) {
  test::expect_sample(read, step, vertices);
  std::vector<Real> seen(vertices, 0);
  for (const GlobalIndex id : read.ids) seen[static_cast<std::size_t>(id)] += 1;
  group.sum(std::span<Real>(seen));
  EXPECT_EQ(seen, std::vector<Real>(vertices, 1));
  // Pairs lie in blocks of their own: twice as many rows as ids.
  std::vector<Real> pairs(2 * vertices, 0);
  for (std::size_t row = 0; row < read.pairs->keys.size(); row += CheckpointPairs::key_width) {
    const std::int64_t* key = &read.pairs->keys[row];
    pairs[static_cast<std::size_t>(2 * key[1] + key[0])] += 1;
    EXPECT_EQ(std::vector<std::int64_t>(key + 2, key + 5),
              (std::vector<std::int64_t>{key[1] + 3, key[1] + 5, key[1] + 70000000000}));
  }
  group.sum(std::span<Real>(pairs));
  EXPECT_EQ(pairs, std::vector<Real>(2 * vertices, 1));
}

TEST(DistributedCheckpoint, WrittenOnAnyNumberOfRanksReadOnAnyOther) {
  const test::TemporaryFolder folder(test::world());
  std::set<std::uint64_t> checksums;
  for (int writers = 1; writers <= 4; ++writers) {
    const Communicator group = test::group(writers);
    const auto path = folder.path() / ("by_" + std::to_string(writers) + ".h5");
    if (test::works_in(writers))
      checksums.insert(write_checkpoint(path, scattered(group, 9, writers > 2 ? 1 : -1), group).checksum);
  }
  test::world().barrier();
  EXPECT_LE(checksums.size(), 1u);
  for (int writers = 1; writers <= 4; ++writers) {
    for (int readers = 1; readers <= 4; ++readers) {
      const Communicator group = test::group(readers);
      const auto path = folder.path() / ("by_" + std::to_string(writers) + ".h5");
      if (test::works_in(readers)) expect_whole(read_checkpoint(path, group), group, 9);
    }
  }
}

TEST(DistributedCheckpoint, MoreRanksThanVertices) {
  const test::TemporaryFolder folder(test::world());
  std::vector<GlobalIndex> ids;
  if (test::world().rank() == 3) ids = {1, 0};
  write_checkpoint(folder.path() / "two.h5", test::checkpoint_sample(4, 2, ids), test::world());
  const CheckpointData read = read_checkpoint(folder.path() / "two.h5", test::world());
  test::expect_sample(read, 4, 2);
  EXPECT_EQ(test::world().sum(static_cast<int>(read.ids.size())), 2);
}

TEST(DistributedCheckpoint, DamageThatOneRankMeetsSendsAllToThePreviousOne) {
  const test::TemporaryFolder folder(test::world());
  {
    CheckpointFolder writer(folder.path(), test::world());
    writer.write(scattered(test::world(), 10));
    writer.write(scattered(test::world(), 20));
  }
  const auto newest = folder.path() / "step_000020.h5";
  if (test::world().is_root()) {
    // The last bytes are rows of the last table, read by the last rank.
    std::FILE* file = std::fopen(newest.c_str(), "r+b");
    std::fseek(file, -2000, SEEK_END);
    const char garbage[4] = {1, 2, 3, 4};
    std::fwrite(garbage, 1, sizeof garbage, file);
    std::fclose(file);
  }
  test::world().barrier();
  const test::CapturedLog log;
  expect_whole(read_newest_checkpoint(folder.path(), test::world()), test::world(), 10);
  EXPECT_EQ(log.contains("checkpoint skipped"), test::world().is_root());
}

TEST(DistributedCheckpoint, AFullDiskEndsAllRanksAndKeepsTheEarlierOne) {
  const test::TemporaryFolder folder(test::world());
  CheckpointFolder writer(folder.path(), test::world());
  writer.write(scattered(test::world(), 10));
  ExitCode code = ExitCode::done;
  {
    const test::FileSizeLimit limit(2000);
    try {
      writer.write(scattered(test::world(), 20));
    } catch (const Error& error) {
      code = error.code();
    }
  }
  EXPECT_EQ(code, ExitCode::io_failed);
  expect_whole(read_newest_checkpoint(folder.path(), test::world()), test::world(), 10);
}

}  // namespace
}  // namespace unbarred
