// Bodies that nobody tuned, pressed by a plate into a slot that is too narrow for them: every step must end. 12 scenes;
// UNBARRED_NIGHTLY=1: 1,000; UNBARRED_SEED=n: the scene with that seed alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/impact_scenes.hpp"
#include "support/random_collisions.hpp"

namespace unbarred::test {
namespace {

constexpr int steps = 30;

/// The body lies on two walls with a slot between them, and the plate comes down on it as far as `room` over the walls.
struct Press {
  Scene scene;
  Real height, room;  ///< of the body at the start, and what it is left, m
};

Press random_press(std::uint64_t seed) {
  RandomCollisions random(seed);
  Press press{random.alone(), 0, 0};
  Scene& scene = press.scene;
  const LocalMesh mesh = load_mesh(scene, world());
  Real low = 1, high = -1;
  for (const Vec3& x : mesh.rest_positions) {
    low = std::min(low, x[1]);
    high = std::max(high, x[1]);
  }
  const Real offset = scene.contact->offset;
  press.height = high - low;
  press.room = random.uniform(0.3, 0.8) * press.height;
  scene.bodies[0].place.translate = {{0, 1.5 * offset - low, 0}};
  const Vec3 size{{0.5, 0.4, 2}};
  const Real width = random.logarithmic(0.005, 0.1), x = (size[0] + width) / 2, thick = 0.05;
  scene.obstacles = {wall("left", size, {{-x, -size[1] / 2, 0}}), wall("right", size, {{x, -size[1] / 2, 0}}),
                     wall("plate", {{1, thick, 1}}, {{0, press.height + 3 * offset + thick / 2, 0}})};
  scene.gravity = {{0, -earth, 0}};
  const Real way = press.height + 3 * offset - press.room, time = 0.8 * steps * scene.time_step;
  MotionSpec motion;
  motion.name = "press";
  motion.body = 3;
  motion.move.kind = MoveSpec::Kind::velocity;
  motion.move.velocity = {{0, -way / time, 0}};
  motion.to = time;
  scene.motions = {motion};
  return press;
}

TEST(RandomPresses, EndEveryStep) {
  const auto [first, count] = seeds_to_run(1, 12, 1000);
  int unfinished = 0, done = 0;
  Judgement worst;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const Press press = random_press(seed);
    const std::string about = "seed " + std::to_string(seed) + ", pressed to " +
                              std::to_string(press.room / press.height) + " of its height\n" + text_of(press.scene);
    try {
      Impact impact(press.scene);
      const Judgement& j = impact.run(steps);
      EXPECT_EQ(j.intersections, 0) << about;
      EXPECT_GT(j.least_gap, 0) << about;
      EXPECT_GT(j.most_pairs, 0) << about;
      unfinished += j.unfinished;
      worst.least_gap = std::min(worst.least_gap, j.least_gap);
      worst.iterations += j.iterations;
      worst.steps += j.steps;
      ++done;
      if (j.unfinished > 0 || j.mean_iterations() > 20)
        std::printf("seed %llu: %.1f iterations a step, %d unfinished\n", static_cast<unsigned long long>(seed),
                    j.mean_iterations(), j.unfinished);
    } catch (const Error& error) {
      ADD_FAILURE() << about << error.what();
    }
  }
  EXPECT_LE(50 * unfinished, worst.steps);
  print(std::to_string(done) + " of " + std::to_string(count) + " done, " + std::to_string(unfinished) +
            " steps unfinished; of all",
        worst);
}

}  // namespace
}  // namespace unbarred::test
