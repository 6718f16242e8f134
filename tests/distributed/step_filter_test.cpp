// Step filters give the same times and fractions, to the last bit, on any number of ranks and for any owners.
#include "contact/filter/step_filter.hpp"

#include <gtest/gtest.h>

#include "contact/ccd.hpp"
#include "contact/pairs/hits.hpp"
#include "dynamics/elastic/inversion_guard.hpp"
#include "support/random_scenes.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

struct Outcome {
  std::vector<PairRow> candidates, kept;
  std::vector<std::uint64_t> fractions;
  FilterReport report;
};

std::vector<std::uint64_t> bits(const std::vector<Real>& values) {
  std::vector<std::uint64_t> bits;
  for (const Real value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

/// The rows of the candidates that EarliestHits keeps. @note Collective
std::vector<PairRow> kept_rows(CollisionPart& part, View<const ContactPair> pairs, View<const Real> times,
                               const std::vector<std::uint8_t>& known) {
  EarliestHits earliest;
  const DeviceArray<std::uint8_t> known_on_device(known);
  const auto kept = earliest.select(part.collision_mesh(), pairs, times, known_on_device.view()).to_host();
  const auto host = CollisionPart::copy(pairs);
  const auto host_times = CollisionPart::copy(times);
  std::vector<ContactPair> kept_pairs;
  std::vector<Real> kept_times;
  for (const Index i : kept) {
    kept_pairs.push_back(host[static_cast<std::size_t>(i)]);
    kept_times.push_back(host_times[static_cast<std::size_t>(i)]);
  }
  const DeviceArray<ContactPair> on_device(kept_pairs);
  const DeviceArray<Real> times_on_device(kept_times);
  return part.rows(on_device.view(), times_on_device.view());
}

/// Pairs whose first vertex is a multiple of three are known, whatever rank looks at them.
std::vector<std::uint8_t> some_known(View<const ContactPair> pairs, View<const GlobalIndex> ids) {
  const auto host_ids = CollisionPart::copy(ids);
  std::vector<std::uint8_t> known;
  for (const ContactPair& pair : CollisionPart::copy(pairs))
    known.push_back(host_ids[static_cast<std::size_t>(pair.v[0])] % 3 == 0);
  return known;
}

struct Case {
  bool lazy = true, guarded = false;
  int most_passes = 60;
  BroadPhaseOptions::Search search = BroadPhaseOptions::Search::tree;
};

/// @note Collective
Outcome filtered(const CollisionScene& scene, const std::vector<int>& owners, const Communicator& communicator,
                 const Case& which) {
  CollisionPart part(scene, owners, communicator);
  const ElasticMesh elastic(part.mesh(), {material(MaterialModel::corotated)});
  const ElementGuard guard(elastic, ElementGuard::Scope::everywhere);
  const auto broad_phase = make_broad_phase({.excluded_bodies = {}, .search = which.search});
  const auto filter = which.lazy ? make_lazy_filter() : make_global_filter();
  Outcome outcome;
  outcome.report = filter->filter(
      part.collision_mesh(), *broad_phase,
      {.minimum_gap = 1e-4, .most_passes = which.most_passes, .guard = which.guarded ? &guard : nullptr});
  const View<const ContactPair> pairs = broad_phase->candidates().view();
  outcome.candidates = part.rows(pairs, filter->times());
  outcome.fractions = bits(part.owned_values(filter->fractions()));
  outcome.kept = kept_rows(part, pairs, filter->times(), some_known(pairs, part.collision_mesh().ids()));
  // Every holder has the owner's value.
  const auto held = CollisionPart::copy(filter->fractions());
  const auto ids = CollisionPart::copy(part.collision_mesh().ids());
  for (std::size_t v = 0; v < ids.size(); ++v)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(held[v]), outcome.fractions[static_cast<std::size_t>(ids[v])]);
  return outcome;
}

void expect_same(const Outcome& outcome, const Outcome& expected) {
  EXPECT_EQ(outcome.candidates, expected.candidates);
  EXPECT_EQ(outcome.fractions, expected.fractions);
  EXPECT_EQ(outcome.kept, expected.kept);
  EXPECT_EQ(outcome.report.hits, expected.report.hits);
  EXPECT_EQ(outcome.report.candidates, expected.report.candidates);
  EXPECT_EQ(outcome.report.planes, expected.report.planes);
  EXPECT_EQ(outcome.report.passes, expected.report.passes);
  EXPECT_EQ(outcome.report.fell_back, expected.report.fell_back);
  EXPECT_EQ(outcome.report.least_fraction, expected.report.least_fraction);
  EXPECT_EQ(outcome.report.mean_fraction, expected.report.mean_fraction);
}

CollisionScene moving_scene(unsigned seed, Real size) {
  RandomScenes random(seed);
  CollisionScene scene = random.bodies(4);
  scene.add(random.triangles(30, 0.1));
  for (std::size_t v = 0; v < scene.start.size(); ++v) {
    scene.target[v] = scene.start[v] + size * random.vector();
    scene.prescribed[v] = scene.body[v] == 1;
  }
  return scene;
}

/// Without what only a shortened motion meets, which has the time 1: planes of the lazy filter hold it.
std::vector<PairRow> met_on_the_way(std::vector<PairRow> rows) {
  std::erase_if(rows, [](const PairRow& row) { return row.time == std::bit_cast<std::uint64_t>(Real(1)); });
  return rows;
}

/// The definition, pair by pair.
std::vector<PairRow> earliest_oracle(const Outcome& outcome, const CollisionScene& scene) {
  const auto time = [](const PairRow& row) { return std::bit_cast<Real>(row.time); };
  const auto takes_part = [&](const PairRow& row) { return time(row) <= 1 && row.ids[0] % 3 != 0; };
  std::vector<Real> earliest(scene.start.size(), impact_never);
  for (const PairRow& row : outcome.candidates)
    for (const GlobalIndex v : row.ids)
      if (takes_part(row)) earliest[v] = std::min(earliest[v], time(row));
  std::vector<PairRow> kept;
  for (const PairRow& row : outcome.candidates) {
    bool first = false;
    for (const GlobalIndex v : row.ids) first |= !scene.prescribed[v] && time(row) == earliest[v];
    if (takes_part(row) && first) kept.push_back(row);
  }
  return kept;
}

/// Returns the outcome on one rank. @note Collective
Outcome expect_same_for_all_owners(const CollisionScene& scene, const Case& which) {
  const Communicator self = world().split(world().rank());
  const Outcome expected = filtered(scene, std::vector<int>(scene.start.size(), 0), self, which);
  EXPECT_EQ(expected.kept, earliest_oracle(expected, scene));
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    for (int idle = -1; idle < (ranks > 1 ? 1 : 0); ++idle) {
      SCOPED_TRACE("ranks " + std::to_string(ranks) + ", idle " + std::to_string(idle));
      expect_same(filtered(scene, random_owner_of_each(scene.start.size(), ranks, 11, idle), ring, which), expected);
    }
  }
  return expected;
}

