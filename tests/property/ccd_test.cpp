// Time of impact: never late against an oracle in extended precision, how early, and named motions.
#include "contact/ccd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "support/random_motions.hpp"
#include "support/reference_distance.hpp"

namespace unbarred {
namespace {

using Wide = long double;
using test::PairMotion;

constexpr Real slack = 0.1;

Wide distance_at(const PairMotion& motion, Wide t) {
  return test::reference_distance<Wide>(motion.kind, motion.x, motion.move, t);
}

/// Bound of |d distance / dt|: both sides' largest speeds relative to vertex 0.
Wide fastest(const PairMotion& motion) {
  const int side_a = side_a_size(motion.kind);
  Wide a = 0, b = 0;
  for (int k = 0; k < 4; ++k) {
    const Vec3T<Wide> move = test::widened<Wide>(motion.move[k]) - test::widened<Wide>(motion.move[0]);
    Wide& side = k < side_a ? a : b;
    side = std::max(side, std::sqrt(squared_norm(move)));
  }
  return (a + b) * (1 + 1e-15L);
}

/// The first time in [from, to] at which the distance is not above `floor`, else `to`. Steps by the largest speed, so
/// that nothing is skipped; where they would be too many, by 1/5000 of the way.
Wide first_violation(const PairMotion& motion, Wide from, Wide to, Wide floor) {
  const Wide speed = fastest(motion);
  Wide t = from;
  while (t < to) {
    const Wide margin = distance_at(motion, t) - floor;
    if (!(margin > 0)) return t;
    if (!(speed > 0)) return to + 1;
    t += std::max(margin / speed, (to - from) / 5000);
  }
  return distance_at(motion, to) > floor ? to + 1 : to;
}

/// Below this, distances of the motion are rounding of its coordinates or of the arithmetic in double.
Real resolution(const PairMotion& motion) {
  Real size = 0;
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) size = std::max({size, std::fabs(motion.x[k][i]), std::fabs(motion.move[k][i])});
  return 128 * detail::unit_roundoff * size;
}

/// What is always promised: nothing is passed, at any time up to the reported one.
void expect_never_late(const PairMotion& motion, const ImpactSearch& found, Real minimum_gap) {
  const Wide start = distance_at(motion, 0);
  ASSERT_TRUE(found.time == impact_never || (found.time >= 0 && found.time <= 1)) << found.time;
  ASSERT_GE(found.kept_gap, 0);
  // The promise itself: the asked gap where the start has it, 0.9 of the start's otherwise.
  const Real unsure = resolution(motion);
  ASSERT_TRUE(found.kept_gap == minimum_gap || start <= minimum_gap + unsure) << found.kept_gap;
  ASSERT_GE(found.kept_gap, std::min(minimum_gap, 0.9 * (static_cast<Real>(start) - unsure)));
  const Wide end = std::min(Wide(found.time), Wide(1));
  if (!(end > 0)) return;
  const Wide floor = found.kept_gap;
  ASSERT_GT(first_violation(motion, 0, end, floor), end);
  // The caller's positions at the end, rounded.
  PairMotion placed = motion;
  for (int k = 0; k < 4; ++k) placed.x[k] = motion.x[k] + static_cast<Real>(end) * motion.move[k];
  ASSERT_GT(distance_at(placed, 0), floor);
}

/// Dense samples, then finer and finer ones around the lowest.
Wide lowest_sampled(const PairMotion& motion, Wide end) {
  constexpr int samples = 1000;
  Wide lowest = distance_at(motion, 0), place = 0, spacing = end / samples;
  for (int n = 1; n <= samples; ++n) {
    const Wide d = distance_at(motion, n * spacing);
    if (d < lowest) lowest = d, place = n * spacing;
  }
  for (int refinement = 0; refinement < 40; ++refinement, spacing /= 2)
    for (const Wide t : {place - spacing / 2, place + spacing / 2}) {
      if (t < 0 || t > end) continue;
      const Wide d = distance_at(motion, t);
      if (d < lowest) lowest = d, place = t;
    }
  return lowest;
}

/// Distributions over a corpus.
struct Statistics {
  std::vector<double> shares, evaluations;
  int clear = 0, grazes = 0, exhausted = 0, stopped_at_start = 0;

