// The relation of two triangles: against an oracle in integers, moved and scaled, renumbered, and named cases.
#include "audit/triangle_intersection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "support/integer_triangles.hpp"

namespace unbarred {
namespace {

using exact::Corners;
using exact::Relation;
using exact::triangle_triangle;
using test::Integer3;
using test::IntegerTriangle;

Corners real(const IntegerTriangle& t, const Vec3& scale = {{1, 1, 1}}) {
  Corners corners;
  for (std::size_t i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) corners[i][k] = scale[k] * static_cast<Real>(t[i][static_cast<std::size_t>(k)]);
  return corners;
}

std::string text(const IntegerTriangle& t) {
  std::string s;
  for (const auto& p : t)
    s += "(" + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + ")";
  return s;
}

struct Tally {
  std::array<int, 3> seen{};
  void check(const IntegerTriangle& t, const IntegerTriangle& o, int shared) {
    const Relation expected = test::expected_relation(t, o, shared);
    ++seen[static_cast<std::size_t>(expected)];
    ASSERT_EQ(triangle_triangle(real(t), real(o), shared), expected) << text(t) << text(o) << " shared " << shared;
    ASSERT_EQ(triangle_triangle(real(o), real(t), shared), expected) << text(o) << text(t) << " shared " << shared;
  }
};

TEST(TriangleRelation, equals_the_oracle_for_every_pair_in_the_unit_cube) {
  Tally strangers;
  const auto corner = [](int n) { return Integer3{n & 1, n >> 1 & 1, n >> 2 & 1}; };
  for (int n = 0; n < 1 << 18; ++n) {
    int v[6];
    for (int k = 0; k < 6; ++k) v[k] = n >> 3 * k & 7;
    if (v[0] > v[1] || v[1] > v[2] || v[3] > v[4] || v[4] > v[5]) continue;
    strangers.check({corner(v[0]), corner(v[1]), corner(v[2])}, {corner(v[3]), corner(v[4]), corner(v[5])}, 0);
  }
  EXPECT_GT(strangers.seen[0], 100);
  EXPECT_GT(strangers.seen[1], 100);
}

class RandomTriangles : public testing::TestWithParam<int> {
 protected:
  explicit RandomTriangles() : largest_(GetParam()), engine_(static_cast<unsigned>(GetParam())) {}
  Integer3 point() {
    std::uniform_int_distribution<std::int64_t> coordinate(0, largest_);
    return {coordinate(engine_), coordinate(engine_), coordinate(engine_)};
  }
  /// Two triangles whose first `shared` corners are equal.
  std::pair<IntegerTriangle, IntegerTriangle> pair(int shared) {
    IntegerTriangle t{point(), point(), point()}, o{point(), point(), point()};
    std::copy_n(t.begin(), shared, o.begin());
    return {t, o};
  }
  int largest_;
  std::mt19937 engine_;
};
INSTANTIATE_TEST_SUITE_P(coordinates_up_to, RandomTriangles, testing::Values(1, 2, 3, 7, 100));

TEST_P(RandomTriangles, equal_the_oracle) {
  for (int shared = 0; shared < 3; ++shared) {
    Tally tally;
    for (int n = 0; n < 25000; ++n) {
      const auto [t, o] = pair(shared);
      tally.check(t, o, shared);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(tally.seen[0], 100);
    if (largest_ <= 7) {
      EXPECT_GT(tally.seen[1], 100) << shared;
    }
    if (largest_ >= 3 && shared < 2) {
      EXPECT_GT(tally.seen[2], 100) << shared;
    }
  }
}

// Signs do not change when every axis is stretched by its own power of two, nor when both triangles move by what
// floating point can represent.
TEST_P(RandomTriangles, keep_their_relation_at_any_scale_and_place) {
  std::uniform_int_distribution<int> exponent(-1060, 1000);
  for (int n = 0; n < 20000; ++n) {
    const int shared = n % 3;
    const auto [t, o] = pair(shared);
    const Relation expected = triangle_triangle(real(t), real(o), shared);
    Vec3 scale;
    for (int k = 0; k < 3; ++k) scale[k] = std::ldexp(1.0, exponent(engine_));
    ASSERT_EQ(triangle_triangle(real(t, scale), real(o, scale), shared), expected) << text(t) << text(o);
    for (const int e : {-300, 300}) {
      const Real s = std::ldexp(1.0, e);
      ASSERT_EQ(triangle_triangle(real(t, {{s, s, s}}), real(o, {{s, s, s}}), shared), expected);
    }
    IntegerTriangle far_t = t, far_o = o;
    for (auto* triangle : {&far_t, &far_o})
      for (auto& p : *triangle) p[0] -= std::int64_t{1} << 52, p[1] += std::int64_t{1} << 51, p[2] -= 12345678901;
    ASSERT_EQ(triangle_triangle(real(far_t), real(far_o), shared), expected) << text(t) << text(o);
  }
}

TEST_P(RandomTriangles, do_not_depend_on_the_order_of_corners) {
  for (int n = 0; n < 3000; ++n) {
    const int shared = n % 3;
    auto [t, o] = pair(shared);
    const Relation expected = triangle_triangle(real(t), real(o), shared);
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
      IntegerTriangle s = t, p = o;
      for (std::size_t i = 0; i < 3; ++i) s[i] = t[order[i]], p[i] = o[order[i]];
      if (shared == 0) {
        ASSERT_EQ(triangle_triangle(real(s), real(o), 0), expected) << text(s) << text(o);
        ASSERT_EQ(triangle_triangle(real(t), real(p), 0), expected) << text(t) << text(p);
      } else if ((shared == 1 && order[0] == 0) || (shared == 2 && order[2] == 2)) {
        ASSERT_EQ(triangle_triangle(real(s), real(p), shared), expected) << text(s) << text(p);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// Found by hand; z is up. The triangle `floor` lies in z = 0.
constexpr Corners floor_triangle{{{{0, 0, 0}}, {{4, 0, 0}}, {{0, 4, 0}}}};

Relation with_floor(const Vec3& a, const Vec3& b, const Vec3& c) {
  return triangle_triangle(floor_triangle, Corners{a, b, c}, 0);
}

TEST(TriangleRelation, named_cases) {
  const Real tiny = 5e-324;
  EXPECT_EQ(with_floor({{1, 1, -1}}, {{1, 1, 1}}, {{9, 9, 1}}), Relation::crossing);
  EXPECT_EQ(with_floor({{1, 1, 0}}, {{1, 1, 1}}, {{9, 9, 1}}), Relation::touching) << "vertex on face";
  EXPECT_EQ(with_floor({{1, 1, tiny}}, {{1, 1, 1}}, {{9, 9, 1}}), Relation::apart) << "vertex just above the face";
  EXPECT_EQ(with_floor({{1, 1, -tiny}}, {{1, 1, 1}}, {{9, 9, 1}}), Relation::crossing) << "vertex just below";
  EXPECT_EQ(with_floor({{2, -1, -1}}, {{2, 1, 1}}, {{2, -5, 5}}), Relation::touching) << "edge on edge";
  EXPECT_EQ(with_floor({{0, 0, 0}}, {{-1, 0, 1}}, {{-1, -1, 1}}), Relation::touching) << "vertex on vertex";
  EXPECT_EQ(with_floor({{1, 1, 0}}, {{2, 1, 0}}, {{1, 2, 0}}), Relation::touching) << "coplanar, inside";
  EXPECT_EQ(with_floor({{-9, -9, 0}}, {{99, -9, 0}}, {{-9, 99, 0}}), Relation::touching) << "coplanar, around";
  EXPECT_EQ(with_floor({{3, 3, 0}}, {{9, 3, 0}}, {{3, 9, 0}}), Relation::apart) << "coplanar, beside";
  EXPECT_EQ(with_floor({{1, 0, 0}}, {{3, 0, 0}}, {{2, -1, 3}}), Relation::touching) << "collinear edges";
  EXPECT_EQ(with_floor({{5, 0, 0}}, {{7, 0, 0}}, {{6, -1, 3}}), Relation::apart) << "collinear edges, beside";
  EXPECT_EQ(triangle_triangle(floor_triangle, floor_triangle, 0), Relation::touching) << "identical";
  EXPECT_EQ(triangle_triangle(floor_triangle, floor_triangle, 3), Relation::touching) << "the same face twice";
}

TEST(TriangleRelation, neighbors) {
  const auto at_vertex = [](const Vec3& a, const Vec3& b) {
    return triangle_triangle(floor_triangle, Corners{floor_triangle[0], a, b}, 1);
  };
  const auto at_edge = [](const Vec3& a) {
    return triangle_triangle(floor_triangle, Corners{floor_triangle[0], floor_triangle[1], a}, 2);
  };
  EXPECT_EQ(at_vertex({{-1, 0, 0}}, {{0, -1, 0}}), Relation::apart) << "coplanar, opposite";
  EXPECT_EQ(at_vertex({{1, 1, -1}}, {{1, 1, 1}}), Relation::crossing) << "the opposite edge pierces the floor";
  EXPECT_EQ(at_vertex({{9, 9, -1}}, {{9, 9, 1}}), Relation::crossing) << "the floor's opposite edge pierces it";
  EXPECT_EQ(at_vertex({{1, 1, 0}}, {{1, 1, 1}}), Relation::touching) << "vertex on face";
  EXPECT_EQ(at_vertex({{9, 0, 0}}, {{9, 0, 1}}), Relation::touching) << "edge along edge";
  EXPECT_EQ(at_vertex({{1, 1, 0}}, {{2, 1, 0}}), Relation::touching) << "folded onto it";
  EXPECT_EQ(at_edge({{1, -1, 0}}), Relation::apart) << "flat surface";
  EXPECT_EQ(at_edge({{1, 1, 1e-300}}), Relation::apart) << "almost folded onto it";
  EXPECT_EQ(at_edge({{1, 1, 0}}), Relation::touching) << "folded onto it";
}

}  // namespace
}  // namespace unbarred
