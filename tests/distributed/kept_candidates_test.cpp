// Candidates that serve all motions of a step: filters give the same bits as with a search for every one of them.
#include "contact/search/kept_candidates.hpp"

#include <gtest/gtest.h>

#include "contact/filter/step_filter.hpp"
#include "contact/position_at.hpp"
#include "support/random_scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

constexpr Real offset = 0.02;
constexpr FilterOptions options{.minimum_gap = 0.01 * offset, .largest_slack = 0.1 * offset, .reach = 0.5 * offset};

struct Outcome {
  std::vector<Real> fractions;
  std::vector<PairRow> candidates, hits;  ///< hits: with their times
  FilterReport report;
};

/// @note Collective
Outcome filtered(CollisionPart& part, BroadPhase& broad_phase, StepFilter& filter) {
  Outcome outcome;
  outcome.report = filter.filter(part.collision_mesh(), broad_phase, options);
  outcome.fractions = part.owned_values(filter.fractions());
  outcome.candidates = part.rows(broad_phase.candidates().view(), {});
  for (const PairRow& row : part.rows(broad_phase.candidates().view(), filter.times()))
    if (std::bit_cast<Real>(row.time) <= 1) outcome.hits.push_back(row);
  return outcome;
}

/// As Newton's method goes on: the filtered positions, and a target that changes less and less; the fourth one jumps.
void next_motion(RandomScenes& random, int motion, const std::vector<Real>& fractions, CollisionScene& scene) {
  const Real size = motion == 3 ? 0.3 : 0.02 * std::pow(0.3, motion);
  for (std::size_t v = 0; v < scene.start.size(); ++v) {
    scene.start[v] = position_at(scene.start[v], scene.target[v], fractions[v]);
    scene.target[v] = scene.target[v] + size * random.vector();
  }
}

struct Counts {
  int kept = 0, divided = 0;
  std::size_t hits = 0;
};

/// @note Collective
Counts compare(std::uint64_t seed, bool lazy) {
  RandomScenes random(seed);
  CollisionScene scene = random.bodies(4);
  scene.add(random.triangles(30, 0.1));
  const auto searched = make_broad_phase({});
  const auto kept = keep_candidates(make_broad_phase({}));
  const auto filter = lazy ? make_lazy_filter() : make_global_filter();
  const std::vector<int> owners = random_owner_of_each(scene.start.size(), world().size(), static_cast<unsigned>(seed));
  // Two sets of collision meshes: what one search receives must not help the other.
  CollisionPart for_searched(scene, owners, world()), for_kept(scene, owners, world());
  Counts counts;
  for (int step = 0; step < 3; ++step) {
    const Vec3 drift = 0.2 * random.vector();
    for (std::size_t v = 0; v < scene.start.size(); ++v)
      scene.target[v] = scene.start[v] + Real(scene.body[v] % 2 == 0 ? 1 : -1) * drift + 0.05 * random.vector();
    searched->begin_step();
    kept->begin_step();
    std::vector<PairRow> before;
    for (int motion = 0; motion < 6; ++motion) {
      SCOPED_TRACE("step " + std::to_string(step) + " motion " + std::to_string(motion));
      for_searched.set_motion(scene);
      for_kept.set_motion(scene);
      const Outcome expected = filtered(for_searched, *searched, *filter), found = filtered(for_kept, *kept, *filter);
      EXPECT_EQ(found.fractions, expected.fractions);
      EXPECT_EQ(found.hits, expected.hits);
      EXPECT_EQ(found.report.hits, expected.report.hits);
      EXPECT_EQ(found.report.planes, expected.report.planes);
      counts.kept += motion > 0 && found.candidates == before ? 1 : 0;
      counts.divided += expected.report.passes > 1 ? 1 : 0;
      counts.hits += expected.hits.size();
      before = found.candidates;
      next_motion(random, motion, expected.fractions, scene);
    }
  }
  return counts;
}

TEST(KeptCandidates, FilterAsASearchForEveryMotionDoes) {
  for (const bool lazy : {true, false}) {
    Counts all;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const Counts counts = compare(seed, lazy);
      all.kept += counts.kept;
      all.divided += counts.divided;
      all.hits += counts.hits;
    }
    EXPECT_GT(all.kept, 20);
    EXPECT_GT(all.hits, 1000U);
    if (lazy) {
      EXPECT_GT(all.divided, 10);
    }
  }
}

}  // namespace
}  // namespace unbarred::test
