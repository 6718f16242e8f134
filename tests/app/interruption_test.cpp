// Runs that are asked to stop, killed, or that one rank cannot go on with.
#include <semaphore.h>

#include <chrono>
#include <thread>

#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::beam_scene;
using test::holds;
using test::Outcome;
using test::Process;
using test::run_program;
using test::Scratch;

/// The beam without frames for 10,000 s of its time: it ends only when it is told to.
std::vector<std::string> endless(int ranks) {
  return test::command_words(ranks, {"run", "scene.yaml", "time.end=10000", "output.every=0"});
}

bool wait_for_steps(Process& process, const std::filesystem::path& run, std::size_t steps) {
  return test::wait_until(40, [&] { return test::count(test::text_of(run / "steps.jsonl"), "\n") >= steps; }) &&
         process.running();
}

/// The state is `stopped` with a checkpoint of the last step, and two more steps finish the run.
void expect_stopped_and_resumable(const Scratch& scratch, const Outcome& stopped) {
  EXPECT_EQ(stopped.code, 75) << stopped.said();
  EXPECT_EQ(test::count(stopped.err, "unbarred: stopped on request after step"), 1u) << stopped.said();
  EXPECT_TRUE(holds(stopped.err, "unbarred resume run")) << stopped.said();
  const YAML::Node status = test::status_of(scratch / "run");
  EXPECT_EQ(status["state"].as<std::string>(), "stopped");
  EXPECT_EQ(status["exit_code"].as<int>(), 75);
  const test::SavedState saved = test::last_state(scratch / "run");
  EXPECT_EQ(saved.step, status["step"].as<std::int64_t>());
  EXPECT_EQ(test::steps_of(scratch / "run").size(), static_cast<std::size_t>(saved.step));
  const std::string end = std::to_string(0.01 * static_cast<double>(saved.step + 2));
  const Outcome resumed = run_program(scratch, {"resume", "run", "time.end=" + end}, {.ranks = 2});
  EXPECT_EQ(resumed.code, 0) << resumed.said();
  EXPECT_EQ(test::status_of(scratch / "run")["state"].as<std::string>(), "done");
  EXPECT_EQ(test::last_state(scratch / "run").step, saved.step + 2);
}

TEST(Interruption, AUsr1SignalStopsTheRunWithACheckpoint) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  Process process(scratch.path(), endless(2));
  ASSERT_TRUE(wait_for_steps(process, scratch / "run", 5));
  ::kill(process.pid(), SIGUSR1);  // mpirun passes it on to the ranks
  expect_stopped_and_resumable(scratch, process.wait(30));
}

TEST(Interruption, ASignalDuringTheSetUpStopsTheRunAfterItsFirstStep) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  auto words = endless(2);
  words.push_back("parameters.n=8");
  Process process(scratch.path(), words);
  ASSERT_TRUE(test::wait_until(40, [&] { return std::filesystem::exists(scratch / "run/used_scene.yaml"); }));
  ::kill(process.pid(), SIGUSR1);
  expect_stopped_and_resumable(scratch, process.wait(40));
}

TEST(Interruption, ASignalToOneRankStopsAll) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  Process process(scratch.path(), endless(2));
  ASSERT_TRUE(wait_for_steps(process, scratch / "run", 5));
  ASSERT_EQ(process.children().size(), 2u);
  ::kill(process.children()[1], SIGTERM);
  expect_stopped_and_resumable(scratch, process.wait(30));
}

// To an accuracy that an impact of a ball on 125 cubes does not reach: its second step takes many seconds.
TEST(Interruption, ASignalIsHeardInAStepThatTakesLong) {
  const Scratch scratch;
  Process process(scratch.path(),
                  test::command_words(2, {"run", std::string(UNBARRED_SOURCE_DIR) + "/scenes/near_rigid.yaml",
                                          "output.directory=run", "solver.accuracy=1e-9", "output.every=0"}));
  ASSERT_TRUE(wait_for_steps(process, scratch / "run", 1));
  std::this_thread::sleep_for(std::chrono::seconds(2));
  ::kill(process.pid(), SIGUSR1);
  const Outcome stopped = process.wait(30);
  EXPECT_EQ(stopped.code, 75) << stopped.said();
  EXPECT_TRUE(holds(stopped.err, "unbarred: stopped on request in step 2, iteration ")) << stopped.said();
  EXPECT_TRUE(holds(stopped.err, "continue after step 1 with: unbarred resume run")) << stopped.said();
  EXPECT_EQ(test::steps_of(scratch / "run").size(), 1u);
  EXPECT_EQ(test::last_state(scratch / "run").step, 1);
}

TEST(Interruption, FilesInTheRunFolderAskForACheckpointAndForTheEnd) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  auto words = endless(2);
  words.push_back("output.checkpoint.steps=0");
  Process process(scratch.path(), words);
  ASSERT_TRUE(wait_for_steps(process, scratch / "run", 2));
  const auto checkpoints = [&] { return list_checkpoints(scratch / "run/checkpoints").size(); };
  EXPECT_EQ(checkpoints(), 0u);
  scratch.file("run/checkpoint", "");
  EXPECT_TRUE(test::wait_until(20, [&] { return checkpoints() == 1; }));
  EXPECT_TRUE(process.running());
  EXPECT_FALSE(std::filesystem::exists(scratch / "run/checkpoint"));
  scratch.file("run/stop", "");
  expect_stopped_and_resumable(scratch, process.wait(30));
  EXPECT_FALSE(std::filesystem::exists(scratch / "run/stop"));
}

