// Boxes contain what they should, whatever the scale and the place.
#include "contact/search/box.hpp"

#include <gtest/gtest.h>

#include "support/box_soups.hpp"

namespace unbarred {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

void expect_tight(Real x) {
  const float down = round_down(x), up = round_up(x);
  ASSERT_LE(static_cast<Real>(down), x);
  ASSERT_GE(static_cast<Real>(up), x);
  ASSERT_TRUE(static_cast<Real>(std::nextafter(down, infinity)) > x || down == infinity) << x;
  ASSERT_TRUE(static_cast<Real>(std::nextafter(up, -infinity)) < x || up == -infinity) << x;
}

TEST(Box, RoundingIsOutwardAndTight) {
  test::RandomMatrices random(5);
  for (int n = 0; n < 200000; ++n) {
    const Real x = random.uniform(-1, 1) * std::pow(2, random.uniform(-1074, 1023));
    expect_tight(x);
    expect_tight(random.uniform(-1, 1) * std::pow(2, random.uniform(-152, 130)));
    const Real exact = static_cast<float>(random.uniform(-1, 1) * std::pow(2, random.uniform(-150, 127)));
    ASSERT_EQ(static_cast<Real>(round_down(exact)), exact);
    ASSERT_EQ(static_cast<Real>(round_up(exact)), exact);
    expect_tight(std::nextafter(exact, 1e300));
    expect_tight(std::nextafter(exact, -1e300));
  }
}

TEST(Box, RoundingAtTheEndsOfTheRange) {
  using Float = std::numeric_limits<float>;
  using Double = std::numeric_limits<Real>;
  for (const Real x : {0.0, -0.0, Double::denorm_min(), Double::min(), static_cast<Real>(Float::denorm_min()),
                       static_cast<Real>(Float::min()), static_cast<Real>(Float::max()), Double::max()}) {
    expect_tight(x);
    expect_tight(-x);
  }
  EXPECT_EQ(round_down(1e300), Float::max());
  EXPECT_EQ(round_up(1e300), infinity);
  EXPECT_EQ(round_down(-1e300), -infinity);
  EXPECT_EQ(round_up(1e-300), Float::denorm_min());
  EXPECT_EQ(round_down(-1e-300), -Float::denorm_min());
  EXPECT_EQ(round_down(1e-300), 0);
}

/// Edges that pass through a common point at some moment meet in it: their boxes must overlap.
TEST(Box, PrimitivesThatTouchHaveBoxesThatOverlap) {
  test::RandomMatrices random(6);
  for (int n = 0; n < 300; ++n) {
    const Real size = std::pow(10, random.uniform(-9, 9)), distance = std::pow(10, random.uniform(-9, 9));
    const Vec3 place = distance * random.vector();
    const Vec3 origin = place + std::pow(10, random.uniform(-3, 3)) * random.vector();
    std::vector<Vec3> start, end;
    std::vector<Edge> edges;
    const Vec3 meeting = place + size * random.vector();
    for (Index e = 0; e < 40; ++e) {
      // The first vertex is at the meeting point, at the start or at the end; everything else lies to one side.
      Vec3 other = meeting, before = meeting;
      for (int axis = 0; axis < 3; ++axis) {
        const Real side = e & 1 << axis ? 1 : -1;
        other[axis] += side * std::fabs(size * random.gauss());
        before[axis] += side * std::fabs(size * random.gauss());
      }
      start.insert(start.end(), {e & 8 ? before : meeting, other});
      end.insert(end.end(), {e & 8 ? meeting : before, other});
      edges.push_back({{2 * e, 2 * e + 1}});
    }
    const std::vector<Box> boxes = test::boxes_of(edges, start, end, 0, origin).to_host();
    for (const Box& a : boxes)
      for (const Box& b : boxes) ASSERT_TRUE(overlap(a, b)) << "size " << size << ", distance " << distance;
  }
}

TEST(Box, SweptTriangleContainsItsPathAndTheMargin) {
  test::RandomMatrices random(7);
  for (int n = 0; n < 300; ++n) {
    const Real size = std::pow(10, random.uniform(-6, 6)), margin = size * std::pow(10, random.uniform(-6, 0));
    const Vec3 origin = size * random.vector();
    std::vector<Vec3> start, end;
    for (int k = 0; k < 3; ++k) {
      start.push_back(size * random.vector());
      end.push_back(size * random.vector());
    }
    const Box box = test::boxes_of<3>({{{0, 1, 2}}}, start, end, margin, origin).to_host()[0];
    for (int sample = 0; sample < 100; ++sample) {
      const Real t = random.uniform(0, 1), a = random.uniform(0, 1), b = random.uniform(0, 1 - a);
      const Real weights[3] = {a, b, 1 - a - b};
      for (int axis = 0; axis < 3; ++axis) {
        Real at = -origin[axis];
        for (std::size_t k = 0; k < 3; ++k) at += weights[k] * ((1 - t) * start[k][axis] + t * end[k][axis]);
        ASSERT_LT(static_cast<Real>(box.lower[axis]), at - 0.999 * margin);
        ASSERT_GT(static_cast<Real>(box.upper[axis]), at + 0.999 * margin);
      }
    }
  }
}

TEST(Box, UnionAndOverlap) {
  const Box a{{0, 0, 0}, {1, 1, 1}}, b{{1, -1, 0.5f}, {2, 0, 3}}, c{{1.5f, 0, 0}, {2, 1, 1}};
  EXPECT_TRUE(overlap(a, b));  // they touch
  EXPECT_FALSE(overlap(a, c));
  EXPECT_TRUE(overlap(b, c));
  const Box u = united(a, b);
  EXPECT_EQ(u.lower[0], 0);
  EXPECT_EQ(u.lower[1], -1);
  EXPECT_EQ(u.lower[2], 0);
  EXPECT_EQ(u.upper[0], 2);
  EXPECT_EQ(u.upper[1], 1);
  EXPECT_EQ(u.upper[2], 3);
}

}  // namespace
}  // namespace unbarred
