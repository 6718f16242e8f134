// Exact signs: against 128-bit integers, near coplanar, at the ends of the range of doubles.
#include "audit/orientation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace unbarred {
namespace {

using exact::orientation;
using exact::Projection;

__extension__ using Wide = __int128;
using Point = std::array<std::int64_t, 3>;

template <class T>
int sign_of(T x) {
  return (x > 0) - (x < 0);
}

/// Exact for differences below 2^41.
Wide determinant(const Point& a, const Point& b, const Point& c, const Point& d) {
  Wide m[3][3];
  const Point* rows[3] = {&b, &c, &d};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) m[i][j] = (*rows[i])[j] - a[j];
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

Vec3 real(const Point& p, const std::array<int, 3>& exponents = {0, 0, 0}) {
  Vec3 x;
  for (std::size_t k = 0; k < 3; ++k) x[static_cast<int>(k)] = std::ldexp(static_cast<Real>(p[k]), exponents[k]);
  return x;
}

class Orientation : public testing::TestWithParam<unsigned> {
 protected:
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  Point point(std::int64_t low, std::int64_t high) {
    return {integer(low, high), integer(low, high), integer(low, high)};
  }
  std::mt19937_64 engine_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(seeds, Orientation, testing::Values(1, 2, 3));

TEST_P(Orientation, equals_integer_arithmetic_for_random_points_of_every_size) {
  for (int n = 0; n < 50000; ++n) {
    const std::int64_t largest = std::int64_t{1} << integer(1, 40);
    const Point a = point(0, largest), b = point(0, largest), c = point(0, largest), d = point(0, largest);
    ASSERT_EQ(orientation(real(a), real(b), real(c), real(d)), sign_of(determinant(a, b, c, d))) << "draw " << n;
  }
}

// Points of a plane, one of them moved by the last unit or not at all, near the origin and up to 2^52 from it; and
// stretched by a power of two per axis, which leaves the sign alone, from the subnormal numbers almost to the largest.
TEST_P(Orientation, is_exact_for_nearly_coplanar_points) {
  std::array<int, 3> seen{};
  for (int n = 0; n < 50000; ++n) {
    const std::int64_t far = integer(0, 1) << integer(30, 51), size = std::int64_t{1} << integer(2, 18);
    const Point a = point(far, far + size), u = point(-size, size), v = point(-size, size);
    const std::int64_t i = integer(-999, 999), j = integer(-999, 999);
    Point b, c, d;
    for (std::size_t k = 0; k < 3; ++k) {
      b[k] = a[k] + 900 * u[k];
      c[k] = a[k] + 900 * v[k];
      d[k] = a[k] + i * u[k] + j * v[k];
    }
    d[static_cast<std::size_t>(integer(0, 2))] += integer(-1, 1);
    const int expected = sign_of(determinant(a, b, c, d));
    ++seen[static_cast<std::size_t>(expected + 1)];
    ASSERT_EQ(orientation(real(a), real(b), real(c), real(d)), expected) << "draw " << n;
    const auto exponent = [&] { return static_cast<int>(integer(-1074, 970)); };
    const std::array<int, 3> exponents{exponent(), exponent(), exponent()};
    ASSERT_EQ(orientation(real(a, exponents), real(b, exponents), real(c, exponents), real(d, exponents)), expected);
    for (const int e : {-300, 300})
      ASSERT_EQ(orientation(real(a, {e, e, e}), real(b, {e, e, e}), real(c, {e, e, e}), real(d, {e, e, e})), expected);
  }
  for (const int count : seen) EXPECT_GT(count, 5000);
}

TEST_P(Orientation, changes_sign_with_every_exchange) {
  std::uniform_real_distribution<Real> mantissa(-1, 1);
  for (int n = 0; n < 5000; ++n) {
    std::array<Vec3, 4> p;
    const int spread = n % 2 ? 1000 : 3;  // exponents far apart, or close
    for (Vec3& x : p)
      for (int k = 0; k < 3; ++k) x[k] = std::ldexp(mantissa(engine_), static_cast<int>(integer(-spread, spread)));
    if (n % 3 == 0) p[3] = 0.5 * p[1] + 0.5 * p[2];  // rounded: nearly coplanar
    const int expected = orientation(p[0], p[1], p[2], p[3]);
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    do {
      int parity = 1;
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i + 1; j < 4; ++j) parity *= order[i] < order[j] ? 1 : -1;
      ASSERT_EQ(orientation(p[order[0]], p[order[1]], p[order[2]], p[order[3]]), parity * expected) << "draw " << n;
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// The classical picture: a fine grid of points about a line, where the plain formula answers almost at random.
TEST(Orientation, in_a_coordinate_plane_is_exact_about_a_diagonal) {
  const Real unit = 0x1p-53;
  for (int i = 0; i < 256; ++i)
    for (int j = 0; j < 256; ++j)
      for (int dropped = 0; dropped < 3; ++dropped) {
        Vec3 p{}, q{}, r{};
        const int x = (dropped + 1) % 3, y = (dropped + 2) % 3;
        p[x] = 0.5 + i * unit, p[y] = 0.5 + j * unit;
        q[x] = q[y] = 12;
        r[x] = r[y] = 24;
        // Counterclockwise when p lies above the diagonal.
        ASSERT_EQ(orientation(p, q, r, Projection{dropped}), sign_of(j - i)) << i << " " << j;
        ASSERT_EQ(orientation(q, p, r, Projection{dropped}), sign_of(i - j)) << i << " " << j;
      }
}

TEST(Orientation, known_signs_at_the_ends_of_the_range) {
  const Real tiny = std::numeric_limits<Real>::denorm_min(), huge = std::numeric_limits<Real>::max();
  const Vec3 o{{0, 0, 0}}, x{{1, 0, 0}}, y{{0, 1, 0}}, z{{0, 0, 1}};
  EXPECT_EQ(orientation(o, x, y, z), 1);
  EXPECT_EQ(orientation(o, y, x, z), -1);
  EXPECT_EQ(orientation(o, x, y, {{5, -7, 0}}), 0);
  EXPECT_EQ(orientation(o, tiny * x, tiny * y, tiny * z), 1);
  EXPECT_EQ(orientation(o, huge * x, huge * y, huge * z), 1);
  EXPECT_EQ(orientation(o, huge * x, huge * y, {{-huge, huge, -tiny}}), -1);
  EXPECT_EQ(orientation({{-huge, -huge, 0}}, {{huge, -huge, 0}}, {{huge, huge, 0}}, {{1, 2, tiny}}), 1);
  EXPECT_EQ(orientation({{-huge, -huge, tiny}}, {{huge, -huge, tiny}}, {{huge, huge, tiny}}, {{1, 2, tiny}}), 0);
  EXPECT_EQ(orientation({{-huge, -huge, -huge}}, {{huge, huge, huge}}, {{1, 1, 1}}, {{tiny, 7, -huge}}), 0);
  const Vec3 minus_zero{{-0.0, -0.0, -0.0}};
  EXPECT_EQ(orientation(o, x, minus_zero, z), 0);
  EXPECT_EQ(orientation(o, {{tiny, tiny, 0}}, {{huge, huge, 0}}, Projection{2}), 0);
  EXPECT_EQ(orientation(o, {{2 * tiny, tiny, 0}}, {{huge, huge, 0}}, Projection{2}), 1);
}

}  // namespace
}  // namespace unbarred
