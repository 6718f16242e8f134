// Truncation by separating planes: whatever part of its fraction each vertex goes, the sides stay apart.
#include "contact/filter/separating_plane.hpp"

#include <gtest/gtest.h>

#include "support/random_motions.hpp"
#include "support/reference_distance.hpp"

namespace unbarred {
namespace {

using Wide = long double;
using test::PairMotion;

Real largest_number(const PairMotion& motion) {
  Real size = 0;
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i)
      size = std::fmax(size, std::fmax(std::fabs(motion.x[k][i]), std::fabs(motion.move[k][i])));
  return size;
}

/// The distance after vertex k went part[k] of its move, at positions rounded like a caller's.
Real distance_after(const PairMotion& motion, const Real (&part)[4]) {
  Vec3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = motion.x[k] + part[k] * motion.move[k];
  return static_cast<Real>(test::reference_distance<Wide>(motion.kind, x));
}

void expect_apart(test::RandomMotions& random, const PairMotion& motion, Real minimum_gap) {
  const VertexFractions found = separating_plane_fractions(motion.kind, motion.x, motion.move, minimum_gap);
  for (const Real t : found.fraction) ASSERT_TRUE(t >= 0 && t <= 1 && !std::signbit(t)) << t;
  const Real none[4] = {0, 0, 0, 0};
  const Real gap = distance_after(motion, none), unsure = 64 * detail::unit_roundoff * largest_number(motion);
  const Real kept = std::fmin(minimum_gap, 0.9 * (gap - unsure));
  if (!(kept > 0)) return;
  for (int mixture = 0; mixture < 24; ++mixture) {
    Real part[4];
    // All combinations of ends first, then anything between.
    for (int k = 0; k < 4; ++k)
      part[k] = found.fraction[k] * (mixture < 16 ? Real(mixture >> k & 1) : random.uniform(0, 1));
    ASSERT_GE(distance_after(motion, part), kept * (1 - 1e-12)) << "mixture " << mixture;
  }
}

/// Vertices are not truncated without need: those that do not approach not at all, the others not below their share.
void expect_generous(const PairMotion& motion, Real minimum_gap) {
  const VertexFractions found = separating_plane_fractions(motion.kind, motion.x, motion.move, minimum_gap);
  const PairDistance start = pair_distance(motion.kind, motion.x);
  const Real unsure = 64 * detail::unit_roundoff * largest_number(motion);
  if (!(start.distance > 4 * unsure)) return;
  const Real gap = start.distance - unsure;
  const Real room = gap > minimum_gap ? gap - minimum_gap : 0.1 * gap;
  for (int k = 0; k < 4; ++k) {
    const Real sign = k < side_a_size(motion.kind) ? 1 : -1;
    const Real approach = unsure - sign * dot(start.normal, motion.move[k]);
    const Real least = approach > 0 ? std::fmin(1, 0.9 * 0.05 * room / approach) : 1;
    ASSERT_GE(found.fraction[k], 0.999 * least) << "vertex " << k << " approaches by " << approach;
  }
}

class SeparatingPlane : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(kinds, SeparatingPlane, testing::Range(0, test::RandomMotions::kinds));

TEST_P(SeparatingPlane, keeps_the_sides_apart) {
  const std::uint64_t seed = 100 + GetParam();
  test::RandomMotions random(seed);
  for (int n = 0; n < 3000; ++n) {
    const Real scales[] = {1, 1, 1e-6, 1e6, 1e-100, 1e100}, faster[] = {1, 1e3, 1e6};
    PairMotion motion = random.scaled(random.any(GetParam()), scales[n % 6]);
    for (Vec3& move : motion.move) move = faster[n % 3] * move;
    const Real asked[] = {0.5, 0.01, 0, 2};
    const Real minimum_gap = asked[n % 4] * pair_distance(motion.kind, motion.x).distance;
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", query " << n << ": " << describe(motion) << " gap "
                                    << minimum_gap);
    ASSERT_NO_FATAL_FAILURE(expect_apart(random, motion, minimum_gap));
    ASSERT_NO_FATAL_FAILURE(expect_generous(motion, minimum_gap));
  }
}

const test::PairSample over_triangle{PairKind::vertex_triangle,
                                     {{{0.25, 0.25, 1}}, {{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}}};

TEST(SeparatingPlaneOf, a_gap_is_divided_by_the_approaches) {
  // 0.2 of the gap is kept, the rest divided 3 to 1; one corner of the triangle moves along, one away.
  const VertexFractions found = separating_plane_fractions(over_triangle.kind, over_triangle.x,
                                                           {{{0, 0, -3}}, {{0, 0, 1}}, {{5, 0, 0}}, {{0, 0, -9}}}, 0.2);
  EXPECT_NEAR(found.fraction[0], 0.9 * 0.6 / 3, 1e-14);
  EXPECT_NEAR(found.fraction[1], 0.9 * 0.2 / 1, 1e-14);
  EXPECT_EQ(found.fraction[2], 1);
  EXPECT_EQ(found.fraction[3], 1);
}

TEST(SeparatingPlaneOf, the_only_side_that_approaches_gets_all_room) {
  const VertexFractions found = separating_plane_fractions(over_triangle.kind, over_triangle.x,
                                                           {{{7, 0, -2}}, {{0, 0, 0}}, {{0, 0, -1}}, {{0, 0, 0}}}, 0.2);
  EXPECT_NEAR(found.fraction[0], 0.9 * 0.8 / 2, 1e-14);
  for (int k = 1; k < 4; ++k) EXPECT_EQ(found.fraction[k], 1);
}

TEST(SeparatingPlaneOf, small_approaches_are_left_alone) {
  const VertexFractions found = separating_plane_fractions(
      over_triangle.kind, over_triangle.x, {{{0, 0, -100}}, {{0, 0, 0.01}}, {{0, 0, 0}}, {{0, 0, 0}}}, 0.2);
  EXPECT_EQ(found.fraction[1], 1);
  EXPECT_NEAR(found.fraction[0], 0.9 * 0.95 * 0.8 / 100, 1e-14);
}

TEST(SeparatingPlaneOf, farther_vertices_may_go_farther) {
  const Vec3 x[4] = {{{0, 0, 1}}, {{1, 0, 2}}, {{0, 1, 0}}, {{0, -1, 0}}};
  const VertexFractions found =
      separating_plane_fractions(PairKind::edge_edge, x, {{{0, 0, -4}}, {{0, 0, -4}}, {{0, 0, 0}}, {{0, 0, 0}}}, 0);
  EXPECT_NEAR(found.fraction[0], 0.9 * 1 / 4, 1e-14);
  EXPECT_NEAR(found.fraction[1], 0.9 * 2 / 4, 1e-14);
}

TEST(SeparatingPlaneOf, touching_sides_do_not_move) {
  test::PairSample touching = over_triangle;
  touching.x[0][2] = 0;
  const VertexFractions found = separating_plane_fractions(touching.kind, touching.x,
                                                           {{{0, 0, 1}}, {{0, 0, -1}}, {{0, 0, 0}}, {{1, 0, 0}}}, 0.01);
  for (const Real t : found.fraction) EXPECT_EQ(t, 0);
}

}  // namespace
}  // namespace unbarred
