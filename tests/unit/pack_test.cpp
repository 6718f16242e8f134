#include "core/pack.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace unbarred {
namespace {

using P = Pack<4>;

P make(Real a, Real b, Real c, Real d) {
  const Real values[4] = {a, b, c, d};
  return P::load(values);
}

void expect_lanes(const P& p, Real a, Real b, Real c, Real d) {
  Real values[4];
  p.store(values);
  EXPECT_EQ(values[0], a);
  EXPECT_EQ(values[1], b);
  EXPECT_EQ(values[2], c);
  EXPECT_EQ(values[3], d);
}

TEST(Pack, arithmetic_is_lane_by_lane_and_mixes_with_numbers) {
  const P a = make(1, -2, 3, 4), b = make(2, 4, -8, 0.5);
  expect_lanes(a + b, 3, 2, -5, 4.5);
  expect_lanes(a - b, -1, -6, 11, 3.5);
  expect_lanes(a * b, 2, -8, -24, 2);
  expect_lanes(a / b, 0.5, -0.5, -0.375, 8);
  expect_lanes(2 * a + 1, 3, -3, 7, 9);
  expect_lanes(1 / b, 0.5, 0.25, -0.125, 2);
  expect_lanes(-a, -1, 2, -3, -4);
}

TEST(Pack, masks_select_lanes) {
  const P a = make(1, -2, 3, 4), b = make(1, 4, -8, 5);
  expect_lanes(select(a < b, a, 0), 0, -2, 0, 4);
  expect_lanes(select(a <= b, a, b), 1, -2, -8, 4);
  expect_lanes(select(!(a > b) && a > 0, 1, P(0)), 1, 0, 0, 1);
  expect_lanes(select(a == b || a >= 4, 1, P(0)), 1, 0, 0, 1);
  EXPECT_TRUE(any(a > 3));
  EXPECT_FALSE(any(a > 4));
}

TEST(Pack, functions_agree_with_those_of_numbers) {
  const Real values[4] = {2, 0, 1e-310, 1e300};
  const P a = P::load(values);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(lane(sqrt(a), i), std::sqrt(values[i]));
    EXPECT_EQ(lane(log(a), i), std::log(values[i]));
    EXPECT_EQ(lane(abs(-a), i), values[i]);
    EXPECT_EQ(lane(min(a, P(1)), i), std::fmin(values[i], 1));
    EXPECT_EQ(lane(max(a, P(1)), i), std::fmax(values[i], 1));
    EXPECT_EQ(lane(power_of_two_below(a), i), power_of_two_below(values[i]));
  }
}

TEST(Pack, one_lane_can_be_set) {
  P a = 7;
  set_lane(a, 2, 5);
  expect_lanes(a, 7, 7, 5, 7);
  Real b = 7;
  set_lane(b, 0, 5);
  EXPECT_EQ(lane(b, 0), 5);
  EXPECT_EQ(lanes<P>, 4);
  EXPECT_EQ(lanes<Real>, 1);
}

TEST(Pack, power_of_two_below_has_an_exact_reciprocal) {
  const Real most = std::numeric_limits<Real>::max(), least = std::numeric_limits<Real>::denorm_min();
  EXPECT_EQ(power_of_two_below(1), 1);
  EXPECT_EQ(power_of_two_below(7.9), 4);
  EXPECT_EQ(power_of_two_below(0.3), 0.25);
  for (const Real a : {0.0, least, 1e-310, 1e-300, 1.0, 1e300, most}) {
    const Real p = power_of_two_below(a);
    EXPECT_EQ(p * (1 / p), 1) << a;
    EXPECT_LT(a / p, 4) << a;
  }
}

}  // namespace
}  // namespace unbarred