  static double quantile(std::vector<double> values, double q) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(q * (values.size() - 1))];
  }

  void print(const char* name) const {
    std::printf(
        "%-10s clear %6d  near %5d  exhausted %d  stopped at 0 %d  hits %6zu  time over true time 10%% %.4f median "
        "%.4f "
        "90%% %.4f  evaluations median %.0f 90%% %.0f 99%% %.0f most %.0f\n",
        name, clear, grazes, exhausted, stopped_at_start, shares.size(), quantile(shares, 0.1), quantile(shares, 0.5),
        quantile(shares, 0.9), quantile(evaluations, 0.5), quantile(evaluations, 0.9), quantile(evaluations, 0.99),
        quantile(evaluations, 1));
  }
};

/// Adds one search, and checks that a reported hit is one.
void examine(const PairMotion& motion, const ImpactSearch& found, Statistics& statistics) {
  statistics.evaluations.push_back(found.evaluations);
  if (found.time > 1) {
    ++statistics.clear;
    return;
  }
  if (found.evaluations == impact_most_evaluations) {
    ++statistics.exhausted;
    return;
  }
  const Wide start = distance_at(motion, 0), floor = found.kept_gap, enough = floor + slack * (start - floor);
  ASSERT_LE(distance_at(motion, found.time), enough + Wide(resolution(motion)));
  if (found.time == 0) {
    ++statistics.stopped_at_start;
    return;
  }
  const Wide nearly = floor + Wide(1e-3) * (start - floor);
  const Wide true_time = first_violation(motion, found.time, 1, nearly);
  if (true_time > 1) ++statistics.grazes;
  else statistics.shares.push_back(static_cast<double>(found.time / true_time));
}

class TimeOfImpact : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(kinds, TimeOfImpact, testing::Range(0, test::RandomMotions::kinds));

TEST_P(TimeOfImpact, is_never_late) {
  const bool nightly = std::getenv("UNBARRED_NIGHTLY") != nullptr;
  const int queries = (nightly ? 1000000 : 10000) / test::RandomMotions::kinds, sampled = 200;
  const std::uint64_t seed = 1 + GetParam();
  test::RandomMotions random(seed);
  Statistics statistics;
  for (int n = 0; n < queries; ++n) {
    const Real scales[] = {1, 1, 1, 1, 1e-6, 1e6, 1e-100, 1e100};
    const PairMotion motion = random.scaled(random.any(GetParam()), scales[n % 8]);
    const Real gap = static_cast<Real>(distance_at(motion, 0));
    const Real asked[] = {0.5, 0.01, 1e-4, 0, 2};
    const Real minimum_gap = asked[n % 5] * gap;
    const ImpactSearch found = search_impact(motion.kind, motion.x, motion.move, minimum_gap, slack);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", query " << n << ": " << describe(motion) << " gap "
                                    << minimum_gap << " -> " << found.time);
    ASSERT_NO_FATAL_FAILURE(expect_never_late(motion, found, minimum_gap));
    const Wide end = std::min(Wide(found.time), Wide(1));
    ASSERT_TRUE(n >= sampled || !(end > 0) || lowest_sampled(motion, end) > found.kept_gap);
    ASSERT_NO_FATAL_FAILURE(examine(motion, found, statistics));
  }
  statistics.print(test::RandomMotions::name(GetParam()));
  EXPECT_LE(statistics.exhausted, queries / 100);
  EXPECT_GT(Statistics::quantile(statistics.shares, 0.5), 0.85);
}

constexpr PairKind vertex_triangle = PairKind::vertex_triangle, edge_edge = PairKind::edge_edge;

/// Searches, checks against the oracle, returns the time.
Real checked_time(const PairMotion& motion, Real minimum_gap) {
  const ImpactSearch found = search_impact(motion.kind, motion.x, motion.move, minimum_gap, slack);
  EXPECT_EQ(found.time, time_of_impact(motion.kind, motion.x, motion.move, minimum_gap, slack));
  EXPECT_LT(found.evaluations, impact_most_evaluations);
  expect_never_late(motion, found, minimum_gap);
  return found.time;
}

