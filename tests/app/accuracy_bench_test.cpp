// `unbarred bench accuracy` as its users start it: a box slides over a floor and hits a ball.
#include <map>
#include <sstream>

#include "support/run_results.hpp"
#include "support/sliding_box.hpp"

namespace unbarred {
namespace {

using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;
using test::sliding_box;

const std::string head =
    "step,setting,displacement_error,velocity_error,force_error,iterations,cg_iterations,cpu_seconds,unfinished";

/// By setting the values of its lines, step first, NaN where there is none; the head is as it must be.
std::map<std::string, std::vector<std::vector<double>>> read_table(const std::filesystem::path& file) {
  std::map<std::string, std::vector<std::vector<double>>> table;
  std::istringstream lines(test::text_of(file));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, head);
  while (std::getline(lines, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line)
      if (c == ',') fields.emplace_back();
      else fields.back() += c;
    EXPECT_EQ(fields.size(), 9u) << line;
    auto& row = table[fields.at(1)].emplace_back();
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (i != 1) row.push_back(fields[i].empty() ? NAN : std::stod(fields[i]));
  }
  return table;
}
enum Column { step, displacement, velocity, force, iterations, cg_iterations, cpu_seconds, unfinished };

TEST(AccuracyBench, ErrorsFallWithTheAccuracyAskedForAndCostRises) {
  const Scratch scratch;
  scratch.file("scene.yaml", sliding_box);
  for (const int ranks : {1, 3}) {
    const Outcome outcome = run_program(
        scratch,
        {"bench", "accuracy", "scene.yaml", "steps=8", "solver.accuracy=0.03", "vary=solver.accuracy=0.1,0.03,0.005"},
        {.ranks = ranks, .seconds = 300});
    ASSERT_EQ(outcome.code, 0) << outcome.said();
    EXPECT_TRUE(holds(outcome.out, "every step: runs/beam_accuracy.csv")) << outcome.said();
    EXPECT_EQ(test::count(outcome.out, "displacement"), 1u) << "each rank speaks: " << outcome.out;
    const auto table = read_table(scratch / "runs/beam_accuracy.csv");
    ASSERT_EQ(table.size(), 4u) << "0.03 is the scene as it is";
    for (const auto& [setting, rows] : table) {
      ASSERT_EQ(rows.size(), 8u) << setting;
      for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i][step], static_cast<double>(i + 1));
    }
    const auto &coarse = table.at("solver.accuracy=0.1").back(), &fine = table.at("solver.accuracy=0.005").back();
    for (const Column error : {displacement, velocity, force}) {
      EXPECT_GT(fine[error], 0);
      EXPECT_LT(2 * fine[error], coarse[error]);
      EXPECT_LT(coarse[error], 0.1);
    }
    EXPECT_GT(fine[iterations], coarse[iterations]);
    EXPECT_GT(fine[cg_iterations], coarse[cg_iterations]);
    EXPECT_GT(fine[cpu_seconds], 0);
  }
}

TEST(AccuracyBench, TheReferenceHasNoErrorAgainstItself) {
  const Scratch scratch;
  scratch.file("scene.yaml", sliding_box);
  const std::vector<std::string> words{"bench",
                                       "accuracy",
                                       "scene.yaml",
                                       "steps=9",
                                       "csv=out/table.csv",
                                       "vary=none",
                                       "reference=solver.accuracy=1e-3",
                                       "solver.accuracy=1e-3",
                                       "solver.linear.tolerance=1e-6"};
  for (const int ranks : {1, 4})
    for (const std::string states : {"", "states=3"}) {
      std::vector<std::string> all = words;
      if (!states.empty()) all.push_back(states);
      const Outcome outcome = run_program(scratch, all, {.ranks = ranks, .seconds = 300});
      ASSERT_EQ(outcome.code, 0) << outcome.said();
      const auto table = read_table(scratch / "out/table.csv");
      ASSERT_EQ(table.size(), 2u);
      const auto &scene = table.at("scene"), &reference = table.at("reference");
      ASSERT_EQ(scene.size(), states.empty() ? 9u : 3u);
      for (std::size_t i = 0; i < scene.size(); ++i) {
        EXPECT_EQ(scene[i][step], static_cast<double>(states.empty() ? i + 1 : 3 * (i + 1)));
        EXPECT_EQ(scene[i][displacement], 0);
        EXPECT_EQ(scene[i][velocity], 0);
        EXPECT_FALSE(scene[i][force] > 0);
        EXPECT_EQ(scene[i][iterations], reference[i][iterations]);
      }
      EXPECT_EQ(scene.back()[force], 0) << "the box pushes the ball";
    }
}

