// Collisions that nobody tuned: is what comes out physics? Half of the scenes are two free bodies, half a body thrown
// on a fixed plane or ball. 20 of each; UNBARRED_NIGHTLY=1: 2,500; UNBARRED_SEED=n: the scene with that seed alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/impact.hpp"
#include "support/random_collisions.hpp"

namespace unbarred::test {
namespace {

constexpr int steps = 24;

// The forces of a pair have no common line of action while its points slide, and friction acts at both of them: that
// twist is bounded on its own. In a step that began again (TimeStepper::restart) links are those of its start, and
// points that are a large part of a body's size further on by its end may twist more: hardly any scene has one.
struct Limits {
  Real rise = 0.01, momentum = 1e-6, spin = 1e-3, twist = 0.05, force = 0.01;  ///< relative, as in Judgement
  Real usual_twist = 0.01, unusual = 0.01;                                     ///< and the share of scenes beyond it
};

/// In words; empty when nothing is.
std::string what_is_wrong(const Judgement& j, const Limits& limits) {
  std::ostringstream wrong;
  if (!(j.rise <= limits.rise)) wrong << "; energy rises by " << 100 * j.rise << " % in a step";
  if (!(j.momentum <= limits.momentum)) wrong << "; momentum is off by " << j.momentum;
  if (!(j.spin <= limits.spin)) wrong << "; angular momentum is off by " << j.spin << " in a step";
  if (!(j.twist <= limits.twist)) wrong << "; contact twists by " << j.twist << " in a step";
  if (!(j.force <= limits.force)) wrong << "; forces miss the change of momentum by " << 100 * j.force << " %";
  if (!(j.least_gap > 0)) wrong << "; a gap of " << j.least_gap << " m";
  if (j.unfinished > 0) wrong << "; " << j.unfinished << " steps are unfinished";
  if (j.intersections > 0) wrong << "; " << j.intersections << " intersections";
  if (j.most_pairs == 0) wrong << "; nothing has been hit";
  return wrong.str();
}

template <class Make>
void run_all(std::uint64_t from, Make&& make) {
  const auto [first, count] = seeds_to_run(from, 20, 2500);
  int failed = 0, twisted = 0;
  Judgement worst;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    RandomCollisions random(seed);
    const Scene scene = make(random);
    std::string wrong;
    try {
      Impact impact(scene);
      const Judgement j = impact.run(steps);
      wrong = what_is_wrong(j, Limits{});
      twisted += j.twist > Limits{}.usual_twist ? 1 : 0;
      worst.rise = std::max(worst.rise, j.rise);
      worst.momentum = std::max(worst.momentum, j.momentum);
      worst.spin = std::max(worst.spin, j.spin);
      worst.twist = std::max(worst.twist, j.twist);
      worst.force = std::max(worst.force, j.force);
      worst.least_gap = std::min(worst.least_gap, j.least_gap);
      worst.iterations += j.iterations;
      worst.steps += j.steps;
    } catch (const Error& error) {
      wrong = std::string("; ") + error.what();
    }
    if ((seed - first) % 100 == 99)
      std::printf("seed %llu\n", static_cast<unsigned long long>(seed)), std::fflush(stdout);
    failed += wrong.empty() ? 0 : 1;
    EXPECT_TRUE(wrong.empty()) << "seed " << seed << wrong << "\n" << text_of(scene);
  }
  EXPECT_LE(twisted, std::max(1.0, Limits{}.unusual * count));
  print(std::to_string(failed) + " of " + std::to_string(count) + " wrong; worst of all", worst);
}

TEST(RandomCollisions, OfFreeBodiesKeepMomentumAndGainNoEnergy) {
  run_all(1, [](RandomCollisions& random) { return random.free_bodies(); });
}

TEST(RandomCollisions, WithAnObstacleFollowTheForcesThatAreWritten) {
  run_all(100001, [](RandomCollisions& random) { return random.on_obstacle(); });
}

}  // namespace
}  // namespace unbarred::test
