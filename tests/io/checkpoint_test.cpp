#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <numeric>
#include <random>

#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/text/files.hpp"
#include "support/captured_log.hpp"
#include "support/checkpoint_samples.hpp"
#include "support/file_size_limit.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

constexpr GlobalIndex vertices = 41;

CheckpointData sample(std::int64_t step) {
  std::vector<GlobalIndex> ids(vertices);
  std::iota(ids.rbegin(), ids.rend(), 0);
  return test::checkpoint_sample(step, vertices, std::move(ids));
}

void overwrite(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

/// Checkpoints of steps 100 and 200 in a fresh folder.
class Checkpoints : public testing::Test {
 protected:
  Checkpoints() {
    CheckpointFolder writer(folder(), test::world());
    writer.write(sample(100));
    newest_ = writer.write(sample(200));
  }
  const std::filesystem::path& folder() const { return temporary_.path(); }

  test::TemporaryFolder temporary_{test::world()};
  std::filesystem::path newest_;
};

TEST_F(Checkpoints, ReadBackToTheBit) {
  EXPECT_EQ(newest_, folder() / "step_000200.h5");
  const CheckpointData read = read_newest_checkpoint(folder(), test::world());
  ASSERT_EQ(read.ids.size(), static_cast<std::size_t>(vertices));
  test::expect_sample(read, 200, vertices);
  EXPECT_EQ(read_checkpoint_header(newest_).numbers, read.numbers);
}

TEST_F(Checkpoints, WithoutPairsTheFileIsOfTheVersionBefore) {
  CheckpointData data = sample(300);
  data.pairs.reset();
  const auto path = CheckpointFolder(folder(), test::world(), 200).write(data);
  const CheckpointData read = read_checkpoint(path, test::world());
  EXPECT_FALSE(read.pairs);
  EXPECT_FALSE(read.pair_count);
  EXPECT_EQ(read.positions, data.positions);
  EXPECT_EQ(read_checkpoint_header(newest_).pair_count, 2 * vertices);
}

TEST_F(Checkpoints, AScenesFirstPairsMayBeNone) {
  CheckpointData data = sample(300);
  data.pairs = test::checkpoint_pairs(300, {});
  const auto path = CheckpointFolder(folder(), test::world(), 200).write(data);
  const CheckpointData read = read_checkpoint(path, test::world());
  ASSERT_TRUE(read.pairs);
  EXPECT_EQ(read.pair_count, 0);
  EXPECT_TRUE(read.pairs->keys.empty());
  EXPECT_EQ(read.pairs->fields.size(), 2u);
}

TEST_F(Checkpoints, PairsOfTheWrongLengthAreAnInternalError) {
  CheckpointData data = sample(300);
  data.pairs->keys.pop_back();
  try {
    CheckpointFolder(folder(), test::world(), 200).write(data);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal);
  }
}

TEST_F(Checkpoints, TheManifestSaysSizeAndChecksumOfTheLastTwo) {
  CheckpointFolder(folder(), test::world(), 200).write(sample(300));
  const YAML::Node list = YAML::LoadFile(folder() / "manifest.json")["checkpoints"];
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["file"].as<std::string>(), "step_000200.h5");
  EXPECT_EQ(list[1]["file"].as<std::string>(), "step_000300.h5");
  EXPECT_EQ(list[1]["bytes"].as<std::uintmax_t>(), std::filesystem::file_size(folder() / "step_000300.h5"));
  EXPECT_EQ(list[1]["checksum"].as<std::string>().size(), 16u);
  EXPECT_FALSE(std::filesystem::exists(folder() / "step_000100.h5"));
}

TEST_F(Checkpoints, TruncatedAnywhereThePreviousOneIsFound) {
  const std::string whole = read_file(newest_);
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 1 + bytes / 9) {
    overwrite(newest_, whole.substr(0, bytes));
    const test::CapturedLog log;
    EXPECT_EQ(newest_complete_checkpoint(folder()), folder() / "step_000100.h5");
    test::expect_sample(read_newest_checkpoint(folder(), test::world()), 100, vertices);
    EXPECT_TRUE(log.contains("step_000200.h5")) << log.text();
  }
}

