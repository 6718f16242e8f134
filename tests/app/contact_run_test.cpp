// A box slides over a floor and hits a ball: what the run leaves of it, and runs that are cut in the middle of it.
#include <vtkCellData.h>

#include <cmath>
#include <set>
#include <sstream>

#include "support/frame_reader.hpp"
#include "support/run_results.hpp"
#include "support/sliding_box.hpp"

namespace unbarred {
namespace {

using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;
using test::text_of;

const std::string contact_scene = test::sliding_box + R"(solver: {minimum_iterations: 6}
output: {directory: run, every: 4, contacts: true, checkpoint: {steps: 5}}
)";

/// steps.jsonl to the digit, without what a clock measured and without what past steps have reserved.
std::string numbers_of_steps(const std::filesystem::path& run) {
  std::string text;
  for (YAML::Node step : test::steps_of(run)) {
    for (const char* name : {"wall", "imbalance", "memory_bytes"}) step.remove(name);
    text += YAML::Dump(step) + "\n";
  }
  return text;
}

/// Pairs of the newest checkpoint: key and fields, text that is the same for the same bits.
std::set<std::string> last_pairs(const std::filesystem::path& run) {
  const CheckpointData data = read_checkpoint(*newest_complete_checkpoint(run / "checkpoints"), test::world());
  std::set<std::string> pairs;
  for (std::size_t row = 0; row < data.pairs->keys.size() / CheckpointPairs::key_width; ++row) {
    std::ostringstream text;
    for (int k = 0; k < CheckpointPairs::key_width; ++k)
      text << data.pairs->keys[row * CheckpointPairs::key_width + static_cast<std::size_t>(k)] << ' ';
    for (const CheckpointField& field : data.pairs->fields)
      text << field.name << ' ' << std::hexfloat << field.values[row] << ' ';
    pairs.insert(text.str());
  }
  return pairs;
}

void run_with(const Scratch& scratch, int ranks, const std::string& name, std::vector<std::string> more = {}) {
  scratch.file("scene.yaml", contact_scene);
  std::vector<std::string> words{"run", "scene.yaml", "output.directory=" + name};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = run_program(scratch, words, {.ranks = ranks});
  ASSERT_EQ(outcome.code, 0) << outcome.said();
}

/// As a run that was killed after step 12: what it wrote behind its checkpoint of step 10 is still there.
void run_cut_after_twelve_steps(const Scratch& scratch, int ranks, const std::string& name,
                                const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"--steps", "12"};
  words.insert(words.end(), more.begin(), more.end());
  ASSERT_NO_FATAL_FAILURE(run_with(scratch, ranks, name, words));
  std::filesystem::remove(scratch / name / "checkpoints/step_000012.h5");
  const auto steps = test::steps_of(scratch / name);
  EXPECT_GT(steps[9]["pairs_active"].as<int>(), 3);
  EXPECT_GT(steps[9]["energy"]["friction_loss"].as<double>(), 0);
  EXPECT_TRUE(holds(text_of(scratch / name / "contact_forces.csv"), "\n12,0.12,box,floor,"));
}

