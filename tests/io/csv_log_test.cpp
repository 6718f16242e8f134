#include "io/text/csv_log.hpp"

#include <gtest/gtest.h>

namespace unbarred {
namespace {

TEST(CsvLog, QuotesWhatWouldNotBeOneField) {
  EXPECT_EQ(csv_text("ball[2]"), "ball[2]");
  EXPECT_EQ(csv_text("left, lower"), "\"left, lower\"");
  EXPECT_EQ(csv_text("a \"ball\""), "\"a \"\"ball\"\"\"");
  EXPECT_EQ(csv_text("two\nlines"), "two lines");
  EXPECT_EQ(csv_text(""), "");
}

TEST(CsvLog, NumbersReadBackToTheSameBits) {
  EXPECT_EQ(csv_step(12, 0.1 + 0.2), "12,0.30000000000000004");
  EXPECT_EQ(csv_vector({{1, -0.5, 1e-20}}), ",1,-0.5,1e-20");
}

}  // namespace
}  // namespace unbarred
