// The library call of the step filters: the same answer for any parts on any number of ranks, and never through.
#include "contact/filter/filter_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "partitioning/range_exchange.hpp"
#include "support/surfaces.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using test::works_in;
using test::world;
using Kind = StepFilterKind;

/// What the ranks hold together, and this rank's random share of it: vertices in a row, triangles at random.
struct Shared {
  const test::Surface& whole;
  std::size_t begin = 0, end = 0;
  std::vector<GlobalTriangle> triangles;

  Shared(const test::Surface& surface, const Communicator& ring, unsigned seed) : whole(surface) {
    std::mt19937 random(seed);
    std::vector<std::size_t> cuts{0, surface.positions.size()};
    std::uniform_int_distribution<std::size_t> cut(0, surface.positions.size());
    while (cuts.size() < static_cast<std::size_t>(ring.size()) + 1) cuts.push_back(cut(random));
    std::sort(cuts.begin(), cuts.end());
    begin = cuts[static_cast<std::size_t>(ring.rank())];
    end = cuts[static_cast<std::size_t>(ring.rank()) + 1];
    std::uniform_int_distribution<int> any(0, ring.size() - 1);
    for (const auto& t : surface.triangles)
      if (any(random) == ring.rank()) triangles.push_back({{t[0], t[1], t[2]}});
  }
  template <class T>
  std::vector<T> part(const std::vector<T>& all) const {
    return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
  }
};

/// Two balls and a sheet below them, a vertex without triangles at the end.
test::Surface scene() {
  const test::Surface ball = test::sphere(7);
  test::Surface s = test::joined(ball, ball.moved({{2.1, 0.3, 0.2}}));
  s.add(test::sheet(5).moved({{-1, -2, -1.05}}, 5));
  s.positions.push_back({{0, 0, 9}});
  s.vertex_body.push_back(2);
  return s;
}

std::vector<Vec3> random_motion(std::size_t count, unsigned seed, Real size) {
  std::mt19937 random(seed);
  std::normal_distribution<Real> component(0, size);
  std::vector<Vec3> motion(count);
  for (Vec3& u : motion) u = {{component(random), component(random), component(random)}};
  return motion;
}

struct Outcome {
  std::vector<Vec3> displacements;
  std::vector<Real> fractions;
};

Outcome filtered(const test::Surface& s, const std::vector<Vec3>& wanted, const Communicator& ring, unsigned seed,
                 const MotionFilter::Options& options, FilterReport* report = nullptr) {
  const Shared shared(s, ring, seed);
  const std::vector<Vec3> x = shared.part(s.positions);
  const std::vector<std::int32_t> body = shared.part(s.vertex_body);
  MotionFilter filter({.positions = x, .triangles = shared.triangles, .vertex_body = body}, ring, options);
  const MotionFilter::Result result = filter.filter(x, shared.part(wanted));
  if (report) *report = result.report;
  const auto all = static_cast<GlobalIndex>(s.positions.size());
  return {gather_range(ring, result.displacements, 0, all), gather_range(ring, result.fractions, 0, all)};
}

/// The serial audit on the straight paths and at their end.
void expect_safe(test::Surface s, const std::vector<Vec3>& displacements) {
  constexpr int samples = 16;
  const std::vector<Vec3> start = s.positions;
  for (int sample = 1; sample <= samples; ++sample) {
    for (std::size_t v = 0; v < start.size(); ++v)
      s.positions[v] = start[v] + Real(sample) / samples * displacements[v];
    const AuditReport report = audit(s.view());
    EXPECT_EQ(report.crossing + report.touching, 0) << "sample " << sample;
  }
}

