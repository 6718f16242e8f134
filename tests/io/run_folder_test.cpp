#include "io/run/run_folder.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <limits>

#include "core/log.hpp"
#include "io/run/log.hpp"
#include "io/run/progress.hpp"
#include "io/run/run_report.hpp"
#include "io/run/step_log.hpp"
#include "io/text/files.hpp"
#include "support/file_size_limit.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

template <class F>
Error error_of(F&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return Error(ExitCode::done, "no error");
}

bool says(const Error& error, const std::string& part) {
  return std::string(error.what()).find(part) != std::string::npos;
}

TEST(RunFolder, AUsedOneIsRefusedWithTheRemedyAndCanBeOverwritten) {
  const test::TemporaryFolder temporary(test::world());
  const auto path = temporary.path() / "runs" / "drop";
  {
    const RunFolder folder = RunFolder::create(path, false, test::world());
    folder.write_used_scene("name: drop\n");
    write_file(folder.frames() / "drop_000000.pvtu", "x");
    write_file(path / "job.out", "of the user");
  }
  const Error error = error_of([&] { RunFolder::create(path, false, test::world()); });
  EXPECT_EQ(error.code(), ExitCode::bad_input);
  EXPECT_TRUE(says(error, "--overwrite")) << error.what();
  EXPECT_TRUE(says(error, path.string())) << error.what();
  EXPECT_EQ(read_file(path / "used_scene.yaml"), "name: drop\n");

  const RunFolder folder = RunFolder::create(path, true, test::world());
  EXPECT_TRUE(std::filesystem::is_empty(folder.frames()));
  EXPECT_FALSE(std::filesystem::exists(folder.used_scene()));
  EXPECT_EQ(read_file(path / "job.out"), "of the user");
}

TEST(RunFolder, OnlyAFolderWithARunIsReopened) {
  const test::TemporaryFolder temporary(test::world());
  EXPECT_EQ(error_of([&] { RunFolder::reopen(temporary.path(), test::world()); }).code(), ExitCode::bad_input);
  RunFolder::create(temporary.path(), false, test::world()).write_used_scene("name: drop\n");
  EXPECT_EQ(RunFolder::reopen(temporary.path(), test::world()).path(), temporary.path());
}

TEST(RunFolder, AnUnusablePathIsAnIoErrorThatNamesIt) {
  const test::TemporaryFolder temporary(test::world());
  write_file(temporary.path() / "file", "x");
  for (const auto& path : {temporary.path() / "file", temporary.path() / "file" / "below"}) {
    const Error error = error_of([&] { RunFolder::create(path, false, test::world()); });
    EXPECT_EQ(error.code(), ExitCode::io_failed);
    EXPECT_TRUE(says(error, path.string())) << error.what();
  }
}

TEST(RunFolder, TheTestWriteFindsAFullDiskAndNamesTheBytes) {
  const test::TemporaryFolder temporary(test::world());
  const test::FileSizeLimit limit(100);
  const Error error = error_of([&] { RunFolder::create(temporary.path() / "run", false, test::world()); });
  EXPECT_EQ(error.code(), ExitCode::io_failed);
  EXPECT_TRUE(says(error, "4096 bytes")) << error.what();
}

TEST(RunFolder, StatusSaysWhereToResume) {
  const test::TemporaryFolder temporary(test::world());
  const RunFolder folder = RunFolder::create(temporary.path(), false, test::world());
  RunStatus status;
  status.end_time = 2;
  status.started = utc_time();
  status.ranks = 3;
  status.backend = "host";
  folder.write_status(status);
  YAML::Node read = YAML::LoadFile(folder.status());
  EXPECT_EQ(read["state"].as<std::string>(), "running");
  EXPECT_TRUE(read["checkpoint"].IsNull());
  EXPECT_TRUE(read["expected_end"].IsNull());
  status.state = RunState::stopped;
  status.exit_code = ExitCode::stopped;
  status.message = "USR1 \"received\"";
  status.step = 120;
  status.time = 1.0 / 3;
  status.remaining_seconds = 3600;
  status.unfinished_steps = 2;
  status.checkpoint = "checkpoints/step_000120.h5";
  folder.write_status(status);
  read = YAML::LoadFile(folder.status());
  EXPECT_EQ(read["state"].as<std::string>(), "stopped");
  EXPECT_EQ(read["exit_code"].as<int>(), 75);
  EXPECT_EQ(read["message"].as<std::string>(), status.message);
  EXPECT_EQ(read["time"].as<double>(), 1.0 / 3);
  EXPECT_EQ(read["unfinished_steps"].as<int>(), 2);
  EXPECT_EQ(read["checkpoint"].as<std::string>(), "checkpoints/step_000120.h5");
  EXPECT_GT(read["expected_end"].as<std::string>(), read["updated"].as<std::string>());
  for (const char* key : {"step", "end_time", "started", "ranks", "backend"}) EXPECT_TRUE(read[key].IsDefined()) << key;
}

