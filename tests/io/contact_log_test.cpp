#include "io/run/contact_log.hpp"

#include <gtest/gtest.h>

#include "io/text/files.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

const std::string head = "step,time,body_a,body_b,normal_x,normal_y,normal_z,friction_x,friction_y,friction_z\n";

const std::vector<std::string> bodies{"ball[0]", "a, \"b\"", "floor"};

const BodyForce first{0, 2, {{0.5, -1, 0}}, {{0, 1.0 / 3, 2}}}, second{1, 2, {{1e-20, 0, 3}}, {{0, 0, 0}}};

TEST(ContactLog, HasALineAStepAndPairOfBodies) {
  const test::TemporaryFolder folder(test::world());
  const auto file = folder.path() / "contact_forces.csv";
  const ContactLog log(file, test::world(), bodies);
  EXPECT_EQ(read_file(file), head);
  log.append(1, 0.01, {});
  log.append(2, 0.02, {first, second});
  EXPECT_EQ(read_file(file), head +
                                 "2,0.02,ball[0],floor,0.5,-1,0,0,0.3333333333333333,2\n"
                                 "2,0.02,\"a, \"\"b\"\"\",floor,1e-20,0,3,0,0,0\n");
  ContactLog(file, test::world(), bodies);
  EXPECT_EQ(read_file(file), head);
}

TEST(ContactLog, ResumedItKeepsWhatCameBeforeAndNoHalfLine) {
  const test::TemporaryFolder folder(test::world());
  const auto file = folder.path() / "contact_forces.csv";
  {
    const ContactLog log(file, test::world(), bodies);
    for (int step = 1; step <= 12; ++step) log.append(step, step, {first});
    append_to_file(file, "13,13,ball[0],floor,0.5");
  }
  const ContactLog log(file, test::world(), bodies, 10);
  log.append(11, 11.5, {second});
  const std::string text = read_file(file);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 12);
  EXPECT_TRUE(text.starts_with(head + "1,1,ball[0],floor,"));
  EXPECT_NE(text.find("\n10,10,ball[0],floor,0.5,-1,0,0,0.3333333333333333,2\n11,11.5,\"a,"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("\n12,"), std::string::npos);
}

TEST(ContactLog, OfARunThatHadNoneStartsEmpty) {
  const test::TemporaryFolder folder(test::world());
  const ContactLog log(folder.path() / "contact_forces.csv", test::world(), bodies, 10);
  EXPECT_EQ(read_file(folder.path() / "contact_forces.csv"), head);
}

}  // namespace
}  // namespace unbarred
