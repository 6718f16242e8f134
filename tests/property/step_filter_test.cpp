// The guarantee: from any start without intersections, to any target, a filtered motion never intersects.
#include <cstdlib>

#include "support/filtered_motion.hpp"

namespace unbarred::test {
namespace {

int draws() { return std::getenv("UNBARRED_NIGHTLY") ? 100000 : 1000; }

void expect_safe(const FilteredMotion& motion, int samples, bool guarded) {
  motion.expect_fractions_in_range();
  motion.expect_no_intersection(samples);
  if (guarded) motion.expect_no_inversion(samples);
}

TEST(StepFilter, NeverIntersects) {
  std::int64_t hits = 0, several_passes = 0;
  for (int draw = 0; draw < draws(); ++draw) {
    SCOPED_TRACE("draw " + std::to_string(draw));
    RandomScenes random(static_cast<std::uint64_t>(draw));
    CollisionScene scene = random.scene();
    random.move(scene);
    const bool thorough = draw % 50 == 0;
    const FilterCase which{.lazy = draw % 4 != 0,
                           .guarded = random.chance(0.3),
                           .minimum_gap = random.chance(0.2) ? 0 : random.logarithmic(1e-8, 1e-2),
                           .most_passes = random.chance(0.05) ? 1 : 60,
                           .largest_slack = random.chance(0.5) ? 1e300 : random.logarithmic(1e-6, 1e-2),
                           .reach = random.chance(0.7) ? 0 : random.logarithmic(1e-6, 1e-2)};
    const FilteredMotion motion(scene, which);
    expect_safe(motion, thorough ? 64 : 4, which.guarded);
    if (draw % 10 == 0) motion.expect_gaps();
    if (HasFatalFailure() || HasNonfatalFailure()) return;
    hits += motion.report.hits;
    several_passes += motion.report.passes > 1;
  }
  EXPECT_GT(hits, 100 * draws());
  EXPECT_GT(several_passes, draws() / 10);
}

/// Both filters; returns the lazy one's motion.
FilteredMotion expect_safe_with_both(const CollisionScene& scene, Real minimum_gap, Real largest_slack = 1e300) {
  for (const bool lazy : {false, true})
    for (const bool guarded : {false, true}) {
      SCOPED_TRACE(std::string(lazy ? "lazy" : "global") + (guarded ? ", guarded" : ""));
      const FilteredMotion motion(
          scene, {.lazy = lazy, .guarded = guarded, .minimum_gap = minimum_gap, .largest_slack = largest_slack});
      expect_safe(motion, 64, guarded);
      motion.expect_gaps();
    }
  return FilteredMotion(scene, {.lazy = true, .minimum_gap = minimum_gap, .largest_slack = largest_slack});
}

constexpr Real offset = 1e-3, minimum_gap = 0.01 * offset;

TEST(StepFilter, StopsWhatIsFastAtAThinPlate) {
  // A cube at 100 m/s in steps of 0.02 s against a plate of one layer of tetrahedra, and against a sheet.
  for (const Real thickness : {0.01, 0.0}) {
    CollisionScene scene = thickness > 0 ? cube_body(3) : sheet_body(5);
    scene = scene.mapped([&](const Vec3& x) { return Vec3{{3 * x[0] - 1.5, 3 * x[1] - 1.5, thickness * x[2]}}; });
    const std::size_t plate = scene.start.size();
    scene.add(cube_body(1).mapped([](const Vec3& x) { return 0.5 * x + Vec3{{-0.27, -0.31, 0.3}}; }));
    for (std::size_t v = plate; v < scene.start.size(); ++v) scene.target[v][2] -= 2;
    const FilteredMotion motion = expect_safe_with_both(scene, minimum_gap);
    for (std::size_t v = plate; v < scene.start.size(); ++v) EXPECT_GT(motion.reached[v][2], thickness);
    EXPECT_GT(motion.report.hits, 0);
    // Its lowest face comes down most of the way.
    Real lowest = 1;
    for (std::size_t v = plate; v < scene.start.size(); ++v) lowest = std::min(lowest, motion.reached[v][2]);
    EXPECT_LT(lowest, 0.2 * (0.3 - thickness) + thickness);
  }
}

TEST(StepFilter, WhatEndsWithinReachWouldJoinButGoesAllTheWay) {
  CollisionScene scene = cube_body(1);
  const std::size_t first = scene.start.size();
  scene.add(cube_body(1).mapped([](const Vec3& x) { return 0.3 * x + Vec3{{0.31, 0.37, 1.5}}; }));
  for (std::size_t v = first; v < scene.start.size(); ++v) scene.target[v][2] -= 0.499;  // to a gap of 1e-3
  for (const bool lazy : {false, true}) {
    const auto filtered = [&](Real reach) {
      return FilteredMotion(scene, {.lazy = lazy, .minimum_gap = 1e-5, .largest_slack = 1e-4, .reach = reach});
    };
    const FilteredMotion without = filtered(0), beyond = filtered(0.9e-3), within = filtered(1.1e-3);
    for (const FilteredMotion* motion : {&without, &beyond, &within}) {
      EXPECT_EQ(motion->report.hits, 0);
      for (const Real fraction : motion->fractions) EXPECT_EQ(fraction, 1);
    }
    EXPECT_EQ(without.would_join, 0);
    EXPECT_EQ(beyond.would_join, 0);
    EXPECT_GE(within.would_join, 4);  // the corners of the small cube's lower side
  }
}

TEST(StepFilter, StopsAlignedCubes) {
  for (const Real gap : {1e-12, 1e-3, 0.5}) {
    SCOPED_TRACE("gap " + std::to_string(gap));
    CollisionScene scene = cube_body(2);
    const std::size_t first = scene.start.size();
    scene.add(cube_body(2).mapped([&](const Vec3& x) { return x + Vec3{{0, 0, 1 + gap}}; }));
    for (std::size_t v = 0; v < scene.start.size(); ++v) scene.target[v][2] += v < first ? 5 : -5;
    const FilteredMotion motion = expect_safe_with_both(scene, minimum_gap);
    EXPECT_GT(motion.report.hits, 0);
  }
}

TEST(StepFilter, StopsParallelAndCollinearEdges) {
  const Real root = std::sqrt(0.5);
  const Mat3 turned{{{root, 0, root}, {0, 1, 0}, {-root, 0, root}}};  // an edge along y points down
  const auto cube = [&](const Vec3& shift) {
    return cube_body(1).mapped([&](const Vec3& x) { return turned * (x - Vec3{{0.5, 0.5, 0.5}}) + shift; });
  };
  // Edge over parallel edge; edge along edge; crossed.
  const Vec3 shifts[] = {{{0, 0, 1.5}}, {{0, 1.01, 0}}, {{0, 1.01, 1.5}}, {{1.42, 0, 1e-3}}};
  for (const Vec3& shift : shifts)
    for (const Real size : {0.1, 3.0}) {
      CollisionScene scene = cube({{0, 0, 0}});
      const std::size_t first = scene.start.size();
      scene.add(cube(shift));
      for (std::size_t v = first; v < scene.start.size(); ++v) scene.target[v] -= size * shift;
      const FilteredMotion motion = expect_safe_with_both(scene, minimum_gap);
      EXPECT_TRUE(size < 1 || motion.report.hits > 0);
    }
}

TEST(StepFilter, StopsStacksOfLikeMeshes) {
  RandomScenes random(5);
  for (const Real gap : {1e-12, offset / 2, offset})
    for (const bool crushed : {true, false}) {
      SCOPED_TRACE("gap " + std::to_string(gap));
      CollisionScene scene = random.stack(4, 3, gap);
      for (std::size_t v = 0; v < scene.start.size(); ++v) {
        scene.target[v] = scene.start[v] + (crushed ? -0.99 : -2.0) * Vec3{{0, 0, scene.start[v][2]}};
        if (!crushed) scene.target[v] += 0.1 * gap * random.vector();
      }
      const FilteredMotion motion = expect_safe_with_both(scene, minimum_gap);
      EXPECT_GT(motion.report.hits, 0);
    }
}

/// A sheet at one offset over another one slides by `way`, sinking by `sink` offsets, its vertices by a bit more or
/// less.
CollisionScene sliding_sheets(const Vec3& way, Real sink) {
  CollisionScene scene = sheet_body(6);
  const std::size_t first = scene.start.size();
  scene.add(sheet_body(6).mapped([](const Vec3& x) { return x + Vec3{{0.01, 0.02, offset}}; }));
  RandomScenes random(6);
  for (std::size_t v = first; v < scene.start.size(); ++v)
    scene.target[v] += way + Vec3{{0, 0, -sink * offset}} + 0.01 * offset * random.vector();
  return scene;
}

TEST(StepFilter, DoesNotLockWhatSlides) {
  // By a tenth of a cell, by a cell, by five sheets.
  for (const Real way : {0.016, 0.16, 5.0})
    for (const Real sink : {0.0, 0.5}) {
      SCOPED_TRACE("way " + std::to_string(way) + ", sink " + std::to_string(sink));
      const FilteredMotion motion =
          expect_safe_with_both(sliding_sheets({{way, 0.6 * way, 0}}, sink), minimum_gap, 0.1 * offset);
      EXPECT_EQ(motion.report.least_fraction, 1);
    }
  // Twice as deep as there is room, over a tenth of a cell, and over a cell, where edges are in the way.
  EXPECT_GT(
      expect_safe_with_both(sliding_sheets({{0.016, 0.01, 0}}, 2), minimum_gap, 0.1 * offset).report.least_fraction,
      0.4);
  EXPECT_GT(expect_safe_with_both(sliding_sheets({{0.16, 0.1, 0}}, 2), minimum_gap, 0.1 * offset).report.least_fraction,
            0.1);
}

TEST(StepFilter, LetsBodiesMoveTogetherThatPlanesWouldHold) {
  // Two sheets, an offset apart, go up by 1,000 offsets, the lower one by two more than the upper one.
  CollisionScene scene = sheet_body(5);
  scene.add(sheet_body(6).mapped([](const Vec3& x) { return x + Vec3{{0.01, 0.02, offset}}; }));
  for (std::size_t v = 0; v < scene.start.size(); ++v)
    scene.target[v] = scene.start[v] + Vec3{{0, 0, (scene.start[v][2] > 0.5 * offset ? 1000 : 1002) * offset}};
  const auto filtered = [&](bool lazy, Real least_of_uniform) {
    const FilteredMotion motion(scene,
                                {.lazy = lazy, .minimum_gap = minimum_gap, .least_of_uniform = least_of_uniform});
    expect_safe(motion, 64, false);
    return motion;
  };
  EXPECT_LT(filtered(true, 0).report.least_fraction, 1e-2);
  const FilteredMotion together = filtered(true, 0.1), uniform = filtered(false, 0);
  EXPECT_TRUE(together.report.fell_back);
  EXPECT_GT(together.report.least_fraction, 0.3);
  EXPECT_EQ(together.fractions, uniform.fractions);
  EXPECT_FALSE(filtered(true, 1e-3).report.fell_back);  // the lazy fractions are better than that
}

TEST(StepFilter, IsSafeWhenItFallsBack) {
  int fell_back = 0;
  for (int draw = 0; draw < 60; ++draw) {
    RandomScenes random(static_cast<std::uint64_t>(1000000 + draw));
    CollisionScene scene = random.bodies(6);
    for (std::size_t v = 0; v < scene.start.size(); ++v) scene.target[v] = scene.start[v] + 0.5 * random.vector();
    const FilteredMotion motion(scene, {.lazy = true, .guarded = true, .most_passes = draw % 2});
    expect_safe(motion, 16, true);
    if (!motion.report.fell_back) continue;
    ++fell_back;
    EXPECT_EQ(motion.fractions, FilteredMotion(scene, {.lazy = false, .guarded = true}).fractions);
  }
  EXPECT_GE(fell_back, 30);
}

}  // namespace
}  // namespace unbarred::test
