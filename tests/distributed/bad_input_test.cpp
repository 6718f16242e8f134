// What the program says about bad scenes, on 1 and on 3 ranks: exit code and message.
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/program.hpp"
#include "io/text/files.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

const std::string scene_text = R"yaml(time: {step: 0.01, end: 0.02}
materials: {rubber: {density: 1000, young: 1.0e5, poisson: 0.3}}
bodies:
  a: {mesh: {box: {size: [1, 1, 1], cells: 2}}, material: rubber}
)yaml";

struct Outcome {
  int code = -1;
  std::string message;  ///< on rank 0
};

Outcome program(const Communicator& part, std::vector<std::string> words) {
  words.insert(words.begin(), "unbarred");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = run_program(part, static_cast<int>(argv.size()), argv.data());
  outcome.message = testing::internal::GetCapturedStderr();
  return outcome;
}

class BadInput : public testing::Test {
 protected:
  // A part of the ranks would look to the program like a launcher that it does not understand.
  void SetUp() override {
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) unsetenv(variable);
  }
  /// Runs the scene with `rest` on 1 and 3 ranks; every rank must leave with `code`, rank 0 must say `message`.
  void expect(const std::string& command, const std::string& rest, int code, const std::string& message,
              const std::vector<std::string>& overrides = {}) {
    const auto file = folder_.path() / "s.yaml";
    if (world().is_root()) write_file(file, scene_text + rest);
    world().barrier();
    for (const int ranks : {1, 3}) {
      const Communicator part = group(ranks);
      if (!works_in(ranks)) continue;
      std::vector<std::string> words{command, file.string()};
      if (command == "run") words.push_back("--overwrite");
      if (command == "run") words.push_back("output.directory=" + (folder_.path() / "run").string());
      words.insert(words.end(), overrides.begin(), overrides.end());
      const Outcome outcome = program(part, words);
      EXPECT_EQ(outcome.code, code) << rest;
      if (part.is_root()) {
        EXPECT_NE(outcome.message.find(message), std::string::npos) << outcome.message;
      }
    }
    world().barrier();
  }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_{world()};
};

TEST_F(BadInput, OfTheSceneNamesLineAndColumn) {
  expect("run", "gravity: [0, 1,5, 0]\n", 2, "s.yaml:5:10: `gravity` must be a list of 3 numbers (m/s^2)");
  expect("run", "", 2, "`time.step`: `0,5` is not a number: write a decimal point, not a comma", {"time.step=0,5"});
  expect("check", "gravty: [0, 1, 5]\n", 2, "s.yaml:5:1: unknown key `gravty`, did you mean `gravity`?");
  expect("check", "shells: {}\n", 2, "s.yaml:5:1: `shells` is not supported yet");
  expect("check", "motions: {m: {body: a, move: {velocity: [1, 0]}}}\n", 2,
         "s.yaml:5:41: `motions.m.move.velocity` must be a list of 3 numbers (m/s)");
}

TEST_F(BadInput, OfSelectionsIsFoundOnAllRanks) {
  const std::string nowhere = "select: {sphere: {center: [9, 9, 9], radius: 0.1}}";
  for (const std::string command : {"run", "check"}) {
    expect(command, "motions: {m: {body: a, move: fixed, " + nowhere + "}}\n", 2,
           "s.yaml:5:14: motion `m` selects no vertex of its body");
    expect(command, "pressures: {p: {body: a, pressure: 1, " + nowhere + "}}\n", 2,
           "s.yaml:5:16: pressure `p` selects no triangle of the boundary");
    expect(command, "springs: {s: {body: a, stiffness: 1, " + nowhere + "}}\n", 2,
           "s.yaml:5:14: springs `s` select no vertex of their body");
    expect(command, "springs: {s: {body: a, stiffness: 1, select: {region: left}}}\n", 2,
           "s.yaml:5:14: the mesh has no region `left`: regions are the physical groups of volumes in a mesh file");
    expect(command, "motions: {m: {body: a, move: fixed}, n: {body: a, move: {velocity: [1, 0, 0]}}}\n", 2,
           "s.yaml:5:41: motion `n` prescribes vertices that `m` prescribes too");
  }
}

TEST_F(BadInput, OfTablesNamesTheirLine) {
  if (world().is_root()) write_file(folder() / "way.csv", "0, 0, 0, 0\n1, 0, oops, 0\n");
  world().barrier();
  expect("check", "motions: {m: {body: a, move: {table: way.csv}}}\n", 2, "way.csv:2:7: `oops` is not a number");
  expect("check", "motions: {m: {body: a, move: {table: none.csv}}}\n", 2, "none.csv: cannot read this file");
}

TEST_F(BadInput, WhatIsNotCarriedOutYetRunsNotButIsChecked) {
  const std::string later = "solver: {step_filter: project, linear: {precision: single}}\n";
  expect("run", later, 2,
         "s.yaml:5:23: `solver.step_filter: project` is not supported yet; nor is "
         "`solver.linear.precision: single` (");
  expect("check", later, 0, "");
}

TEST_F(BadInput, AnExpressionWithoutAValueEndsTheRun) {
  expect("run", "motions: {m: {body: a, move: {expression: [1/(t-0.01), 0, 0]}}}\n", 2,
         "`1/(t-0.01)` is not a finite number at t = 0.01 s");
}

TEST_F(BadInput, AFolderThatCannotBeMadeIsFoundBeforeTheFirstStep) {
  if (world().is_root()) write_file(folder() / "file", "in the way");
  world().barrier();
  expect("run", "", 6, (folder() / "file").string(), {"output.directory=" + (folder() / "file" / "run").string()});
}

}  // namespace
}  // namespace unbarred::test