TEST(FilterMotion, is_the_same_for_any_parts_on_any_number_of_ranks) {
  const test::Surface s = scene();
  for (const Kind kind : {Kind::lazy, Kind::global})
    for (const Real size : {0.05, 1.0, 20.0}) {
      SCOPED_TRACE("size " + std::to_string(size));
      const std::vector<Vec3> wanted = random_motion(s.positions.size(), 3, size);
      MotionFilter::Options options;
      options.kind = kind;
      const Communicator alone = world().split(world().rank());
      const Outcome expected = filtered(s, wanted, alone, 1, options);
      EXPECT_EQ(kind == Kind::lazy ? expected.fractions.back() : 1, 1);  // no triangle holds it
      EXPECT_LT(*std::min_element(expected.fractions.begin(), expected.fractions.end()), 1);
      EXPECT_GE(*std::min_element(expected.fractions.begin(), expected.fractions.end()), 0);
      expect_safe(s, expected.displacements);
      for (int ranks = 1; ranks <= world().size(); ++ranks) {
        const Communicator ring = test::group(ranks);
        if (!works_in(ranks)) continue;
        const Outcome found = filtered(s, wanted, ring, 7u + static_cast<unsigned>(ranks), options);
        EXPECT_EQ(found.fractions, expected.fractions) << ranks << " ranks";
      }
    }
}

TEST(FilterMotion, keeps_a_solver_that_moves_step_by_step_apart_by_the_gap) {
  test::Surface s = scene();
  const Shared shared(s, world(), 5);
  std::vector<Vec3> x = shared.part(s.positions);
  const std::vector<std::int32_t> body = shared.part(s.vertex_body);
  MotionFilter::Options options;
  options.gap = 1e-3;
  MotionFilter filter({.positions = x, .triangles = shared.triangles, .vertex_body = body}, world(), options);
  EXPECT_EQ(filter.gap(), 1e-3);
  EXPECT_EQ(filter.counts().triangles, static_cast<GlobalIndex>(s.triangles.size()));
  EXPECT_TRUE(filter.audit(x).clean());
  Real least = 1;
  for (int step = 0; step < 6; ++step) {
    // The first ball falls onto the sheet while the second runs into it.
    std::vector<Vec3> wanted(x.size(), Vec3{{0, 0, 0}});
    for (std::size_t v = 0; v < x.size(); ++v)
      if (body[v] < 2) wanted[v] = body[v] == 0 ? Vec3{{0, 0, -0.03}} : Vec3{{-0.06, 0, 0}};
    const MotionFilter::Result safe = filter.filter(x, wanted);
    least = std::min(least, safe.report.least_fraction);
    for (std::size_t v = 0; v < x.size(); ++v) x[v] += safe.displacements[v];
    EXPECT_TRUE(filter.audit(x).clean()) << "step " << step;
  }
  EXPECT_LT(least, 0.5);
  // The sheet under the lowest vertex of the ball, which went as far as it may.
  Real lowest = 0, sheet = -1.05;
  for (std::size_t v = 0; v < x.size(); ++v)
    if (body[v] == 0) lowest = std::min(lowest, x[v][2]);
  lowest = world().min(lowest);
  EXPECT_GE(lowest - sheet, 0.9e-3);
  EXPECT_LT(lowest - sheet, 0.03);
}

TEST(FilterMotion, lets_excluded_bodies_through_and_nothing_that_is_free_is_held) {
  const test::Surface ball = test::sphere(5);
  const test::Surface s = test::joined(ball, ball.moved({{2.5, 0, 0}}));
  std::vector<Vec3> wanted(s.positions.size(), Vec3{{0, 0, 0}});
  for (std::size_t v = 0; v < s.positions.size(); ++v) wanted[v][0] = s.vertex_body[v] == 0 ? 1 : -1;
  FilterReport report;
  MotionFilter::Options options;
  EXPECT_LT(filtered(s, wanted, world(), 2, options, &report).fractions[0], 1);
  EXPECT_GT(report.hits, 0);
  options.excluded_bodies = {{1, 0}};
  const Outcome through = filtered(s, wanted, world(), 2, options, &report);
  EXPECT_EQ(through.fractions, std::vector<Real>(s.positions.size(), 1));
  EXPECT_EQ(report.hits, 0);
  for (std::size_t v = 0; v < wanted.size(); ++v) EXPECT_EQ(through.displacements[v][0], wanted[v][0]);
}

