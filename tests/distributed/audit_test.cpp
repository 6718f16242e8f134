// The audit on 1 to 4 ranks: the report of the serial audit, whoever owns what.
#include "audit/distributed_audit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <tuple>

#include "partitioning/range_exchange.hpp"
#include "support/random_owners.hpp"
#include "support/scenes.hpp"
#include "support/surfaces.hpp"
#include "support/test_surfaces.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using exact::Relation;
using test::works_in;
using test::world;

constexpr std::size_t all = std::numeric_limits<std::size_t>::max() / 2;
using Ids = std::array<GlobalIndex, 3>;

/// A pair or a triangle (b is empty then) of a report, to compare.
struct Line {
  Relation relation;
  Ids a, b;
  std::int32_t body_a, body_b;
  auto operator<=>(const Line&) const = default;
};

struct Report {
  std::int64_t crossing = 0, touching = 0, zero_area = 0, not_finite = 0;
  std::vector<Line> pairs, zero_area_triangles, not_finite_triangles;
  bool operator==(const Report&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Report& report) {
  return out << report.crossing << " crossing, " << report.touching << " touching, " << report.zero_area
             << " without area, " << report.not_finite << " not finite, " << report.pairs.size() << " listed";
}

constexpr GlobalIndex first_id = GlobalIndex{1} << 40;

/// The whole list of the serial audit, put in order by ids and then cut.
Report serial(const test::Surface& s, std::size_t limit) {
  const AuditReport found = audit(s.view(), {.excluded_bodies = {}, .list_limit = all});
  const auto named = [&](Index t) {
    auto v = s.triangles[static_cast<std::size_t>(t)];
    std::sort(v.begin(), v.end());
    return std::pair(Ids{first_id + v[0], first_id + v[1], first_id + v[2]},
                     s.vertex_body[static_cast<std::size_t>(v[0])]);
  };
  Report report{found.crossing, found.touching, found.zero_area, found.not_finite, {}, {}, {}};
  for (const AuditPair& pair : found.pairs) {
    auto a = named(pair.a), b = named(pair.b);
    if (b < a) std::swap(a, b);
    report.pairs.push_back({pair.relation, a.first, b.first, a.second, b.second});
  }
  std::sort(report.pairs.begin(), report.pairs.end(), [](const Line& p, const Line& q) {
    return std::tie(q.relation, p.a, p.b) < std::tie(p.relation, q.a, q.b);
  });
  const auto list = [&](const std::vector<Index>& triangles, std::vector<Line>& lines) {
    for (const Index t : triangles) lines.push_back({Relation::apart, named(t).first, {}, named(t).second, 0});
    std::sort(lines.begin(), lines.end());
  };
  list(found.zero_area_triangles, report.zero_area_triangles);
  list(found.not_finite_triangles, report.not_finite_triangles);
  for (auto* lines : {&report.pairs, &report.zero_area_triangles, &report.not_finite_triangles})
    if (lines->size() > limit) lines->resize(limit);
  return report;
}

Report comparable(const DistributedAuditReport& found) {
  Report report{found.crossing, found.touching, found.zero_area, found.not_finite, {}, {}, {}};
  for (const AuditedPair& pair : found.pairs)
    report.pairs.push_back({pair.relation, pair.a.vertices, pair.b.vertices, pair.a.body, pair.b.body});
  for (const AuditedTriangle& t : found.zero_area_triangles)
    report.zero_area_triangles.push_back({Relation::apart, t.vertices, {}, t.body, 0});
  for (const AuditedTriangle& t : found.not_finite_triangles)
    report.not_finite_triangles.push_back({Relation::apart, t.vertices, {}, t.body, 0});
  return report;
}

/// Random triangles for this rank, over vertices that it numbers as it likes; nothing for `idle`.
struct Part {
  test::Surface surface;
  std::vector<GlobalIndex> ids;

  Part(const test::Surface& whole, const Communicator& ring, std::uint64_t seed, int idle) {
    std::mt19937_64 shared(seed), own(seed + static_cast<std::uint64_t>(ring.rank()));
    std::vector<Index> place(whole.positions.size());
    std::vector<std::size_t> order(whole.positions.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), own);
    for (const std::size_t v : order) {
      place[v] = static_cast<Index>(ids.size());
      ids.push_back(first_id + static_cast<GlobalIndex>(v));
      surface.positions.push_back(whole.positions[v]);
      surface.vertex_body.push_back(whole.vertex_body[v]);
    }
    for (auto triangle : whole.triangles) {
      int owner = static_cast<int>(shared() % static_cast<std::uint64_t>(ring.size()));
      if (owner == idle) owner = (owner + 1) % ring.size();
      if (owner != ring.rank()) continue;
      for (Index& v : triangle) v = place[static_cast<std::size_t>(v)];
      surface.triangles.push_back(triangle);
    }
    std::shuffle(surface.triangles.begin(), surface.triangles.end(), own);
  }
  AuditSurface view() const { return {surface.positions, surface.triangles, surface.vertex_body, ids, {}}; }
};

