// A run that is killed while it writes checkpoints leaves a whole one behind.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <numeric>
#include <random>
#include <thread>

#include "io/checkpoint/checkpoint_folder.hpp"
#include "support/captured_log.hpp"
#include "support/checkpoint_samples.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

extern char** environ;

namespace unbarred {
namespace {

constexpr GlobalIndex vertices = 20000;
constexpr const char* victim_folder = "UNBARRED_TEST_VICTIM_FOLDER";

std::int64_t newest_step(const std::filesystem::path& folder) {
  for (const FoundCheckpoint& checkpoint : list_checkpoints(folder))
    if (checkpoint.problem.empty()) return checkpoint.step;
  return 0;
}

void write_steps(const std::filesystem::path& folder, std::optional<std::int64_t> resumed, std::int64_t last) {
  std::vector<GlobalIndex> ids(vertices);
  std::iota(ids.begin(), ids.end(), 0);
  CheckpointFolder writer(folder, test::world(), resumed);
  for (std::int64_t step = resumed.value_or(0) + 1; step <= last; ++step)
    writer.write(test::checkpoint_sample(step, vertices, ids));
}

/// Run by itself it writes a few checkpoints; started by the test below it goes on until it is killed.
TEST(CheckpointKill, Victim) {
  if (const char* folder = std::getenv(victim_folder)) {
    write_steps(folder, newest_step(folder), 1'000'000);
  }
  const test::TemporaryFolder folder(test::world());
  write_steps(folder.path(), std::nullopt, 5);
  EXPECT_EQ(read_newest_checkpoint(folder.path(), test::world()).step, 5);
}

pid_t start_victim(const std::filesystem::path& folder) {
  // Without the variables of this process's MPI: the victim is a run of its own.
  std::vector<std::string> variables{std::string(victim_folder) + "=" + folder.string()};
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    const bool of_mpi = text.starts_with("PMIX_") || text.starts_with("OMPI_COMM") ||
                        text.starts_with("OMPI_MCA_ess") || text.starts_with("OMPI_MCA_orte") ||
                        text.starts_with("PMI_");
    if (!of_mpi) variables.push_back(text);
  }
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  std::string program = "/proc/self/exe", filter = "--gtest_filter=CheckpointKill.Victim";
  char* arguments[] = {program.data(), filter.data(), nullptr};
  const pid_t child = ::fork();
  if (child == 0) {
    if (!std::freopen("/dev/null", "w", stdout)) ::_exit(1);
    ::execve(program.c_str(), arguments, environment.data());
    ::_exit(127);
  }
  return child;
}

/// Files of checkpoints that are being written, or were.
int hidden_files(const std::filesystem::path& folder) {
  int count = 0;
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
    count += file.path().filename().string().starts_with(".step_");
  return count;
}

template <class F>
void wait_until(F&& reached) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!reached() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

TEST(CheckpointKill, KilledAtRandomMomentsTheNewestWholeOneIsFound) {
  const test::TemporaryFolder folder(test::world());
  write_steps(folder.path(), std::nullopt, 1);
  const unsigned seed = 20250131;
  std::mt19937 random(seed);
  std::int64_t last = 1;
  int leftovers = 0;
  // Until some kill has fallen into a write, which on a loaded machine can take more than the twelve.
  for (int trial = 0; trial < 12 || (leftovers == 0 && trial < 60); ++trial) {
    const pid_t child = start_victim(folder.path());
    ASSERT_GT(child, 0);
    // When it has written one, wait for the next to be under way, then for a random part of that write.
    wait_until([&] { return newest_step(folder.path()) > last; });
    wait_until([&] { return hidden_files(folder.path()) > 0; });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the victim ended by itself, status " << status;
    leftovers += hidden_files(folder.path());

    const CheckpointData read = read_newest_checkpoint(folder.path(), test::world());
    ASSERT_GT(read.step, last) << "seed " << seed;
    test::expect_sample(read, read.step, vertices);
    last = read.step;
  }
  EXPECT_GT(leftovers, 0) << "no kill fell into a write: the test shows nothing";
}

}  // namespace
}  // namespace unbarred