TEST_F(Checkpoints, TruncatedWithoutAManifestThePreviousOneIsFound) {
  const std::string whole = read_file(newest_);
  overwrite(folder() / "manifest.json", "{\"checkpoints\": [{\"fi");
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 1 + bytes / 9) {
    overwrite(newest_, whole.substr(0, bytes));
    const test::CapturedLog log;
    EXPECT_EQ(newest_complete_checkpoint(folder()), folder() / "step_000100.h5");
    EXPECT_TRUE(log.contains("manifest.json: damaged"));
  }
  overwrite(newest_, whole);
  const test::CapturedLog log;
  test::expect_sample(read_newest_checkpoint(folder(), test::world()), 200, vertices);
}

TEST_F(Checkpoints, AFlippedBitIsNeverReadAsData) {
  const std::string whole = read_file(newest_);
  std::mt19937_64 random(17);
  int noticed = 0;
  constexpr int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    overwrite(newest_, damaged);
    const test::CapturedLog log;
    const CheckpointData read = read_newest_checkpoint(folder(), test::world());
    noticed += read.step == 100;
    test::expect_sample(read, read.step == 100 ? 100 : 200, vertices);  // unused bytes of the file may differ
  }
  EXPECT_GT(noticed, trials / 2);
}

TEST_F(Checkpoints, WithoutAnyWholeOneTheErrorSaysWhatToDo) {
  overwrite(newest_, "x");
  std::filesystem::remove(folder() / "step_000100.h5");
  const test::CapturedLog log;
  EXPECT_EQ(newest_complete_checkpoint(folder()), std::nullopt);
  try {
    read_newest_checkpoint(folder(), test::world());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::io_failed);
    EXPECT_NE(std::string(error.what()).find("--overwrite"), std::string::npos);
  }
}

TEST_F(Checkpoints, WhatAKilledWriteLeftIsRemoved) {
  overwrite(folder() / ".step_000300.h5.0123abcd", "half a file");
  EXPECT_EQ(newest_complete_checkpoint(folder()), newest_);
  CheckpointFolder(folder(), test::world(), 200);
  EXPECT_FALSE(std::filesystem::exists(folder() / ".step_000300.h5.0123abcd"));
}

TEST_F(Checkpoints, ResumingDropsWhatCameLater) {
  CheckpointFolder(folder(), test::world(), 100);
  EXPECT_FALSE(std::filesystem::exists(newest_));
  const test::CapturedLog log;
  EXPECT_EQ(read_newest_checkpoint(folder(), test::world()).step, 100);
  EXPECT_EQ(log.text(), "");
}

TEST_F(Checkpoints, AFullDiskLeavesTheEarlierOnesIntact) {
  CheckpointFolder writer(folder(), test::world(), 200);
  try {
    const test::FileSizeLimit limit(3000);
    writer.write(sample(300));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::io_failed);
    EXPECT_NE(std::string(error.what()).find("step_000300.h5: writing "), std::string::npos) << error.what();
  }
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder())) files.push_back(file.path().filename());
  std::ranges::sort(files);
  EXPECT_EQ(files, (std::vector<std::string>{"manifest.json", "step_000100.h5", "step_000200.h5"}));
  const test::CapturedLog log;
  test::expect_sample(read_newest_checkpoint(folder(), test::world()), 200, vertices);
  writer.write(sample(300));
  EXPECT_EQ(read_newest_checkpoint(folder(), test::world()).step, 300);
}

TEST_F(Checkpoints, AMissingFolderIsAnIoError) {
  CheckpointFolder writer(folder() / "gone", test::world());
  EXPECT_THROW(writer.write(sample(1)), Error);
}

TEST_F(Checkpoints, OtherFilesAreNoCheckpoints) {
  overwrite(folder() / "notes.h5", "x");
  overwrite(folder() / "step_000300.txt", "x");
  EXPECT_EQ(list_checkpoints(folder()).size(), 2u);
  EXPECT_THROW(read_checkpoint_header(folder() / "notes.h5"), Error);
}

}  // namespace
}  // namespace unbarred
