#include "io/run/run_report.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <fstream>

#include "io/run/run_folder.hpp"
#include "io/run/step_log.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

TEST(RunReport, SpreadOverRanksLoadBalanceAndScalingLine) {
  PhaseTimes times;
  const int rank = test::world().rank();
  times.add("linear", 1 + rank);  // 1 2 3 4: mean 2.5
  times.add("exchange", 4 - rank);
  times.add("total", 6);
  const std::string text =
      run_report(times, {.vertices = 1200, .tetrahedra = 5000, .steps = 10, .memory_bytes = (rank + 1) * 1024 * 1024},
                 test::world());
  if (rank > 0) {
    EXPECT_EQ(text, "");
    return;
  }
  EXPECT_NE(text.find("linear              1.000      2.500      4.000     41.7 %"), std::string::npos) << text;
  EXPECT_NE(text.find("other               1.000      1.000      1.000     16.7 %"), std::string::npos) << text;
  EXPECT_NE(text.find("load balance (largest / mean work): 1.600"), std::string::npos) << text;
  EXPECT_NE(text.find("min 1.0, mean 2.5, max 4.0"), std::string::npos) << text;
  EXPECT_NE(text.find("scaling: nodes 1, ranks 4, vertices 1200, tetrahedra 5000, steps 10, wall 6 s, 0.6 s/step, "
                      "500 vertex-steps/s/rank, load balance 1.600, exchange 41.7 %"),
            std::string::npos)
      << text;
}

TEST(DistributedRunFolder, AllRanksRefuseAUsedFolderAndProvenanceListsThem) {
  const test::TemporaryFolder temporary(test::world());
  const RunFolder folder = RunFolder::create(temporary.path() / "run", false, test::world());
  Provenance made;
  made.ranks = gather_rank_places(this_rank_place("gpu " + std::to_string(test::world().rank())), test::world());
  folder.write_provenance(made);
  test::world().barrier();
  const YAML::Node ranks = YAML::LoadFile(folder.provenance())["ranks"];
  ASSERT_EQ(ranks.size(), 4u);
  EXPECT_EQ(ranks[2]["gpu"].as<std::string>(), "gpu 2");
  EXPECT_THROW(RunFolder::create(temporary.path() / "run", false, test::world()), Error);
}

TEST(DistributedRunFolder, OneLineAStepWhateverTheRanks) {
  const test::TemporaryFolder temporary(test::world());
  StepLog log(temporary.path() / "steps.jsonl", test::world());
  StepRecord record;
  record.converged = false;
  for (record.step = 1; record.step <= 3; ++record.step) log.append(record);
  test::world().barrier();
  std::ifstream stream(temporary.path() / "steps.jsonl");
  int lines = 0;
  for (std::string line; std::getline(stream, line);) EXPECT_EQ(YAML::Load(line)["step"].as<int>(), ++lines);
  EXPECT_EQ(lines, 3);
  EXPECT_EQ(log.unfinished(), 3);
  test::world().barrier();  // all have read
  EXPECT_EQ(StepLog(temporary.path() / "steps.jsonl", test::world(), 2).unfinished(), 2);
}

}  // namespace
}  // namespace unbarred