TEST(StepFilter, IsTheSameForAnyPartition) {
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (const Real size : {0.2, 0.6}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", size " + std::to_string(size));
      const CollisionScene scene = moving_scene(seed, size);
      const Outcome lazy = expect_same_for_all_owners(scene, {.lazy = true});
      const Outcome global = expect_same_for_all_owners(scene, {.lazy = false});
      EXPECT_GT(lazy.report.hits, 20);
      EXPECT_EQ(lazy.report.hits, global.report.hits);
      EXPECT_EQ(met_on_the_way(lazy.kept), global.kept);
      EXPECT_FALSE(lazy.kept.empty());
      EXPECT_LT(static_cast<std::int64_t>(lazy.kept.size()), lazy.report.hits);
      EXPECT_GT(lazy.report.mean_fraction, 2 * global.report.mean_fraction);
      EXPECT_FALSE(lazy.report.fell_back);
    }
}

TEST(StepFilter, IsTheSameForAnyPartitionWhereElementsAreGuarded) {
  for (unsigned seed = 11; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const CollisionScene scene = moving_scene(seed, 0.3);
    const Outcome guarded = expect_same_for_all_owners(scene, {.lazy = true, .guarded = true});
    const Outcome free = expect_same_for_all_owners(scene, {.lazy = true, .guarded = false});
    EXPECT_NE(guarded.fractions, free.fractions);
    EXPECT_FALSE(guarded.report.fell_back);
    expect_same_for_all_owners(scene, {.lazy = false, .guarded = true});
  }
}

TEST(StepFilter, IsTheSameForAnyPartitionWhenItFallsBack) {
  const CollisionScene scene = moving_scene(21, 0.5);
  for (const bool guarded : {false, true}) {
    const Outcome lazy = expect_same_for_all_owners(scene, {.lazy = true, .guarded = guarded, .most_passes = 0});
    const Outcome global = expect_same_for_all_owners(scene, {.lazy = false, .guarded = guarded});
    EXPECT_TRUE(lazy.report.fell_back);
    EXPECT_FALSE(global.report.fell_back);
    EXPECT_EQ(lazy.fractions, global.fractions);
  }
}

TEST(StepFilter, IsTheSameWithoutATree) {
  const CollisionScene scene = moving_scene(31, 0.2);
  expect_same_for_all_owners(scene, {.lazy = true, .search = BroadPhaseOptions::Search::brute_force});
}

TEST(StepFilter, KeepsAllOfEqualTimes) {
  // A cube falls flat onto a cube: everything meets at once.
  CollisionScene scene = cube_body(2);
  scene.add(cube_body(2).mapped([](const Vec3& x) { return x + Vec3{{0, 0, 1.25}}; }));
  for (std::size_t v = scene.start.size() / 2; v < scene.start.size(); ++v) scene.target[v][2] -= 0.5;
  const Outcome outcome = expect_same_for_all_owners(scene, {.lazy = true});
  std::uint64_t first = outcome.kept.at(0).time;
  for (const PairRow& row : outcome.kept) first = std::min(first, row.time);
  EXPECT_GT(
      std::count_if(outcome.kept.begin(), outcome.kept.end(), [&](const PairRow& row) { return row.time == first; }),
      10);
}

TEST(StepFilter, LeavesSurfacesAloneThatDoNotMeet) {
  CollisionScene scene = moving_scene(41, 0);
  for (std::size_t v = 0; v < scene.start.size(); ++v) scene.target[v] = scene.start[v] + Vec3{{3, 4, 5}};
  for (const bool lazy : {false, true}) {
    const Outcome outcome =
        filtered(scene, random_owner_of_each(scene.start.size(), world().size(), 2), world(), {.lazy = lazy});
    EXPECT_EQ(outcome.report.hits, 0);
    EXPECT_EQ(outcome.report.least_fraction, 1);
    EXPECT_EQ(outcome.report.mean_fraction, 1);
    EXPECT_TRUE(outcome.kept.empty());
  }
}

}  // namespace
}  // namespace unbarred::test
