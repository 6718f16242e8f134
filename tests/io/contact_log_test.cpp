#include "io/contact_log.hpp"

#include <gtest/gtest.h>

#include "io/files.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

const std::string head = "step,time,body_a,body_b,normal_x,normal_y,normal_z,friction_x,friction_y,friction_z\n";

const BodyForce first{0, 2, {{0.5, -1, 0}}, {{0, 1.0 / 3, 2}}}, second{1, 2, {{1e-20, 0, 3}}, {{0, 0, 0}}};

TEST(ContactLog, HasALineAStepAndPairOfBodies) {
  const test::TemporaryFolder folder(test::world());
  const auto file = folder.path() / "contact_forces.csv";
  const ContactLog log(file, test::world());
  EXPECT_EQ(read_file(file), head);
  log.append(1, 0.01, {});
  log.append(2, 0.02, {first, second});
  EXPECT_EQ(read_file(file), head + "2,0.02,0,2,0.5,-1,0,0,0.3333333333333333,2\n2,0.02,1,2,1e-20,0,3,0,0,0\n");
  ContactLog(file, test::world());
  EXPECT_EQ(read_file(file), head);
}

TEST(ContactLog, ResumedItKeepsWhatCameBeforeAndNoHalfLine) {
  const test::TemporaryFolder folder(test::world());
  const auto file = folder.path() / "contact_forces.csv";
  {
    const ContactLog log(file, test::world());
    for (int step = 1; step <= 12; ++step) log.append(step, step, {first});
    append_to_file(file, "13,13,0,2,0.5");
  }
  const ContactLog log(file, test::world(), 10);
  log.append(11, 11.5, {second});
  const std::string text = read_file(file);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 12);
  EXPECT_TRUE(text.starts_with(head + "1,1,0,2,"));
  EXPECT_NE(text.find("\n10,10,0,2,0.5,-1,0,0,0.3333333333333333,2\n11,11.5,1,2,"), std::string::npos) << text;
  EXPECT_EQ(text.find("\n12,"), std::string::npos);
}

TEST(ContactLog, OfARunThatHadNoneStartsEmpty) {
  const test::TemporaryFolder folder(test::world());
  const ContactLog log(folder.path() / "contact_forces.csv", test::world(), 10);
  EXPECT_EQ(read_file(folder.path() / "contact_forces.csv"), head);
}

}  // namespace
}  // namespace unbarred