TEST(RunFolder, ProvenanceNamesWhatTheRunWasMadeFrom) {
  const test::TemporaryFolder temporary(test::world());
  const RunFolder folder = RunFolder::create(temporary.path(), false, test::world());
  Provenance made;
  made.version = "0.1.0";
  made.git = "abc-dirty";
  made.compiler = compiler_version();
  made.libraries = library_versions();
  made.options = {"run", "drop.yaml", "time.step=0.005"};
  made.ranks = gather_rank_places(this_rank_place("GPU-1234"), test::world());
  made.scene_sha256 = "00ff";
  made.mesh_sha256 = {{"dolphin.msh", "ff00"}};
  folder.write_provenance(made);
  const YAML::Node read = YAML::LoadFile(folder.provenance());
  EXPECT_EQ(read["options"][2].as<std::string>(), "time.step=0.005");
  EXPECT_GE(read["ranks"][0]["cores"].as<int>(), 1);
  EXPECT_FALSE(read["ranks"][0]["host"].as<std::string>().empty());
  EXPECT_EQ(read["ranks"][0]["gpu"].as<std::string>(), "GPU-1234");
  EXPECT_EQ(read["mesh_sha256"]["dolphin.msh"].as<std::string>(), "ff00");
  for (const char* name : {"hdf5", "vtk", "mpi"})
    EXPECT_FALSE(read["libraries"][name].as<std::string>().empty()) << name;
}

StepRecord record_of(std::int64_t step) {
  StepRecord record;
  record.step = step;
  record.time = static_cast<Real>(step) / 30;
  record.outer_iterations = 2;
  record.solves = {{33, "converged", 1e-5}, {40, "iteration_limit", 0.5}};
  record.energy = {1, 2, std::numeric_limits<Real>::quiet_NaN(), 0};
  record.momentum = {{1.0 / 3, 0, -1}};
  record.wall = {{"total", 0.5}, {"linear", 0.25}};
  record.memory_bytes = 8'000'000'000;
  return record;
}

TEST(StepLog, ALineHasTheNamesThatScriptsRelyOn) {
  const YAML::Node line = YAML::Load(step_line(record_of(7)));
  EXPECT_EQ(line["step"].as<int>(), 7);
  EXPECT_EQ(line["time"].as<double>(), 7.0 / 30);
  EXPECT_EQ(line["cg_iterations"].as<std::vector<int>>(), (std::vector<int>{33, 40}));
  EXPECT_EQ(line["solves"][1]["reason"].as<std::string>(), "iteration_limit");
  EXPECT_TRUE(line["gap_min"].IsNull());
  EXPECT_TRUE(line["energy"]["gravity"].IsNull());
  EXPECT_EQ(line["momentum"][0].as<double>(), 1.0 / 3);
  EXPECT_EQ(line["memory_bytes"].as<std::int64_t>(), 8'000'000'000);
  for (const char* key :
       {"outer_iterations", "step_fraction_mean", "step_fraction_min", "remaining", "pairs", "pairs_active",
        "pairs_new", "penalty", "offset", "angular_momentum", "intersections", "imbalance"})
    EXPECT_TRUE(line[key].IsDefined()) << key;
  for (const char* key : {"total", "assembly", "linear", "broad_phase", "narrow_phase", "line_search", "active_set",
                          "exchange", "output"})
    EXPECT_TRUE(line["wall"][key].IsScalar()) << key;
}

StepRecord unfinished_record(std::int64_t step) {
  StepRecord record = record_of(step);
  record.residual_speed = 0.0125;
  record.residual_relative = 3e-4;
  record.converged = false;
  record.unfinished = "500 iterations: `ball[2]`";
  record.momentum_defect = 1e-9;
  record.energy_change = -0.25;
  return record;
}

TEST(StepLog, ALineSaysHowFarTheStepWasSolved) {
  const YAML::Node line = YAML::Load(step_line(unfinished_record(7)));
  EXPECT_EQ(line["residual_speed"].as<double>(), 0.0125);
  EXPECT_EQ(line["residual_relative"].as<double>(), 3e-4);
  EXPECT_FALSE(line["converged"].as<bool>());
  EXPECT_EQ(line["unfinished"].as<std::string>(), "500 iterations: `ball[2]`");
  EXPECT_EQ(line["momentum_defect"].as<double>(), 1e-9);
  EXPECT_EQ(line["energy_change"].as<double>(), -0.25);
  const YAML::Node converged = YAML::Load(step_line(record_of(7)));
  EXPECT_TRUE(converged["converged"].as<bool>());
  EXPECT_FALSE(converged["unfinished"].IsDefined());
}

TEST(StepLog, CountsTheUnfinishedStepsOfTheWholeRun) {
  const test::TemporaryFolder temporary(test::world());
  const auto file = temporary.path() / "steps.jsonl";
  {
    StepLog log(file, test::world());
    for (int step = 1; step <= 6; ++step) log.append(step % 2 ? record_of(step) : unfinished_record(step));
    EXPECT_EQ(log.unfinished(), 3);
  }
  StepLog log(file, test::world(), 4);
  EXPECT_EQ(log.unfinished(), 2);
  log.append(unfinished_record(5));
  EXPECT_EQ(log.unfinished(), 3);
  EXPECT_EQ(StepLog(file, test::world()).unfinished(), 0);
}

std::vector<int> steps_in(const std::filesystem::path& file) {
  std::vector<int> steps;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) steps.push_back(YAML::Load(line)["step"].as<int>());
  return steps;
}