TEST(FilterMotion, takes_the_boundary_of_tetrahedra) {
  // Two tetrahedra tip to tip, and one that hangs on the first by a face.
  const std::vector<Vec3> x{{{0, 0, 0}},       {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{-1, -1, -1}},
                            {{0.2, 0.2, 1.1}}, {{1, 0, 2}}, {{0, 1, 2}}, {{0, 0, 2}}};
  const std::vector<GlobalTetrahedron> t{{{0, 1, 2, 3}}, {{0, 2, 1, 4}}, {{6, 7, 8, 5}}};
  std::vector<Vec3> wanted(x.size(), Vec3{{0, 0, 0}});
  for (std::size_t v = 5; v < 9; ++v) wanted[v][2] = -1;
  const bool first = world().is_root();
  const std::span<const Vec3> positions = first ? std::span<const Vec3>(x) : std::span<const Vec3>();
  const std::span<const GlobalTetrahedron> tetrahedra =
      first ? std::span<const GlobalTetrahedron>(t) : std::span<const GlobalTetrahedron>();
  const std::span<const Vec3> motion = first ? std::span<const Vec3>(wanted) : std::span<const Vec3>();
  MotionFilter filter({.positions = positions, .tetrahedra = tetrahedra}, world());
  EXPECT_EQ(filter.counts().triangles, 10);
  EXPECT_TRUE(filter.audit(positions).clean());
  const MotionFilter::Result result = filter.filter(positions, motion);
  EXPECT_GT(result.report.hits, 0);
  EXPECT_LT(result.retained, 1);
  EXPECT_GT(result.retained, 0);
  std::vector<Vec3> moved(positions.begin(), positions.end());
  for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += result.displacements[v];
  EXPECT_TRUE(filter.audit(moved).clean());
}

TEST(FilterMotion, of_nothing_is_nothing) {
  MotionFilter filter({}, world());
  EXPECT_TRUE(filter.audit({}).clean());
  const MotionFilter::Result result = filter.filter({}, {});
  EXPECT_TRUE(result.fractions.empty());
  EXPECT_EQ(result.retained, 1);
}

TEST(FilterMotion, refuses_bad_arrays_on_all_ranks) {
  const test::Surface s = test::sheet(2);
  const Shared shared(s, world(), 1);
  const std::vector<Vec3> x = shared.part(s.positions);
  const bool last = world().rank() == world().size() - 1;
  const auto code_of = [](const auto& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.code();
    }
    return ExitCode::done;
  };
  const auto made = [&](const MotionMesh& mesh) { return code_of([&] { MotionFilter(mesh, world()); }); };
  std::vector<GlobalTriangle> wrong = shared.triangles;
  if (last) wrong.push_back({{0, 1, static_cast<GlobalIndex>(s.positions.size())}});
  EXPECT_EQ(made({.positions = x, .triangles = wrong}), ExitCode::bad_input);
  wrong = shared.triangles;
  if (last) wrong.push_back({{0, 1, 1}});
  EXPECT_EQ(made({.positions = x, .triangles = wrong}), ExitCode::bad_input);
  const std::vector<std::int32_t> body(last ? x.size() + 1 : x.size(), 0);
  EXPECT_EQ(made({.positions = x, .triangles = shared.triangles, .vertex_body = body}), ExitCode::bad_input);
  MotionFilter filter({.positions = x, .triangles = shared.triangles}, world());
  std::vector<Vec3> motion(x.size(), Vec3{{0, 0, 0}});
  if (last) motion.push_back({{0, 0, 0}});
  EXPECT_EQ(code_of([&] { filter.filter(x, motion); }), ExitCode::bad_input);
  motion.assign(x.size(), Vec3{{0, 0, 0}});
  if (!motion.empty()) motion[0][1] = std::nan("");
  EXPECT_EQ(code_of([&] { filter.filter(x, motion); }), ExitCode::bad_input);
}

}  // namespace
}  // namespace unbarred
