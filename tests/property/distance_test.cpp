// Distance of pairs against brute force in 113 bits, its gradient, its symmetries.
#include "contact/distance.hpp"

#include <gtest/gtest.h>

#include "support/random_pairs.hpp"
#include "support/reference_distance.hpp"

namespace unbarred {
namespace {

using test::PairSample;
using test::Quad;

constexpr Real roundoff = 0x1p-53;
constexpr PairKind vertex_triangle = PairKind::vertex_triangle, edge_edge = PairKind::edge_edge;

/// In units of `unit`, which keeps quadruple products of 1e150 in range.
void widen(const PairSample& pair, Real unit, Vec3T<Quad> (&x)[4]) {
  for (int k = 0; k < 4; ++k) x[k] = (1 / Quad(unit)) * test::widened<Quad>(pair.x[k]);
}

Real to_real(Quad a) { return static_cast<Real>(a); }

/// Along the normal the sides are apart by this.
Quad separation(PairKind kind, const Vec3T<Quad> (&x)[4], const Vec3& normal) {
  const Vec3T<Quad> n = test::widened<Quad>(normal);
  const int side_a = side_a_size(kind);
  Quad lowest = dot(n, x[0] - x[3]);
  for (int a = 0; a < side_a; ++a)
    for (int b = side_a; b < 4; ++b) {
      const Quad height = dot(n, x[a] - x[b]);
      lowest = height < lowest ? height : lowest;
    }
  return lowest;
}

void expect_consistent(const PairSample& pair) {
  const Real size = test::extent(pair.x), unit = size > 0 ? size : 1;
  Vec3T<Quad> x[4];
  widen(pair, unit, x);
  const PairDistance found = pair_distance(pair.kind, pair.x);
  const Quad distance = Quad(found.distance) / Quad(unit), truth = test::reference_distance(pair.kind, x);
  ASSERT_LT(std::fabs(to_real(distance - truth)), 16 * roundoff);

  const Real length = squared_norm(found.normal);
  ASSERT_TRUE(std::fabs(length - 1) < 8 * roundoff || (length == 0 && found.distance == 0)) << length;
  const int side_a = side_a_size(pair.kind);
  Quad a = 0, b = 0, projected = 0;
  for (int k = 0; k < 4; ++k) {
    const Real weight = found.weight[k] * (k < side_a ? 1 : -1);
    ASSERT_GE(weight, -8 * roundoff);
    ASSERT_LE(weight, 1 + 8 * roundoff);
    (k < side_a ? a : b) += Quad(found.weight[k]);
    projected += Quad(found.weight[k]) * dot(test::widened<Quad>(found.normal), x[k] - x[0]);
  }
  ASSERT_NEAR(to_real(a), 1, 4 * roundoff);
  ASSERT_NEAR(to_real(b), -1, 4 * roundoff);
  ASSERT_LT(std::fabs(to_real(projected - distance)), 32 * roundoff);
}

class Distance : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(seeds, Distance, testing::Values(1, 2, 3));

TEST_P(Distance, is_that_of_brute_force) {
  test::RandomPairs random(GetParam());
  for (int n = 0; n < 20000; ++n) {
    const PairSample pair = random.any();
    SCOPED_TRACE(testing::Message() << "seed " << GetParam() << ", pair " << n << ": " << describe(pair));
    ASSERT_NO_FATAL_FAILURE(expect_consistent(pair));
  }
}

/// The normal is as good as the distance: the sides lie apart along it, by the distance. That is what keeps planes
/// between the sides usable at tiny gaps.
TEST_P(Distance, normal_separates_at_tiny_gaps_and_angles) {
  test::RandomPairs random(GetParam());
  for (int n = 0; n < 20000; ++n) {
    const Real gap = random.logarithmic(1e-14, 1), angle = random.logarithmic(1e-12, 1e-1);
    const PairSample pair = n % 2 ? random.edges(angle, gap) : random.vertex_over_triangle(angle, gap);
    SCOPED_TRACE(testing::Message() << "seed " << GetParam() << ", pair " << n << ": " << describe(pair));
    ASSERT_NO_FATAL_FAILURE(expect_consistent(pair));
    const PairDistance found = pair_distance(pair.kind, pair.x);
    Vec3T<Quad> x[4];
    widen(pair, 1, x);
    const Real loss = to_real(Quad(found.distance) - separation(pair.kind, x, found.normal));
    ASSERT_LT(loss, 32 * roundoff + 1e-11 * found.distance);
  }
}

/// A vertex just beyond the border of a triangle, or an edge just beyond another one, next to an end of an edge: there
/// the distances from the end and from the foot on the edge agree to the last digit, and the directions do not.
TEST_P(Distance, normal_separates_next_to_the_ends_of_edges) {
  test::RandomPairs random(GetParam());
  for (int n = 0; n < 20000; ++n) {
    const Real gap = random.logarithmic(1e-14, 1e-2);
    const Vec3 beyond{{(n % 4 < 2 ? -1 : 1) * random.logarithmic(1e-30, 1e-6), gap, 0}};
    const Vec3 corner{{0, 0, 0}}, along{{-1, 0, 0}}, back{{random.uniform(-2, 2), -1, 0}};
    PairSample pair{vertex_triangle, {beyond, corner, along, back}};
    if (n % 3 > 0) std::rotate(pair.x + 1, pair.x + 1 + n % 3, pair.x + 4);
    if (n % 2 > 0) pair = {edge_edge, {beyond, beyond + Vec3{{back[0], 1, 0}}, corner, along}};
    const int turn = static_cast<int>(random.uniform(0, 3));  // exact, unlike a rotation
    for (Vec3& x : pair.x) std::rotate(&x[0], &x[0] + turn, &x[0] + 3);
    SCOPED_TRACE(testing::Message() << "seed " << GetParam() << ", pair " << n << ": " << describe(pair));
    ASSERT_NO_FATAL_FAILURE(expect_consistent(pair));
    const PairDistance found = pair_distance(pair.kind, pair.x);
    Vec3T<Quad> x[4];
    widen(pair, 1, x);
    const Real loss = to_real(Quad(found.distance) - separation(pair.kind, x, found.normal));
    ASSERT_LT(loss, 32 * roundoff + 1e-11 * found.distance);
  }
}

TEST_P(Distance, gradient_is_the_difference_quotient) {
  test::RandomPairs random(GetParam());
  for (int n = 0; n < 3000; ++n) {
    const PairSample pair = random.anywhere(n % 2 ? vertex_triangle : edge_edge);
    SCOPED_TRACE(testing::Message() << "seed " << GetParam() << ", pair " << n << ": " << describe(pair));
    const PairDistance found = pair_distance(pair.kind, pair.x);
    const Quad step = 1e-12;
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 3; ++i) {
        Vec3T<Quad> ahead[4], behind[4];
        widen(pair, 1, ahead);
        widen(pair, 1, behind);
        ahead[k][i] += step;
        behind[k][i] -= step;
        const Quad rise = test::reference_distance(pair.kind, ahead) - test::reference_distance(pair.kind, behind);
        ASSERT_NEAR(to_real(rise / (2 * step)), found.weight[k] * found.normal[i], 1e-11 / found.distance);
      }
  }
}

TEST_P(Distance, moves_with_space) {
  test::RandomPairs random(GetParam());
  for (int n = 0; n < 5000; ++n) {
    const PairSample pair = random.anywhere(n % 2 ? vertex_triangle : edge_edge);
    const PairDistance found = pair_distance(pair.kind, pair.x);
    // A power of two and a shift that rounds nothing change no bit.
    PairSample doubled = pair;
    for (Vec3& x : doubled.x) x = 0x1p60 * x;
    const PairDistance far = pair_distance(doubled.kind, doubled.x);
    ASSERT_EQ(far.distance, 0x1p60 * found.distance);
    for (int k = 0; k < 4; ++k) ASSERT_EQ(far.weight[k], found.weight[k]);
    const Mat3 R = random.rotation();
    PairSample turned = pair;
    for (Vec3& x : turned.x) x = R * x + Vec3{{1, 2, 3}};
    const PairDistance other = pair_distance(turned.kind, turned.x);
    ASSERT_NEAR(other.distance, found.distance, 1e-14);
    const Vec3 normal = R * found.normal;
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(other.normal[i], normal[i], 1e-14 / found.distance) << describe(pair);
  }
}

/// Vertex k of the result is vertex order[k] of the pair.
PairSample reordered(const PairSample& pair, const int (&order)[4]) {
  return {pair.kind, {pair.x[order[0]], pair.x[order[1]], pair.x[order[2]], pair.x[order[3]]}};
}

TEST_P(Distance, does_not_depend_on_the_order_of_vertices) {
  constexpr int triangle_orders[][4] = {{0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 3, 2}, {0, 3, 2, 1}, {0, 2, 1, 3}};
  constexpr int edge_orders[][4] = {{1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  test::RandomPairs random(GetParam());
  for (int n = 0; n < 5000; ++n) {
    const PairSample pair = random.anywhere(n % 2 ? vertex_triangle : edge_edge);
    SCOPED_TRACE(testing::Message() << "seed " << GetParam() << ", pair " << n << ": " << describe(pair));
    const PairDistance found = pair_distance(pair.kind, pair.x);
    for (const auto& order : n % 2 ? triangle_orders : edge_orders) {
      const PairSample other = reordered(pair, order);
      const PairDistance same = pair_distance(other.kind, other.x);
      ASSERT_NEAR(same.distance, found.distance, 1e-14);
      // Weights and normal both change sign where the sides change places: the gradient does not.
      for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 3; ++i)
          ASSERT_NEAR(same.weight[k] * same.normal[i], found.weight[order[k]] * found.normal[i],
                      1e-12 / found.distance);
    }
  }
}

TEST(DistanceOf, touching_interiors_have_a_normal_and_touching_corners_none) {
  const PairDistance crossing = pair_distance(edge_edge, {{{-1, 0, 0}}, {{1, 0, 0}}, {{0, -1, 0}}, {{0, 1, 0}}});
  EXPECT_EQ(crossing.distance, 0);
  EXPECT_EQ(std::fabs(crossing.normal[2]), 1);
  const PairDistance inside =
      pair_distance(vertex_triangle, {{{0.25, 0.25, 0}}, {{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}});
  EXPECT_EQ(inside.distance, 0);
  EXPECT_EQ(std::fabs(inside.normal[2]), 1);
  const PairDistance corner = pair_distance(edge_edge, {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 0, 0}}, {{-1, 0, 0}}});
  EXPECT_EQ(corner.distance, 0);
  EXPECT_EQ(squared_norm(corner.normal), 0);
  const Vec3 point{{1e300, -3, 1e-300}};
  const PairDistance one_place = pair_distance(vertex_triangle, {point, point, point, point});
  EXPECT_EQ(one_place.distance, 0);
  EXPECT_EQ(squared_norm(one_place.normal), 0);
}

TEST(DistanceOf, points_and_segments_is_theirs) {
  const Vec3 a{{1, 2, 3}}, b{{1, 5, 7}}, c{{4, 2, 3}};
  EXPECT_EQ(pair_distance(edge_edge, {a, a, b, b}).distance, 5);
  EXPECT_EQ(pair_distance(vertex_triangle, {a, b, b, b}).distance, 5);
  EXPECT_EQ(pair_distance(vertex_triangle, {c, a, b, a}).distance, 3);
  EXPECT_EQ(pair_distance(edge_edge, {c, c, a, b}).distance, 3);
  EXPECT_EQ(pair_distance(edge_edge, {{{0, 0, 0}}, {{1, 0, 0}}, {{3, 0, 0}}, {{2, 0, 0}}}).distance, 1);
}

TEST(DistanceOf, nearly_coinciding_vertices_keeps_its_digits) {
  const PairDistance beside =
      pair_distance(vertex_triangle, {Vec3{{-3e-14, 0, -4e-14}}, Vec3{{0, 0, 0}}, Vec3{{1, 0, 0}}, Vec3{{0, 1, 0}}});
  EXPECT_NEAR(beside.distance / 1e-14, 5, 1e-14);
  EXPECT_NEAR(beside.normal[2], -0.8, 1e-15);
  const PairDistance ends =
      pair_distance(edge_edge, {Vec3{{0, 0, 0}}, Vec3{{-1, 0, 0}}, Vec3{{3e-170, 0, 0}}, Vec3{{1, 0, 0}}});
  EXPECT_NEAR(ends.distance / 1e-170, 3, 1e-14);
}

}  // namespace
}  // namespace unbarred
