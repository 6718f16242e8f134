// The audit of whole surfaces: against all pairs, renumbered, split between ranks, and meshes whose answer is known.
#include "audit/audit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "support/surfaces.hpp"

namespace unbarred {
namespace {

using exact::Relation;
using test::Surface;

constexpr std::size_t all = std::numeric_limits<std::size_t>::max() / 2;

/// Corners in the order that exact::triangle_triangle wants, the number of common ones found by sets.
Relation relation_of(const Surface& s, Index i, Index j) {
  std::array<Index, 3> v[2] = {s.triangles[static_cast<std::size_t>(i)], s.triangles[static_cast<std::size_t>(j)]};
  const std::set<Index> mine(v[0].begin(), v[0].end()), other(v[1].begin(), v[1].end());
  std::vector<Index> common;
  std::set_intersection(mine.begin(), mine.end(), other.begin(), other.end(), std::back_inserter(common));
  exact::Corners corners[2];
  for (std::size_t k = 0; k < 2; ++k) {
    auto front = v[k].begin();
    for (const Index vertex : common) std::iter_swap(front, std::find(front, v[k].end(), vertex)), ++front;
    for (std::size_t c = 0; c < 3; ++c) corners[k][c] = s.positions[static_cast<std::size_t>(v[k][c])];
  }
  return exact::triangle_triangle(corners[0], corners[1], static_cast<int>(common.size()));
}

std::vector<AuditPair> all_pairs(const Surface& s) {
  std::vector<AuditPair> pairs;
  for (Index i = 0; i < static_cast<Index>(s.triangles.size()); ++i)
    for (Index j = i + 1; j < static_cast<Index>(s.triangles.size()); ++j)
      if (const Relation found = relation_of(s, i, j); found != Relation::apart) pairs.push_back({i, j, found});
  std::sort(pairs.begin(), pairs.end(), [](const AuditPair& p, const AuditPair& q) {
    return std::tuple(-static_cast<int>(p.relation), p.a, p.b) < std::tuple(-static_cast<int>(q.relation), q.a, q.b);
  });
  return pairs;
}

AuditReport audit_all(const Surface& s) { return audit(s.view(), {.excluded_bodies = {}, .list_limit = all}); }

void expect_like_all_pairs(const Surface& s) {
  const AuditReport report = audit_all(s);
  const auto expected = all_pairs(s);
  EXPECT_EQ(report.pairs, expected);
  const auto crossing = std::count_if(expected.begin(), expected.end(),
                                      [](const AuditPair& p) { return p.relation == Relation::crossing; });
  EXPECT_EQ(report.crossing, crossing);
  EXPECT_EQ(report.touching, static_cast<std::int64_t>(expected.size()) - crossing);
}

/// Triangles in another order, from vertices in another order, each turned; `triangle_of[new] = old`.
Surface shuffled(const Surface& s, std::uint64_t seed, std::vector<Index>& triangle_of) {
  std::mt19937_64 engine(seed);
  std::vector<Index> vertex_of(s.positions.size()), place(s.positions.size());
  std::iota(vertex_of.begin(), vertex_of.end(), 0);
  std::shuffle(vertex_of.begin(), vertex_of.end(), engine);
  triangle_of.resize(s.triangles.size());
  std::iota(triangle_of.begin(), triangle_of.end(), 0);
  std::shuffle(triangle_of.begin(), triangle_of.end(), engine);
  Surface result;
  for (std::size_t n = 0; n < vertex_of.size(); ++n) {
    const auto old = static_cast<std::size_t>(vertex_of[n]);
    place[old] = static_cast<Index>(n);
    result.positions.push_back(s.positions[old]);
    result.vertex_body.push_back(s.vertex_body[old]);
  }
  for (const Index old : triangle_of) {
    auto v = s.triangles[static_cast<std::size_t>(old)];
    for (Index& corner : v) corner = place[static_cast<std::size_t>(corner)];
    std::shuffle(v.begin(), v.end(), engine);
    result.triangles.push_back(v);
  }
  return result;
}

class Soups : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(seeds, Soups, testing::Values(1, 2, 3, 4));

TEST_P(Soups, give_what_all_pairs_give) {
  for (const int lattice : {0, 3, 8}) {
    expect_like_all_pairs(test::soup(GetParam(), 200, 300, lattice));
    // Shrunk triangles: few pairs, so that the tree has something to leave out.
    Surface small = test::soup(GetParam(), 1500, 0, lattice);
    for (Index v = 0; v < 1500; v += 3) {
      small.triangles.push_back({v, v + 1, v + 2});
      for (Index k = 1; k < 3; ++k) {
        auto& x = small.positions[static_cast<std::size_t>(v + k)];
        x = small.positions[static_cast<std::size_t>(v)] + (lattice > 0 ? 0.5 : 0.1) * x;
      }
    }
    expect_like_all_pairs(small);
  }
}

TEST_P(Soups, do_not_depend_on_numbering) {
  for (const int lattice : {0, 3}) {
    const Surface s = test::soup(GetParam(), 150, 200, lattice);
    std::vector<Index> triangle_of;
    const AuditReport mine = audit_all(s), other = audit_all(shuffled(s, GetParam() + 100, triangle_of));
    std::set<std::tuple<Index, Index, Relation>> expected, found;
    for (const auto& p : mine.pairs) expected.insert({p.a, p.b, p.relation});
    for (const auto& p : other.pairs) {
      const Index a = triangle_of[static_cast<std::size_t>(p.a)], b = triangle_of[static_cast<std::size_t>(p.b)];
      found.insert({std::min(a, b), std::max(a, b), p.relation});
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(other.zero_area, mine.zero_area);
    EXPECT_GT(mine.crossing, 0);
  }
}

// Each part against itself and against the parts before it: every pair once, neighbors known by their ids.
TEST_P(Soups, split_into_parts_give_the_same_pairs) {
  const Surface s = test::soup(GetParam(), 150, 200, 4);
  const AuditReport whole = audit_all(s);
  const std::size_t parts = 3;
  // A part has its own copy of the vertices, numbered backwards.
  const Surface backwards = [&] {
    Surface r = s;
    std::reverse(r.positions.begin(), r.positions.end());
    std::reverse(r.vertex_body.begin(), r.vertex_body.end());
    for (auto& t : r.triangles)
      for (Index& v : t) v = static_cast<Index>(s.positions.size()) - 1 - v;
    return r;
  }();
  std::vector<GlobalIndex> forward_ids(s.positions.size());
  std::iota(forward_ids.begin(), forward_ids.end(), GlobalIndex{1} << 40);
  const std::vector<GlobalIndex> backward_ids(forward_ids.rbegin(), forward_ids.rend());
  const auto part = [&](const Surface& from, const std::vector<GlobalIndex>& ids, std::size_t k) {
    const std::size_t begin = k * s.triangles.size() / parts, end = (k + 1) * s.triangles.size() / parts;
    return AuditSurface{from.positions, std::span(from.triangles).subspan(begin, end - begin), from.vertex_body, ids};
  };
  std::int64_t crossing = 0, touching = 0;
  for (std::size_t k = 0; k < parts; ++k) {
    const AuditReport own = audit(part(s, forward_ids, k));
    crossing += own.crossing, touching += own.touching;
    for (std::size_t l = 0; l < k; ++l) {
      const AuditReport both = audit_between(part(s, forward_ids, k), part(backwards, backward_ids, l));
      crossing += both.crossing, touching += both.touching;
      EXPECT_EQ(both.zero_area, 0);
    }
  }
  EXPECT_EQ(crossing, whole.crossing);
  EXPECT_EQ(touching, whole.touching);
  EXPECT_GT(touching, 0);
}

TEST(Audit, sphere_inside_sphere_is_clean) {
  const Surface outer = test::sphere(20);
  EXPECT_TRUE(audit_all(outer).clean());
  EXPECT_TRUE(audit_all(test::joined(outer, outer.moved({{0, 0, 0}}, 0.99))).clean());
}

TEST(Audit, overlapping_spheres_cross) {
  const Surface a = test::sphere(12), b = a.moved({{0.7, 0.31, 0.17}}, 1.1);
  const Surface both = test::joined(a, b);
  expect_like_all_pairs(both);
  const AuditReport report = audit_all(both), mirrored = audit_all(test::joined(b, a));
  EXPECT_GT(report.crossing, 30);
  EXPECT_EQ(report.touching, 0);
  EXPECT_EQ(mirrored.crossing, report.crossing);
  EXPECT_EQ(audit_between(a.view(), b.view()).crossing, report.crossing);
}

TEST(Audit, vertices_are_common_where_ids_and_positions_are_equal) {
  const Surface s = test::sheet(4);
  std::vector<GlobalIndex> ids(s.positions.size());
  std::iota(ids.begin(), ids.end(), 7);
  const auto half = [&](std::size_t k, std::span<const Vec3> positions, std::span<const GlobalIndex> names) {
    return AuditSurface{positions, std::span(s.triangles).subspan(16 * k, 16), s.vertex_body, names};
  };
  EXPECT_TRUE(audit_between(half(0, s.positions, ids), half(1, s.positions, ids)).clean());
  EXPECT_GT(audit_between(half(0, s.positions, {}), half(1, s.positions, {})).touching, 0);
}

// As after an error in the exchange of ghosts.
TEST(Audit, vertices_of_one_name_at_two_places_are_not_common) {
  const std::vector<Vec3> here{{{0, 0, 0}}, {{4, 0, 0}}, {{0, 4, 0}}}, there{{{1, 1, -1}}, {{1, 1, 1}}, {{9, 9, 1}}};
  const std::vector<std::array<Index, 3>> triangle{{0, 1, 2}};
  const std::vector<GlobalIndex> ids{5, 6, 7}, other_ids{5, 6, 8};
  EXPECT_EQ(audit_between({here, triangle, {}, ids}, {there, triangle, {}, other_ids}).crossing, 1);
}

TEST(Audit, stacked_sheets_touch_at_no_gap_and_only_there) {
  const Surface s = test::sheet(8);
  for (const Real height : {0.0, 1.0, 1e6}) {
    const Surface below = s.moved({{0, 0, height}});
    const Real above = std::nextafter(height, 2e6);
    const AuditReport identical = audit_all(test::joined(below, below));
    EXPECT_EQ(identical.crossing, 0);
    EXPECT_GE(identical.touching, 2 * 8 * 8);
    EXPECT_TRUE(audit_all(test::joined(below, s.moved({{0, 0, above}}))).clean()) << height;
    EXPECT_TRUE(audit_all(test::joined(below, s.moved({{0.03, 0.05, above}}))).clean()) << height;
    expect_like_all_pairs(test::joined(below, s.moved({{0.03, 0.05, height}})));
  }
}

// A tilted pair, whose vertices lie on no plane: the sheet and its copy moved by a relative 1e-15 straight up.
TEST(Audit, tilted_sheets_a_rounding_error_apart_are_clean) {
  Surface below = test::sheet(16), above;
  for (Vec3& x : below.positions) x[2] = 1 + 0.3 * x[0] + 0.7 * x[1] + 0.01 * std::sin(9 * x[0] * x[1]);
  above = below;
  for (Vec3& x : above.positions) x[2] += 5 * std::numeric_limits<Real>::epsilon();
  EXPECT_TRUE(audit_all(test::joined(below, above)).clean());
  // Vertices over vertices: what is pushed through meets in edges, and no sign of theirs is proper.
  above.positions[140][2] -= 1e-12;
  EXPECT_GT(audit_all(test::joined(below, above)).touching, 0);
  above.positions[140][0] += 1e-3;
  above.positions[140][1] += 2e-4;
  above.positions[140][2] -= 1e-2;
  EXPECT_GT(audit_all(test::joined(below, above)).crossing, 0);
}

TEST(Audit, a_fold_and_a_pinched_sheet_are_found_though_their_triangles_are_neighbors) {
  Surface fold = test::sheet(1);
  EXPECT_TRUE(audit_all(fold).clean());
  fold.positions[1] = fold.positions[2];  // corner 1 is mirrored to the side of corner 2
  fold.positions[1][0] -= 0.25;
  EXPECT_EQ(audit_all(fold).touching, 1);
  fold.positions[1][2] = 1e-200;
  EXPECT_TRUE(audit_all(fold).clean());

  Surface pinched = test::sheet(4);
  std::swap(pinched.positions[12], pinched.positions[13]);
  EXPECT_GT(audit_all(pinched).touching, 0);
  expect_like_all_pairs(pinched);
  for (std::size_t v = 0; v < 25; ++v) pinched.positions[v][2] = 0.01 * std::sin(1.7 * static_cast<Real>(v * v));
  EXPECT_GT(audit_all(pinched).crossing, 0);
  expect_like_all_pairs(pinched);
}

TEST(Audit, lists_are_the_first_of_the_full_list_and_counts_go_on) {
  const Surface s = test::soup(5, 100, 150, 3);
  const AuditReport full = audit_all(s);
  for (const std::size_t limit : {0, 1, 7, 100}) {
    const AuditReport report = audit(s.view(), {.excluded_bodies = {}, .list_limit = limit});
    EXPECT_EQ(report.crossing, full.crossing);
    EXPECT_EQ(report.touching, full.touching);
    ASSERT_EQ(report.pairs.size(), limit);
    EXPECT_TRUE(std::equal(report.pairs.begin(), report.pairs.end(), full.pairs.begin()));
  }
}

TEST(Audit, excluded_bodies_may_meet) {
  Surface s = test::joined(test::sphere(6), test::sphere(6).moved({{0.7, 0.31, 0.17}}));
  s.add(test::sphere(6).moved({{-0.6, 0.2, 0.13}}));
  const auto excluding = [&](std::vector<std::pair<std::int32_t, std::int32_t>> bodies) {
    return audit(s.view(), {.excluded_bodies = std::move(bodies)}).crossing;
  };
  const auto alone = [&](std::int32_t a, std::int32_t b) {
    std::int64_t count = 0;
    for (const auto& p : audit_all(s).pairs) {
      const auto body = [&](Index t) {
        return s.vertex_body[static_cast<std::size_t>(s.triangles[static_cast<std::size_t>(t)][0])];
      };
      count += body(p.a) == a && body(p.b) == b;
    }
    return count;
  };
  EXPECT_GT(alone(0, 1), 0);
  EXPECT_EQ(excluding({{1, 0}, {2, 1}}), alone(0, 2));
  EXPECT_EQ(excluding({{0, 2}, {1, 2}}), alone(0, 1));
  EXPECT_EQ(excluding({{0, 0}}), alone(0, 1) + alone(0, 2) + alone(1, 2));
  EXPECT_EQ(excluding({{0, 1}, {0, 2}, {1, 2}}), 0);
}

TEST(Audit, triangles_without_area_and_numbers_that_are_none_are_named) {
  Surface s = test::sheet(4);
  s.triangles.push_back({0, 6, 12});  // along a diagonal of the sheet
  s.triangles.push_back({3, 3, 4});
  const AuditReport flat = audit_all(s);
  EXPECT_EQ(flat.zero_area_triangles, (std::vector<Index>{32, 33}));
  EXPECT_EQ(flat.zero_area, 2);
  EXPECT_EQ(flat.not_finite, 0);
  EXPECT_FALSE(flat.clean());
  expect_like_all_pairs(s);

  Surface broken = test::sheet(4);
  broken.positions[0][1] = std::numeric_limits<Real>::quiet_NaN();
  broken.positions[24][2] = std::numeric_limits<Real>::infinity();
  const AuditReport report = audit_all(broken);
  EXPECT_EQ(report.not_finite_triangles, (std::vector<Index>{0, 1, 30, 31}));
  EXPECT_EQ(report.crossing + report.touching + report.zero_area, 0);
}

TEST(Audit, nothing_is_clean) {
  const AuditReport report = audit({});
  EXPECT_TRUE(report.clean());
  EXPECT_TRUE(audit_between({}, test::sheet(2).view()).clean());
}

}  // namespace
}  // namespace unbarred
