// Contact pairs written on some ranks and taken up on others.
#include <gtest/gtest.h>

#include <map>

#include "app/contact_checkpoint.hpp"
#include "app/restore.hpp"
#include "app/run.hpp"
#include "support/captured_log.hpp"
#include "support/contact_scene.hpp"
#include "support/gather.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

constexpr int saved_step = 6;

Scene sliding_box() {
  Scene scene = box_on_floor(3);
  scene.bodies[0].velocity = {{1, -0.5, 0.3}};
  tighten(scene);
  return scene;
}

/// Multiplier, friction multiplier, decay, offset and activity of all pairs, on every rank.
using AllPairs = std::map<PairKey, std::array<Real, 5>>;

AllPairs all_pairs(const Simulation& simulation, const Communicator& communicator) {
  struct Row {
    PairKey key;
    std::array<Real, 5> values;
  };
  const std::vector<SavedPair> counted = contact_state(simulation)->pairs;
  std::vector<Row> rows;
  for (int peer = 0; peer < communicator.size(); ++peer)
    for (const auto& [key, holders, p] : counted)
      rows.push_back({key, {p.multiplier, p.friction_multiplier, p.decay, p.offset, Real(p.active)}});
  const std::vector<int> counts(static_cast<std::size_t>(communicator.size()), static_cast<int>(counted.size()));
  AllPairs pairs;
  for (const Row& row : communicator.exchange<Row>(rows, counts)) {
    EXPECT_FALSE(pairs.contains(row.key)) << "two ranks count one pair";
    pairs[row.key] = row.values;
  }
  return pairs;
}

/// A run of two ranks up to `saved_step`, with its pairs there and its positions four steps later.
class SavedContact : public testing::Test {
 protected:
  void SetUp() override {
    const Scene scene = sliding_box();
    const Communicator two = group(2);
    if (works_in(2)) {
      Simulation simulation(scene, two);
      unbarred::Run(RunFolder::create(folder_.path() / "run", true, two), simulation, two,
                    {.last_step = saved_step, .resumed_step = {}})
          .go();
      pairs_ = all_pairs(simulation, two);
      for (int i = 0; i < 4; ++i) simulation.advance();
      later_ = gather(two, simulation.map(), simulation.state().x);
    }
    world().barrier();
  }
  CheckpointData read(const Communicator& communicator) const {
    return read_newest_checkpoint(folder_.path() / "run" / "checkpoints", communicator);
  }

  TemporaryFolder folder_{world()};
  AllPairs pairs_;           ///< on ranks 0 and 1
  std::vector<Vec3> later_;  ///< on ranks 0 and 1
};

TEST_F(SavedContact, IsTheSameOnAnyNumberOfRanks) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    Simulation simulation(sliding_box(), ring);
    restore(simulation, read(ring), ring);
    simulation.contact()->active().require_equal_copies();
    const AllPairs pairs = all_pairs(simulation, ring);
    for (const PairHolders& holders : simulation.contact()->active().holders())
      EXPECT_EQ(holders.body[0] + holders.body[1], 1);
    if (ring.is_root()) {
      EXPECT_GT(pairs.size(), 10u);
      EXPECT_TRUE(pairs == pairs_);
    }
    for (int i = 0; i < 4; ++i) simulation.advance();
    const std::vector<Vec3> x = gather(ring, simulation.map(), simulation.state().x);
    if (!ring.is_root()) continue;
    if (ranks != 2) {
      EXPECT_LT(relative_difference(x, later_), 1e-6);
    }
    for (std::size_t v = 0; ranks == 2 && v < x.size(); ++v)
      for (int k = 0; k < 3; ++k) ASSERT_EQ(x[v][k], later_[v][k]);
  }
}

TEST_F(SavedContact, MultipliersFollowTheSquareOfTheTimeStep) {
  const Communicator ring = group(3);
  if (!works_in(3)) return;
  Scene scene = sliding_box();
  scene.time_step /= 2;
  Simulation simulation(scene, ring);
  restore(simulation, read(ring), ring);
  AllPairs pairs = all_pairs(simulation, ring);
  for (auto& [key, values] : pairs)
    for (std::size_t i = 0; i < 2; ++i) values[i] *= 4;
  if (ring.is_root()) {
    EXPECT_TRUE(pairs == pairs_);
  }
}

TEST_F(SavedContact, PairsOfBodiesThatMayNowCrossAreLeftOut) {
  Scene scene = sliding_box();
  scene.contact->none = {{0, 1}};
  Simulation simulation(scene, world());
  const CapturedLog log;
  restore(simulation, read(world()), world());
  EXPECT_EQ(simulation.contact()->active().size(), 0);
  EXPECT_EQ(log.contains("contact.pairs.none"), world().is_root());
}

TEST_F(SavedContact, WithoutAContactSectionPairsAreLeftOutAndThatIsSaid) {
  Scene scene = sliding_box();
  scene.contact.reset();
  Simulation simulation(scene, world());
  const CapturedLog log;
  restore(simulation, read(world()), world());
  EXPECT_EQ(simulation.state().step, saved_step);
  EXPECT_EQ(log.contains("and the scene no contact"), world().is_root());
}

TEST_F(SavedContact, OfAnotherSurfaceIsRefusedOnAllRanks) {
  CheckpointData data = read(world());
  if (!data.pairs->keys.empty()) data.pairs->keys[3] = data.vertex_count;
  Simulation simulation(sliding_box(), world());
  try {
    restore(simulation, data, world());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::checkpoint_mismatch);
  }
}

/// After a step that did not end the checkpoint holds the pairs at its start, not those of its last iteration.
TEST_F(SavedContact, AFailedStepLeavesThePairsOfItsStart) {
  const Communicator ring = group(2);
  if (!works_in(2)) return;
  Scene scene = sliding_box();
  scene.solver.maximum_iterations = 3;  // fewer than the least that a step takes
  Simulation simulation(scene, ring);
  restore(simulation, read(ring), ring);
  EXPECT_THROW(unbarred::Run(RunFolder::create(folder_.path() / "failed", true, ring), simulation, ring,
                             {.last_step = saved_step + 2, .resumed_step = {}})
                   .go(),
               Error);
  EXPECT_FALSE(all_pairs(simulation, ring) == pairs_);
  Simulation again(sliding_box(), ring);
  restore(again, read_newest_checkpoint(folder_.path() / "failed" / "checkpoints", ring), ring);
  EXPECT_EQ(again.state().step, saved_step);
  EXPECT_TRUE(all_pairs(again, ring) == pairs_);
}

}  // namespace
}  // namespace unbarred::test