void expect_serial_report(const test::Surface& s, std::uint64_t seed, std::size_t limit) {
  const Report expected = serial(s, limit);
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = test::group(ranks);
    if (!works_in(ranks)) continue;
    for (int idle = -1; idle < (ranks > 1 ? ranks : 0); ++idle) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, idle " + std::to_string(idle));
      const Part part(s, ring, seed, idle);
      const DistributedAuditReport found =
          audit_surface(part.view(), ring, {.excluded_bodies = {}, .list_limit = limit});
      Report here = comparable(found), there = expected;
      if (!ring.is_root()) there.pairs = there.zero_area_triangles = there.not_finite_triangles = {};
      EXPECT_EQ(here, there);
    }
  }
}

TEST(DistributedAudit, gives_the_serial_report_of_random_triangles) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const int lattice : {0, 3, 8}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", lattice " + std::to_string(lattice));
      test::Surface s = test::soup(seed, 120, 160, lattice);
      s.positions[17][1] = std::numeric_limits<Real>::quiet_NaN();
      s.triangles.push_back({3, 3, 5});
      // The same triangle twice would be one with two owners.
      for (auto& t : s.triangles) std::sort(t.begin(), t.end());
      std::sort(s.triangles.begin(), s.triangles.end());
      s.triangles.erase(std::unique(s.triangles.begin(), s.triangles.end()), s.triangles.end());
      for (const std::size_t limit : {std::size_t{0}, std::size_t{7}, all}) expect_serial_report(s, seed, limit);
    }
}

TEST(DistributedAudit, finds_what_crosses_between_spheres_and_nothing_in_them) {
  const test::Surface ball = test::sphere(10);
  test::Surface s = test::joined(ball, ball.moved({{0.7, 0.31, 0.17}}));
  s.add(ball.moved({{40, 0, 0}}));
  EXPECT_GT(serial(s, all).crossing, 10);
  expect_serial_report(s, 5, all);
  const test::Surface apart = test::joined(ball, ball.moved({{2.5, 0, 0}}));
  EXPECT_EQ(serial(apart, all).crossing, 0);
  expect_serial_report(apart, 6, all);
}

TEST(DistributedAudit, leaves_out_excluded_bodies) {
  const test::Surface ball = test::sphere(8);
  const test::Surface s = test::joined(ball, ball.moved({{0.7, 0.31, 0.17}}));
  const Part part(s, world(), 3, -1);
  EXPECT_GT(audit_surface(part.view(), world()).crossing, 0);
  EXPECT_FALSE(audit_surface(part.view(), world(), {.excluded_bodies = {{1, 0}}}).intersects());
}

TEST(DistributedAudit, of_nothing_is_clean) { EXPECT_TRUE(audit_surface(AuditSurface{}, world()).clean()); }

/// Two boxes that overlap and a floor that cuts one of them, dealt out at random.
TEST(DistributedAudit, of_bodies_and_obstacles_does_not_depend_on_ranks) {
  Scene scene = test::box_scene({{1, 1, 1}}, {{4, 4, 4}}, test::material(MaterialModel::corotated));
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].place.translate = {{0.613, 0.417, 0.211}};
  scene.obstacles = {test::obstacle("floor", {{0, 0, -0.37}}), test::obstacle("wall", {{0, -3, 0}}, 90)};
  Report reference;
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = test::group(ranks);
    if (!works_in(ranks)) continue;
    for (int idle = -1; idle < (ranks > 1 ? ranks : 0); ++idle) {
      BlockMesh block = test::block_mesh(scene, {test::square(3), test::square(2)}, ring);
      const std::vector<int> owners = test::random_owners(ring, block, 9, idle);
      const LocalMesh mesh = distribute(std::move(block), owners, ring);
      const Report found = comparable(MeshAudit(mesh, ring).of(mesh.rest_positions));
      if (!ring.is_root()) continue;
      if (ranks == 1) reference = found;
      EXPECT_EQ(found, reference) << ranks << " ranks, idle " << idle;
    }
  }
  if (!world().is_root()) return;
  EXPECT_GT(reference.crossing, 20);
  EXPECT_EQ(reference.zero_area, 0);
  const auto between = [&](std::int32_t a, std::int32_t b) {
    return std::any_of(reference.pairs.begin(), reference.pairs.end(),
                       [&](const Line& line) { return line.body_a == a && line.body_b == b; });
  };
  EXPECT_TRUE(between(0, 1) && between(0, 2));
  EXPECT_FALSE(between(0, 0) || between(1, 3) || between(2, 3));
}

}  // namespace
}  // namespace unbarred