TEST(StepLog, ResumingDropsLaterLinesAndACutOne) {
  const test::TemporaryFolder temporary(test::world());
  const auto file = temporary.path() / "steps.jsonl";
  {
    StepLog log(file, test::world());
    for (int step = 1; step <= 6; ++step) log.append(record_of(step));
  }
  append_to_file(file, step_line(record_of(3)).substr(0, 40));
  {
    StepLog log(file, test::world(), 4);
    log.append(record_of(5));
  }
  EXPECT_EQ(steps_in(file), (std::vector<int>{1, 2, 3, 4, 5}));
  const StepLog fresh(file, test::world());
  EXPECT_TRUE(steps_in(file).empty());
}

TEST(StepLog, AFullDiskIsAnIoError) {
  const test::TemporaryFolder temporary(test::world());
  StepLog log(temporary.path() / "steps.jsonl", test::world());
  const test::FileSizeLimit limit(100);
  const Error error = error_of([&] { log.append(record_of(1)); });
  EXPECT_EQ(error.code(), ExitCode::io_failed);
  EXPECT_TRUE(says(error, "steps.jsonl: writing ")) << error.what();
}

TEST(Log, TheFileHasEverythingAndResumingAppends) {
  const test::TemporaryFolder temporary(test::world());
  const auto file = temporary.path() / "log.txt";
  for (const bool append : {false, true}) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    start_log(test::world());
    add_log_file(file, append, test::world());
    log_detail("only in the file");
    log_info("told {} as it is");
    log_warning("beware");
    stop_log();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "told {} as it is\n");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: beware\n");
  }
  const std::string text = read_file(file);
  EXPECT_EQ(std::ranges::count(text, '\n'), 6);
  EXPECT_NE(text.find("debug: only in the file"), std::string::npos) << text;
}

TEST(Log, AFileThatCannotBeMadeIsAnIoError) {
  const test::TemporaryFolder temporary(test::world());
  write_file(temporary.path() / "file", "x");
  const auto below = temporary.path() / "file" / "log.txt";
  const Error error = error_of([&] { add_log_file(below, false, test::world()); });
  EXPECT_EQ(error.code(), ExitCode::io_failed);
  EXPECT_TRUE(says(error, below.string())) << error.what();
}

TEST(Progress, TheBarTellsHowFarAndHowLong) {
  EXPECT_EQ(progress_bar(0.5, 3723.4), "[###############---------------]  50 %  expected end in 1:02:03");
  EXPECT_EQ(progress_bar(0, std::nullopt), "[------------------------------]   0 %");
  EXPECT_EQ(progress_bar(1.2, 0), "[##############################] 100 %  expected end in 0:00:00");
}

TEST(Progress, TheExpectedEndFollowsThePace) {
  Progress progress(0, 1, false);
  EXPECT_EQ(progress.remaining_seconds(), std::nullopt);
  StepRecord record = record_of(1);
  record.time = 0.5;
  progress.step_done(record);
  ASSERT_TRUE(progress.remaining_seconds());
  EXPECT_GE(*progress.remaining_seconds(), 0);
  record.time = 1;
  progress.step_done(record);
  EXPECT_EQ(*progress.remaining_seconds(), 0);
}

TEST(Progress, ALineShowsWhatTheStepCost) {
  StepRecord record = record_of(12);
  EXPECT_NE(step_text(record).find("cg    73"), std::string::npos) << step_text(record);
  EXPECT_EQ(step_text(record).find("gap"), std::string::npos);
  record.pairs = 5;
  record.gap_min = 1.5e-4;
  EXPECT_NE(step_text(record).find("gap 1.50e-04 m"), std::string::npos) << step_text(record);
  EXPECT_EQ(step_text(record).find("UNFINISHED"), std::string::npos) << step_text(record);
}

TEST(Progress, ALineSaysWhenAStepWasAcceptedUnfinished) {
  const std::string text = step_text(unfinished_record(12));
  EXPECT_TRUE(text.ends_with("  UNFINISHED, residual 1.25e-02 m/s: 500 iterations: `ball[2]`")) << text;
}

}  // namespace
}  // namespace unbarred