PairMotion with_moving_a(const test::PairSample& pair, const Vec3& move) {
  PairMotion motion{pair, {}};
  for (int k = 0; k < 4; ++k) motion.move[k] = k < side_a_size(pair.kind) ? move : Vec3{{0, 0, 0}};
  return motion;
}

const test::PairSample parallel_edges{edge_edge, {{{0, 0, 1e-3}}, {{1, 0, 1e-3}}, {{0, 0, 0}}, {{1, 0, 0}}}};
const test::PairSample over_triangle{vertex_triangle, {{{0.25, 0.25, 1}}, {{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}}};

TEST(TimeOfImpactOf, parallel_edges_sliding_along_each_other_is_never) {
  EXPECT_EQ(checked_time(with_moving_a(parallel_edges, {{100, 0, 0}}), 1e-5), impact_never);
  EXPECT_EQ(checked_time(with_moving_a(parallel_edges, {{0, 100, 0}}), 1e-5), impact_never);
  EXPECT_EQ(checked_time(with_moving_a(parallel_edges, {{100, 0, 0.5}}), 1e-5), impact_never);
}

TEST(TimeOfImpactOf, parallel_edges_closing_is_their_gap_over_their_speed) {
  const Real time = checked_time(with_moving_a(parallel_edges, {{3, 0, -1}}), 1e-5);
  EXPECT_GT(time, 0.9 * 1e-3);
  EXPECT_LT(time, 1e-3);
}

TEST(TimeOfImpactOf, collinear_edges_is_their_distance_over_their_speed) {
  const test::PairSample apart{edge_edge, {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}, {{3, 0, 0}}}};
  const Real time = checked_time(with_moving_a(apart, {{2, 0, 0}}), 0);
  EXPECT_GT(time, 0.45);
  EXPECT_LT(time, 0.5);
  EXPECT_EQ(checked_time(with_moving_a(apart, {{-2, 0, 0}}), 0), impact_never);
}

TEST(TimeOfImpactOf, a_vertex_grazing_an_edge_depends_on_the_height) {
  test::PairSample beside = over_triangle;
  beside.x[0] = {{0.5, -1, 1e-2}};
  // Passes over the edge y = 0 at a height of 1e-2 of the gap at the start: below the slack of a tenth.
  EXPECT_LT(checked_time(with_moving_a(beside, {{0, 2, 0}}), 1e-3), 0.5);
  beside.x[0][2] = 0.2;
  EXPECT_EQ(checked_time(with_moving_a(beside, {{0, 2, 0}}), 1e-3), impact_never);
}

TEST(TimeOfImpactOf, a_fast_vertex_sees_a_thin_triangle) {
  for (const Real height : {1.0, 1e-6, 1e-12}) {
    test::PairSample thin = over_triangle;
    thin.x[3] = {{0.5, height, 0}};
    thin.x[0] = {{0.5, height / 2, 0.013}};
    const Real time = checked_time(with_moving_a(thin, {{0, 0, -100 * 0.01}}), 1e-4);
    EXPECT_GT(time, 0.9 * 0.013) << height;
    EXPECT_LT(time, 0.013) << height;
  }
}

TEST(TimeOfImpactOf, paths_in_one_plane_is_where_they_meet) {
  test::PairSample flat = over_triangle;
  flat.x[0] = {{0.25, -1, 0}};
  const Real time = checked_time(with_moving_a(flat, {{0, 2, 0}}), 0);
  EXPECT_GT(time, 0.45);
  EXPECT_LT(time, 0.5);
  const test::PairSample edges{edge_edge, {{{0, 1, 0}}, {{1, 1, 0}}, {{0, 0, 0}}, {{3, 0, 0}}}};
  EXPECT_LT(checked_time(with_moving_a(edges, {{0, -2, 0}}), 0), 0.5);
}