TEST(Interruption, AKilledRankEndsTheRunAndTheCheckpointsServe) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  Process process(scratch.path(), endless(3));
  ASSERT_TRUE(wait_for_steps(process, scratch / "run", 7));
  ASSERT_EQ(process.children().size(), 3u);
  ::kill(process.children()[1], SIGKILL);
  const Outcome killed = process.wait(10);
  EXPECT_GT(killed.code, 0) << killed.said();
  const std::int64_t saved = test::last_state(scratch / "run").step;
  EXPECT_GE(saved, 3);
  const std::string steps = std::to_string(saved + 2);
  const Outcome resumed = run_program(scratch, {"resume", "run", "--steps", steps}, {.ranks = 2});
  EXPECT_EQ(resumed.code, 0) << resumed.said();
  EXPECT_EQ(test::last_state(scratch / "run").step, saved + 2);
  EXPECT_EQ(test::steps_of(scratch / "run").size(), static_cast<std::size_t>(saved + 2));
}

/// Rank 0 as it is, rank 1 under `limits` of the shell.
Outcome run_limited(const Scratch& scratch, const std::string& limits, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = test::command_words(1, arguments);
  const std::vector<std::string> second{":", "-n", "1", "sh", "-c", limits + "; exec \"$@\"", "sh", UNBARRED_PROGRAM};
  words.insert(words.end(), second.begin(), second.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return Process(scratch.path(), words).wait(60);
}

TEST(Interruption, ARankThatCannotWriteItsPartEndsAllWithOneMessage) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  // 16 blocks are 8 KiB: enough for the test write, too little for a frame of this mesh.
  const Outcome outcome =
      run_limited(scratch, "trap '' XFSZ; ulimit -f 16", {"run", "scene.yaml", "parameters.n=4", "output.every=1"});
  EXPECT_EQ(outcome.code, 6) << outcome.said();
  EXPECT_EQ(test::count(outcome.err, "unbarred: "), 1u) << outcome.said();
  EXPECT_TRUE(holds(outcome.err, "beam_000000_1.vtu")) << outcome.said();
  const YAML::Node status = test::status_of(scratch / "run");
  EXPECT_EQ(status["state"].as<std::string>(), "failed");
  EXPECT_EQ(status["exit_code"].as<int>(), 6);
}

/// Private memory that a rank of the beam may write, KiB: what RLIMIT_DATA counts.
long long private_memory(const Scratch& scratch) {
  Process process(scratch.path(), endless(2));
  if (!wait_for_steps(process, scratch / "run", 1)) return 0;
  const std::string status = test::text_of("/proc/" + std::to_string(process.children().at(1)) + "/status");
  const std::string name = "VmData:";
  const long long size = std::stoll(status.substr(status.find(name) + name.size()));
  scratch.file("run/stop", "");
  EXPECT_EQ(process.wait(30).code, 75);
  return size;
}

TEST(Interruption, ARankThatRunsOutOfMemoryAloneEndsAllWithinSeconds) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const long long enough = private_memory(scratch);
  ASSERT_GT(enough, 0);
  if (enough > 1LL << 20) GTEST_SKIP() << "sanitizers and GPUs reserve more memory than a limit can cut";
  // The beam of 192 tetrahedra would fit; 98,304 need about 33 MiB more.
  const Outcome outcome = run_limited(scratch, "ulimit -d " + std::to_string(enough + 10000),
                                      {"run", "scene.yaml", "parameters.n=16", "output.every=0", "--overwrite"});
  EXPECT_EQ(outcome.code, 5) << outcome.said();
  EXPECT_EQ(test::count(outcome.err, "unbarred: "), 1u) << outcome.said();
  EXPECT_TRUE(holds(outcome.err, "unbarred: rank 1: out of memory")) << outcome.said();
  const YAML::Node status = test::status_of(scratch / "run");
  EXPECT_EQ(status["state"].as<std::string>(), "failed");
  EXPECT_EQ(status["exit_code"].as<int>(), 5);
}

/// What Open MPI would find when a job on this machine was killed while it opened a file of this name.
class AbandonedSemaphore {
 public:
  explicit AbandonedSemaphore(const std::string& file) : name_("/OMPIO_" + file) {
    const sem_t* semaphore = ::sem_open(name_.c_str(), O_CREAT, 0644, 0);
    EXPECT_NE(semaphore, SEM_FAILED);
  }
  ~AbandonedSemaphore() { ::sem_unlink(name_.c_str()); }

 private:
  std::string name_;
};

TEST(Interruption, WhatAKilledJobLeftOnTheMachineDoesNotHoldUpACheckpoint) {
  const Scratch scratch;
  scratch.file("scene.yaml", beam_scene);
  const AbandonedSemaphore semaphore(".step_000005.h5.tmp");
  const Outcome outcome = run_program(
      scratch, {"run", "scene.yaml", "time.end=0.05", "output.checkpoint.steps=0", "output.every=0"}, {.ranks = 2});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  EXPECT_EQ(test::last_state(scratch / "run").step, 5);
}

}  // namespace
}  // namespace unbarred
