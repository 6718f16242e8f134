#include "io/run/reaction_log.hpp"

#include <gtest/gtest.h>

#include "io/text/files.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

const std::string head = "step,time,motion,force_x,force_y,force_z,moment_x,moment_y,moment_z\n";
const std::vector<std::string> motions{"clamp", "turn, slowly"};

TEST(ReactionLog, HasALineAStepAndMotionAndGoesOnAfterAResume) {
  const test::TemporaryFolder folder(test::world());
  const auto file = folder.path() / "reaction_forces.csv";
  const Reaction clamp{0, {{1, 0, -0.5}}, {{0, 1e-20, 0}}}, turn{1, {{0, 0, 0}}, {{0, 0, 2}}};
  {
    const ReactionLog log(file, test::world(), motions);
    log.append(1, 0.25, {});
    log.append(2, 0.5, {clamp, turn});
    log.append(3, 0.75, {clamp});
    append_to_file(file, "4,1,clamp,1");
  }
  const std::string second = "2,0.5,clamp,1,0,-0.5,0,1e-20,0\n2,0.5,\"turn, slowly\",0,0,0,0,0,2\n";
  EXPECT_EQ(read_file(file), head + second + "3,0.75,clamp,1,0,-0.5,0,1e-20,0\n4,1,clamp,1");
  const ReactionLog log(file, test::world(), motions, 2);
  EXPECT_EQ(read_file(file), head + second);
}

}  // namespace
}  // namespace unbarred