TEST(ContactRun, CutInTheMiddleOfFrictionItIsTheUninterruptedOneToTheBit) {
  for (const auto& [ranks, preset] : {std::pair(1, "accurate"), {2, "accurate"}, {1, "published"}, {2, "published"}}) {
    const Scratch scratch;
    const std::vector<std::string> more{std::string("solver.preset=") + preset};
    ASSERT_NO_FATAL_FAILURE(run_with(scratch, ranks, "whole", more));
    ASSERT_NO_FATAL_FAILURE(run_cut_after_twelve_steps(scratch, ranks, "cut", more));
    const Outcome resumed = run_program(scratch, {"resume", "cut"}, {.ranks = ranks});
    ASSERT_EQ(resumed.code, 0) << resumed.said();
    EXPECT_TRUE(holds(resumed.out, "resumed after step 10")) << resumed.said();
    EXPECT_EQ(numbers_of_steps(scratch / "cut"), numbers_of_steps(scratch / "whole"));
    test::expect_same_bits(test::last_state(scratch / "cut"), test::last_state(scratch / "whole"));
    EXPECT_GT(last_pairs(scratch / "whole").size(), 5u);
    EXPECT_EQ(last_pairs(scratch / "cut"), last_pairs(scratch / "whole"));
    EXPECT_EQ(text_of(scratch / "cut/contact_forces.csv"), text_of(scratch / "whole/contact_forces.csv"));
    EXPECT_FALSE(std::filesystem::exists(scratch / "whole/reaction_forces.csv"));
    for (const char* series : {"beam.pvd", "beam_contacts.pvd", "beam_obstacles.pvd"})
      EXPECT_EQ(text_of(scratch / "cut/frames" / series), text_of(scratch / "whole/frames" / series));
  }
}

TEST(ContactRun, OnOtherRanksItGoesOnAlike) {
  const Scratch scratch;
  const std::vector<std::string> tight{"solver.linear.tolerance=1e-10"};
  ASSERT_NO_FATAL_FAILURE(run_cut_after_twelve_steps(scratch, 2, "on_2", tight));
  for (int ranks : {1, 3})
    std::filesystem::copy(scratch / "on_2", scratch / ("on_" + std::to_string(ranks)),
                          std::filesystem::copy_options::recursive);
  for (int ranks : {1, 2, 3}) {
    const Outcome outcome = run_program(scratch, {"resume", "on_" + std::to_string(ranks)}, {.ranks = ranks});
    ASSERT_EQ(outcome.code, 0) << outcome.said();
  }
  const test::SavedState reference = test::last_state(scratch / "on_2");
  for (const char* other : {"on_1", "on_3"})
    EXPECT_LE(test::difference(test::last_state(scratch / other).positions, reference.positions), 1e-5) << other;
}

TEST(ContactRun, AnotherTimeStepKeepsTheForces) {
  const Scratch scratch;
  // At rest: only there does a shorter step change nothing.
  ASSERT_NO_FATAL_FAILURE(run_with(scratch, 1, "run",
                                   {"bodies.box.velocity=[0,0,0]", "bodies.ball.place.translate=[0.5,0.101,0]",
                                    "time.step=0.05", "time.end=4", "output.every=0"}));
  const Outcome resumed = run_program(scratch, {"resume", "run", "time.step=0.0125", "time.end=4.025"}, {.ranks = 2});
  ASSERT_EQ(resumed.code, 0) << resumed.said();
  EXPECT_TRUE(holds(text_of(scratch / "run/log.txt"), "time.step is 0.0125"));
  std::ifstream lines(scratch / "run/contact_forces.csv");
  std::vector<double> on_box;
  std::size_t after = 0;
  for (std::string line; std::getline(lines, line);) {
    const YAML::Node row = YAML::Load("[" + line + "]");
    if (row[2].as<std::string>() != "box" || row[0].as<int>() < 80) continue;
    on_box.push_back(row[5].as<double>());
    after += row[0].as<int>() > 80;
  }
  EXPECT_EQ(after, 2u);
  for (const double force : on_box) EXPECT_NEAR(force, 8 * 9.81, 0.02 * 8 * 9.81);
}

