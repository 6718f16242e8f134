// The first loss of volume along a path, against dense sampling in extended precision.
#include "model/inversion_step.hpp"

#include <gtest/gtest.h>

#include "support/random_matrices.hpp"

namespace unbarred {
namespace {

struct Motion {
  Mat3 D, dD;
};

/// det(D + t dD) exactly as the real numbers D, dD have it, to 64 bits.
struct ExactPath {
  long double c[4];
  explicit ExactPath(const Motion& m) {
    for (int k = 0; k < 4; ++k) c[k] = 0;
    // Columns of D or dD by the bits of `choice`.
    for (int choice = 0; choice < 8; ++choice) {
      long double a[3][3];
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) a[i][j] = choice >> j & 1 ? m.dD(i, j) : m.D(i, j);
      c[(choice & 1) + (choice >> 1 & 1) + (choice >> 2)] += a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                                                             a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                                                             a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    }
  }
  long double operator()(long double t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
};

/// Ordinary motions, slivers, flat starts, motions that only touch, scales from 1e-60 to 1e60.
Motion draw(test::RandomMatrices& random, int n) {
  Motion m{random.matrix(), random.matrix()};
  const int kind = n % 8;
  if (kind == 1) m.D = random.with_singular_values(1, random.uniform(0, 1), std::pow(10, random.uniform(-17, 0)));
  if (kind == 2) m.dD = std::pow(10, random.uniform(-6, 6)) * m.dD;
  if (kind == 3) m.dD = random.rotation() * m.D - m.D;
  if (kind == 4) m.dD = (-std::pow(2, random.uniform(-3, 3))) * m.D;  // shrinks: a triple root
  if (kind == 5) {  // a spiral whose least volume is 0.1 or just beside: a double root
    const Real least = 0.1 * (1 + random.uniform(-1, 1) * std::pow(10, random.uniform(-16, 0)));
    const Real a = random.uniform(0.5, 4), b = a * std::sqrt(least / (1 - least));
    const Mat3 left = random.rotation();
    m.dD = left * Mat3{{{-a, -b, 0}, {b, -a, 0}, {0, 0, 0}}} * m.D;
    m.D = left * m.D;
  }
  if (kind == 6) m.dD = outer(random.vector(), random.vector());
  if (kind == 7) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        m.D(i, j) = std::floor(random.uniform(-2, 3));
        m.dD(i, j) = std::floor(random.uniform(-2, 3));
      }
  }
  if (kind != 7 && determinant(m.D) < 0)
    for (int i = 0; i < 3; ++i) m.D(i, 0) = -m.D(i, 0);
  const Real scale = n % 3 == 0 ? std::pow(10, random.uniform(-60, 60)) : 1;
  return {scale * m.D, scale * m.dD};
}

class InversionStep : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(seeds, InversionStep, testing::Values(11, 12, 13, 14));

TEST_P(InversionStep, is_never_late_and_not_much_too_early) {
  constexpr Real floor = 0.1;
  constexpr int samples = 100;
  test::RandomMatrices random(GetParam());
  int cut = 0, free = 0;
  for (int n = 0; n < 25000; ++n) {
    const Motion m = draw(random, n);
    const Real t = inversion_step(m.D, m.dD, floor);
    SCOPED_TRACE(testing::Message() << "seed " << GetParam() << ", draw " << n << ", t " << t);
    ASSERT_GE(t, 0);
    ASSERT_LE(t, 1);
    const ExactPath volume(m);
    const long double least = floor * volume.c[0];
    ASSERT_TRUE(t == 0 || volume.c[0] > 0);
    for (int k = 0; k <= samples; ++k)
      ASSERT_TRUE(t == 0 || volume(t * static_cast<long double>(k) / samples) >= least) << "sample " << k;
    if (t > 0 && t < 1) {
      ++cut;
      // What is left above the floor is rounding: of the terms of the determinant, and the precision of t.
      const Real terms = detail::determinant_path(detail::absolute(m.D), detail::absolute(m.dD), 1)(t);
      ASSERT_LE(volume(t) - least, 1e-10L * terms);
    }
    free += t == 1;
  }
  EXPECT_GT(cut, 5000);
  EXPECT_GT(free, 2500);
}

TEST(InversionStep, known_paths) {
  const Mat3 I = diagonal(1.0, 1.0, 1.0);
  EXPECT_EQ(inversion_step(I, 0.0 * I, 0.1), 1);
  EXPECT_EQ(inversion_step(I, I, 0.1), 1);
  EXPECT_NEAR(inversion_step(I, -1.0 * I, 0.1), 1 - std::cbrt(0.1), 1e-11);
  EXPECT_NEAR(inversion_step(I, diagonal(-1.0, 0.0, 0.0), 0.1), 0.9, 1e-11);
  EXPECT_NEAR(inversion_step(I, diagonal(-1e9, 0.0, 0.0), 0.1), 0.9e-9, 1e-20);
  EXPECT_EQ(inversion_step(I, diagonal(-0.89, 0.0, 0.0), 0.1), 1);
  // Through zero twice: volume is positive again at the end of the path, and a test of the end would not see it.
  EXPECT_NEAR(inversion_step(I, diagonal(-3.0, -3.0, 0.0), 0.1), (1 - std::sqrt(0.1)) / 3, 1e-11);
  EXPECT_NEAR(inversion_step(1e-100 * I, -1e-100 * I, 0.1), 1 - std::cbrt(0.1), 1e-11);
  EXPECT_NEAR(inversion_step(1e100 * I, -1e100 * I, 0.1), 1 - std::cbrt(0.1), 1e-11);
}

TEST(InversionStep, no_step_from_a_flat_or_inverted_start) {
  const Mat3 I = diagonal(1.0, 1.0, 1.0);
  EXPECT_EQ(inversion_step(diagonal(1.0, 1.0, 0.0), I, 0.1), 0);
  EXPECT_EQ(inversion_step(diagonal(1.0, 1.0, -1.0), I, 0.1), 0);
  EXPECT_EQ(inversion_step(0.0 * I, 0.0 * I, 0.1), 0);
}

}  // namespace
}  // namespace unbarred