TEST(TimeOfImpactOf, tiny_start_gaps_leave_room) {
  for (const Real gap : {1e-6, 1e-9, 1e-12}) {
    test::PairSample pair = over_triangle;
    pair.x[0][2] = gap;
    const Real time = checked_time(with_moving_a(pair, {{0, 0, -2 * gap}}), gap / 2);
    EXPECT_GT(time, 0.9 * 0.25);
    EXPECT_LT(time, 0.25);
    EXPECT_EQ(checked_time(with_moving_a(pair, {{0.1, 0.1, 0}}), gap / 2), impact_never);
    EXPECT_EQ(checked_time(with_moving_a(pair, {{0, 0, 1}}), gap / 2), impact_never);
  }
}

TEST(TimeOfImpactOf, tiny_gaps_far_from_the_origin_leave_room) {
  const Vec3 far{{1e6, -7e5, 3e5}};
  test::PairSample pair = over_triangle;
  for (int k = 0; k < 4; ++k) pair.x[k] = (k == 0 ? 0.25 : 1.0) * pair.x[k] + far;
  pair.x[0] = pair.x[1] + Vec3{{0.25, 0.25, 0x1p-30}};  // about 1e-9, representable
  const Real gap = pair.x[0][2] - pair.x[1][2];
  EXPECT_GT(checked_time(with_moving_a(pair, {{0, 0, -1e-8}}), gap / 2), 1e-3);
  EXPECT_EQ(checked_time(with_moving_a(pair, {{0.1, 0.1, 0}}), gap / 2), impact_never);
  EXPECT_EQ(checked_time(with_moving_a(pair, {{0, 0, 1}}), gap / 2), impact_never);
}

TEST(TimeOfImpactOf, aligned_cubes_faces_slide_and_close) {
  // Corners and edges of two unit cubes, one on the other, rotated so that no coordinate is aligned.
  test::RandomMotions random(5);
  for (const Real gap : {1e-3, 1e-6, 1e-9}) {
    const Mat3 R = random.rotation();
    const Vec3 up = R * Vec3{{0, 0, 1}}, side = R * Vec3{{1, 0, 0}};
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 foot{{Real(corner & 1), Real(corner >> 1), gap}};
      const test::PairSample on_face{vertex_triangle,
                                     {R * foot, R * Vec3{{0, 0, 0}}, R * Vec3{{1, 0, 0}}, R * Vec3{{1, 1, 0}}}};
      const test::PairSample on_edge{edge_edge,
                                     {R * foot, R * Vec3{{0.5, 0.5, gap}}, R * Vec3{{0, 0, 0}}, R * Vec3{{1, 0, 0}}}};
      for (const test::PairSample& pair : {on_face, on_edge}) {
        EXPECT_EQ(checked_time(with_moving_a(pair, 0.01 * side), 0.01 * gap), impact_never);
        EXPECT_EQ(checked_time(with_moving_a(pair, 0.5 * up), 0.01 * gap), impact_never);
        if (static_cast<Real>(distance_at({pair, {}}, 0)) > 1.1 * gap) continue;
        const Real time = checked_time(with_moving_a(pair, -2 * gap * up), 0.01 * gap);
        EXPECT_GT(time, 0.44);
        EXPECT_LT(time, 0.5);
      }
    }
  }
}

TEST(TimeOfImpactOf, pairs_that_do_not_move_is_never) {
  EXPECT_EQ(checked_time(with_moving_a(over_triangle, {{0, 0, 0}}), 0.01), impact_never);
  PairMotion together{over_triangle, {}};
  for (Vec3& move : together.move) move = {{1e3, -1e3, 17}};
  EXPECT_EQ(checked_time(together, 0.01), impact_never);
}

TEST(TimeOfImpactOf, touching_sides_is_the_start) {
  test::PairSample touching = over_triangle;
  touching.x[0][2] = 0;
  EXPECT_EQ(checked_time(with_moving_a(touching, {{0, 0, -1}}), 0), 0);
  EXPECT_EQ(checked_time(with_moving_a(touching, {{0, 0, 1}}), 0), 0);
  touching.x[0] = touching.x[1];
  EXPECT_EQ(checked_time(with_moving_a(touching, {{-1, -1, -1}}), 0), 0);
}

}  // namespace
}  // namespace unbarred