TEST(ContactRun, ACheckpointWithoutPairsStartsWithNoneAndOneWithThemMayLeaveThem) {
  const Scratch scratch;
  scratch.file("free.yaml", test::with(test::with(contact_scene, "contact: {offset: 1.0e-3, friction: 0.3}\n", ""),
                                       "contacts: true", "contacts: false"));
  const Outcome free = run_program(scratch, {"run", "free.yaml", "--steps", "1"}, {.ranks = 2});
  ASSERT_EQ(free.code, 0) << free.said();
  EXPECT_FALSE(std::filesystem::exists(scratch / "run/contact_forces.csv"));
  const Outcome with = run_program(scratch, {"resume", "run", "--steps", "10", "contact.offset=1e-3"}, {.ranks = 2});
  ASSERT_EQ(with.code, 0) << with.said();
  EXPECT_TRUE(holds(text_of(scratch / "run/log.txt"), "of a run without contact")) << with.said();
  EXPECT_GT(test::steps_of(scratch / "run")[9]["pairs"].as<int>(), 0);

  const std::string used = text_of(scratch / "run/used_scene.yaml");
  YAML::Node scene = YAML::Load(used);
  scene.remove("contact");
  scratch.file("run/used_scene.yaml", YAML::Dump(scene));
  const Outcome without = run_program(scratch, {"resume", "run", "--steps", "12"}, {.ranks = 2});
  ASSERT_EQ(without.code, 0) << without.said();
  EXPECT_TRUE(holds(text_of(scratch / "run/log.txt"), "and the scene no contact")) << without.said();
}

TEST(ContactRun, WhatCrossedWithoutContactIsNoStartForContact) {
  const Scratch scratch;
  scratch.file("free.yaml", test::with(test::with(contact_scene, "contact: {offset: 1.0e-3, friction: 0.3}\n", ""),
                                       "contacts: true", "contacts: false"));
  ASSERT_EQ(run_program(scratch, {"run", "free.yaml", "--steps", "8"}, {.ranks = 2}).code, 0);
  const Outcome refused = run_program(scratch, {"resume", "run", "contact.offset=1e-3"}, {.ranks = 2});
  EXPECT_EQ(refused.code, 3) << refused.said();
  EXPECT_TRUE(holds(refused.err, "`box` crosses `floor`")) << refused.said();
}

TEST(ContactRun, FramesAndForcesAgree) {
  const Scratch scratch;
  ASSERT_NO_FATAL_FAILURE(run_with(scratch, 2, "run", {"--steps", "12"}));
  const auto steps = test::steps_of(scratch / "run");
  const auto pairs = test::read_pvtp(scratch / "run/frames/beam_contacts_000012.pvtp");
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->GetNumberOfLines(), steps[11]["pairs"].as<int>());
  int active = 0;
  for (vtkIdType i = 0; i < pairs->GetNumberOfCells(); ++i) {
    active += static_cast<int>(pairs->GetCellData()->GetArray("state")->GetTuple1(i));
    const double gap = pairs->GetCellData()->GetArray("gap")->GetTuple1(i);
    EXPECT_NEAR(std::sqrt(pairs->GetCell(i)->GetLength2()), gap, 1e-12);
    EXPECT_GE(gap, steps[11]["gap_min"].as<double>() - 1e-15);
  }
  EXPECT_EQ(active, steps[11]["pairs_active"].as<int>());

  // Bodies and obstacles together: no vertex is in two files, but shared ones are in the files of two ranks.
  std::array<double, 3> sum{0, 0, 0};
  double size = 0;
  std::set<int> seen;
  for (const char* file : {"beam_000012.pvtu", "beam_obstacles_000012.pvtu"}) {
    const auto grid = test::read_pvtu(scratch / "run/frames" / file);
    ASSERT_TRUE(grid);
    for (const char* name : {"contact_pressure", "gap"}) ASSERT_TRUE(grid->GetPointData()->GetArray(name)) << name;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
      if (!seen.insert(static_cast<int>(grid->GetPointData()->GetArray("global_id")->GetTuple1(i))).second) continue;
      for (const char* name : {"contact_force", "friction_force"})
        for (std::size_t k = 0; k < 3; ++k) {
          const double force = grid->GetPointData()->GetArray(name)->GetTuple3(i)[k];
          sum[k] += force;
          size += std::abs(force);
        }
    }
  }
  EXPECT_GT(size, 50);
  for (const double component : sum) EXPECT_NEAR(component, 0, 1e-13 * size);
}

}  // namespace
}  // namespace unbarred