// From the same state the error of one step stays below that of all steps together.
TEST(AccuracyBench, SingleStepsStartFromTheReference) {
  const Scratch scratch;
  scratch.file("scene.yaml", sliding_box);
  for (const std::string states : {"states=1", "states=8"}) {
    const Outcome outcome = run_program(
        scratch, {"bench", "accuracy", "scene.yaml", "steps=8", states, "vary=none", "csv=" + states + ".csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.said();
  }
  const auto last = read_table(scratch / "states=1.csv"), each = read_table(scratch / "states=8.csv");
  ASSERT_EQ(last.at("scene").size(), 1u);
  ASSERT_EQ(each.at("scene").size(), 8u);
  for (const auto& row : each.at("scene"))
    EXPECT_NEAR(row[velocity] / std::max(row[displacement], 1e-300), row[displacement] > 0 ? 1 : 0, 1e-6)
        << "the velocity of a step is its motion over h";
  // Wherever the settings have been before.
  for (const Column error : {displacement, velocity, force})
    EXPECT_EQ(last.at("scene")[0][error], each.at("scene")[7][error]);
}

TEST(AccuracyBench, WithoutContactForcesHaveNoError) {
  const Scratch scratch;
  scratch.file("scene.yaml", test::beam_scene);
  const Outcome outcome = run_program(scratch, {"bench", "accuracy", "scene.yaml", "steps=3", "vary=none"});
  ASSERT_EQ(outcome.code, 0) << outcome.said();
  const auto scene = read_table(scratch / "runs/beam_accuracy.csv").at("scene");
  EXPECT_LT(scene.back()[displacement], 0.01);
  EXPECT_TRUE(std::isnan(scene.back()[force]));
}

TEST(AccuracyBench, ThePlotHasAPointForEverySettingErrorAndCost) {
  const Scratch scratch;
  scratch.file("table.csv", head +
                                "\n4,reference,0,0,0,9,90,0.3,0\n4,scene,0.01,0.02,0.03,3,30,0.1,0\n"
                                "4,solver.accuracy=0.1,0.02,0.04,,2,20,0.05,1\n");
  const std::string script = UNBARRED_SOURCE_DIR "/scripts/plot_accuracy.py";
  const Outcome drawn = test::Process(scratch.path(), {"python3", script, "table.csv"}).wait(60);
  ASSERT_EQ(drawn.code, 0) << drawn.said();
  const std::string picture = test::text_of(scratch / "table.svg");
  EXPECT_EQ(test::count(picture, "<circle"), 3u * (3 + 2));
  EXPECT_TRUE(holds(picture, "</svg>"));
  scratch.file("other.csv", "a,b\n1,2\n");
  EXPECT_EQ(test::Process(scratch.path(), {"python3", script, "other.csv"}).wait(60).code, 1);
}

TEST(AccuracyBench, WhatIsWrongIsSaidWithTheUsualCodes) {
  const Scratch scratch;
  scratch.file("scene.yaml", test::beam_scene);
  const auto expect = [&](int code, const std::string& message, const std::vector<std::string>& words) {
    std::vector<std::string> all{"bench", "accuracy"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run_program(scratch, all, {.ranks = 2});
    EXPECT_EQ(outcome.code, code) << outcome.said();
    EXPECT_EQ(test::count(outcome.err, "unbarred: " + message), 1u) << message << "\n" << outcome.said();
  };
  expect(2, "bench accuracy: name a scene", {});
  expect(2, "nothing.yaml: cannot read", {"nothing.yaml"});
  expect(2, "bench accuracy: `steps=0` is not understood", {"scene.yaml", "steps=0"});
  expect(2, "bench accuracy: `steps` is not understood", {"scene.yaml", "steps"});
  expect(2, "bench accuracy: states=31 is more than steps=30", {"scene.yaml", "states=31"});
  expect(2, "bench accuracy: `vary=solver` is not understood", {"scene.yaml", "vary=solver"});
  expect(2, "command line `solver.acuracy=1`: unknown key `acuracy`", {"scene.yaml", "vary=solver.acuracy=1,2"});
  expect(2, "command line `time.stp=1`: unknown key `stp`", {"scene.yaml", "time.stp=1"});
  expect(2, "bench accuracy: `time.step=0.02` changes the mesh", {"scene.yaml", "vary=time.step=0.02"});
  expect(2, "bench accuracy: `parameters.n=3` changes the mesh", {"scene.yaml", "vary=parameters.n=3"});
  expect(2, "bench accuracy: use solver.linear.method=pcg",
         {"scene.yaml", "solver.linear.method=ksp", "solver.linear.preconditioner=petsc"});
  scratch.file("plain", "");
  expect(6, "plain/table.csv", {"scene.yaml", "csv=plain/table.csv"});
}

}  // namespace
}  // namespace unbarred
