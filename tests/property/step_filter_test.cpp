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
    const FilterCase which{.lazy = draw % 4 != 0, .guarded = random.chance(0.3),
                           .minimum_gap = random.chance(0.2) ? 0 : random.logarithmic(1e-8, 1e-2),
                           .most_passes = random.chance(0.05) ? 1 : 60};
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
FilteredMotion expect_safe_with_both(const CollisionScene& scene, Real minimum_gap, int samples = 64) {
  for (const bool lazy : {false, true})
    for (const bool guarded : {false, true}) {
      SCOPED_TRACE(std::string(lazy ? "lazy" : "global") + (guarded ? ", guarded" : ""));
      const FilteredMotion motion(scene, {.lazy = lazy, .guarded = guarded, .minimum_gap = minimum_gap});
      expect_safe(motion, samples, guarded);
      motion.expect_gaps();
    }
  return FilteredMotion(scene, {.lazy = true, .minimum_gap = minimum_gap});
}

constexpr Real offset = 1e-3, minimum_gap = 0.01 * offset;

TEST(StepFilter, StopsWhatIsFastAtAThinPlate) {
  // A cube at 100 m/s in steps of 0.02 s against a plate of one layer of tetrahedra, and against a sheet.
  for (const Real thickness : {0.01, 0.0}) {
    CollisionScene scene = thickness > 0 ? cube_body(3) : sheet_body(5);
    scene = scene.mapped([&](const Vec3& x) { return Vec3{{3 * x[0] - 1.5, 3 * x[1] - 1.5, thickness * x[2]}}; });
    const std::size_t plate = scene.start.size();
    scene.add(cube_body(2).mapped([](const Vec3& x) { return 0.5 * x + Vec3{{-0.27, -0.31, 0.3}}; }));
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
      if (size > 1) EXPECT_GT(motion.report.hits, 0);
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

TEST(StepFilter, DoesNotLockWhatSlides) {
  // A sheet slides by five times its size over another one; sinking by less than the gap, and by twice as much.
  for (const Real sink : {0.0, 0.5, 2.0}) {
    constexpr Real gap = 1e-3;
    CollisionScene scene = sheet_body(6);
    const std::size_t first = scene.start.size();
    scene.add(sheet_body(6).mapped([](const Vec3& x) { return x + Vec3{{0.01, 0.02, gap}}; }));
    RandomScenes random(6);
    for (std::size_t v = first; v < scene.start.size(); ++v)
      scene.target[v] += Vec3{{5, 3, -sink * gap}} + 1e-5 * random.vector();
    const FilteredMotion motion = expect_safe_with_both(scene, minimum_gap);
    if (sink < 1) EXPECT_EQ(motion.report.least_fraction, 1);
    else EXPECT_GT(motion.report.least_fraction, 0.4);
  }
}

TEST(StepFilter, IsSafeWhenItFallsBack) {
  for (int draw = 0; draw < 30; ++draw) {
    RandomScenes random(static_cast<std::uint64_t>(1000000 + draw));
    CollisionScene scene = random.bodies(6);
    for (std::size_t v = 0; v < scene.start.size(); ++v)
      scene.target[v] = scene.start[v] + 0.5 * random.vector();
    const FilteredMotion motion(scene, {.lazy = true, .guarded = true, .most_passes = draw % 2});
    const FilteredMotion global(scene, {.lazy = false, .guarded = true});
    EXPECT_TRUE(motion.report.fell_back);
    EXPECT_EQ(motion.fractions, global.fractions);
    expect_safe(motion, 16, true);
  }
}

}  // namespace
}  // namespace unbarred::test
