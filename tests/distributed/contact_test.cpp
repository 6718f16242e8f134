// Contact on 1, 2, 3 and 4 ranks: the same pairs and the same motion, whoever owns what; pairs with many owners.
#include <gtest/gtest.h>

#include <set>

#include "app/run.hpp"
#include "app/start_audit.hpp"
#include "partitioning/range_exchange.hpp"
#include "support/collision_scene.hpp"
#include "support/gather.hpp"
#include "support/random_contact.hpp"
#include "support/small_pile.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_surfaces.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

struct Result {
  std::vector<Vec3> x, v;
  std::vector<PairKey> keys;      ///< ascending
  std::vector<Real> multipliers;  ///< of them
  std::vector<int> iterations;
  int steps_in_contact = 0, between_boxes = 0;
  std::vector<GlobalIndex> over_ranks = {0, 0, 0, 0, 0};  ///< pairs of the last step by their number of owners
};

void gather_pairs(const Communicator& communicator, const ActiveSet& active, Result& result) {
  std::vector<SavedPair> all = active.saved();
  all = gather_range(communicator, all, 0, communicator.sum(static_cast<GlobalIndex>(all.size())));
  std::ranges::sort(all, [](const SavedPair& a, const SavedPair& b) { return a.key < b.key; });
  for (const SavedPair& pair : all) {
    result.keys.push_back(pair.key);
    result.multipliers.push_back(pair.state.multiplier);
    const auto& owner = pair.holders.owner;
    const auto& body = pair.holders.body;
    result.between_boxes += body[0] != body[1] && body[0] < 3 && body[1] < 3 ? 1 : 0;
    ++result.over_ranks[std::set<int>(owner, owner + 4).size()];
  }
}

/// Until `after` steps after the first one with contact; copies and intersections are looked at after every step.
Result run(const Scene& scene, const Communicator& communicator, LocalMesh mesh, int after = 5) {
  Simulation simulation({scene, std::move(mesh)}, communicator);
  const SceneAudit audit(scene, simulation.mesh(), communicator);
  Result result;
  for (int i = 0; i < 40 + after && result.steps_in_contact < 1 + after; ++i) {
    const StepRecord record = simulation.advance();
    result.steps_in_contact += record.pairs > 0 ? 1 : 0;
    result.iterations.push_back(record.outer_iterations);
    for (const LinearSolveRecord& solve : record.solves) result.iterations.push_back(solve.iterations);
    EXPECT_NO_THROW(simulation.contact()->active().require_equal_copies());
    EXPECT_TRUE(audit.of(simulation.state().x.to_host()).clean()) << "step " << record.step;
  }
  result.x = gather(communicator, simulation.map(), simulation.state().x);
  result.v = gather(communicator, simulation.map(), simulation.state().v);
  gather_pairs(communicator, simulation.contact()->active(), result);
  return result;
}

void expect_same(const Result& found, const Result& reference, const char* what, const Communicator& communicator,
                 int after = 5) {
  EXPECT_EQ(found.steps_in_contact, 1 + after);
  EXPECT_GT(reference.keys.size(), 20u);
  EXPECT_GT(reference.between_boxes, 5);
  ASSERT_EQ(found.keys.size(), reference.keys.size()) << what;
  Real force = 0, largest = 0;
  for (std::size_t i = 0; i < found.keys.size(); ++i) {
    EXPECT_TRUE(found.keys[i] == reference.keys[i]) << what << ", pair " << i;
    force = std::max(force, std::abs(found.multipliers[i] - reference.multipliers[i]));
    largest = std::max(largest, reference.multipliers[i]);
  }
  const Real x = relative_difference(found.x, reference.x), v = relative_difference(found.v, reference.v);
  if (communicator.is_root())
    std::printf("%s on %d ranks: %zu pairs; x %.1e, v %.1e, multipliers %.1e\n", what, communicator.size(),
                found.keys.size(), x, v, force / largest);
  EXPECT_LT(x, 1e-9) << what;
  EXPECT_LT(v, 1e-9) << what;
  EXPECT_LT(force, 1e-8 * largest) << what;
}

TEST(ContactRanks, AgreeOnAPileForTwentySteps) {
  constexpr int after = 20;
  const Scene scene = small_pile();
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone, local_mesh(scene, alone, 1), after);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    for (const unsigned seed : {5u, 6u}) {
      const Result found = run(scene, part, local_mesh(scene, part, seed), after);
      expect_same(found, reference, "random owners", part, after);
      for (int owners = 2; owners <= ranks; ++owners)
        EXPECT_GT(found.over_ranks[static_cast<std::size_t>(owners)], 0) << "pairs over " << owners << " ranks";
    }
  }
}

TEST(ContactRanks, AgreeOnAPileWithTheGlobalFilter) {
  Scene scene = small_pile();
  scene.solver.step_filter = StepFilterKind::global;
  scene.contact->friction = 0;
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone, local_mesh(scene, alone, 1));
  expect_same(run(scene, world(), local_mesh(scene, world(), 7)), reference, "global filter", world());
}

TEST(ContactRanks, OneMayOwnNothing) {
  const Scene scene = small_pile();
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone, local_mesh(scene, alone, 1));
  for (const int idle : {0, 2}) {
    LocalMesh mesh = local_mesh(scene, world(), 8, idle);
    if (world().rank() == idle) {
      EXPECT_EQ(mesh.map.owned(), 0);
    }
    expect_same(run(scene, world(), std::move(mesh)), reference, "an idle rank", world());
  }
}

TEST(ContactRanks, MayBeMoreThanElements) {
  Scene scene = small_pile();
  scene.bodies[0].mesh.generator = "box";
  scene.bodies[0].mesh.parameters["cells"] = {1, 1, 1};
  scene.bodies[0].repeat.count = {1, 1, 1};
  const auto coarse = [&](const Communicator& communicator) {
    BlockMesh block = block_mesh(scene, {square(1)}, communicator);
    const std::vector<int> owners = make_graph_partitioner()->owners(communicator, block);
    return distribute(std::move(block), owners, communicator);
  };
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone, coarse(alone)), found = run(scene, world(), coarse(world()));
  EXPECT_GT(reference.keys.size(), 0u);
  EXPECT_TRUE(found.keys == reference.keys);
  EXPECT_LT(relative_difference(found.x, reference.x), 1e-9);
}

TEST(ContactRanks, RepeatToTheLastBit) {
  Scene scene = small_pile();
  scene.solver.linear = {};  // the iteration counts matter, too
  const Result first = run(scene, world(), local_mesh(scene, world(), 9));
  const Result second = run(scene, world(), local_mesh(scene, world(), 9));
  EXPECT_EQ(first.iterations, second.iterations);
  EXPECT_TRUE(first.keys == second.keys);
  EXPECT_EQ(first.multipliers, second.multipliers);
  for (std::size_t v = 0; v < first.x.size(); ++v)
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(first.x[v][k], second.x[v][k]);
      ASSERT_EQ(first.v[v][k], second.v[v][k]);
    }
}

std::vector<Vec3> summed(std::vector<Vec3> values, const Communicator& communicator) {
  std::vector<Real> flat;
  for (const Vec3& x : values)
    for (int k = 0; k < 3; ++k) flat.push_back(x[k]);
  communicator.sum(std::span<Real>(flat));
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = {{flat[3 * v], flat[3 * v + 1], flat[3 * v + 2]}};
  return values;
}

// Each vertex sums its pairs in the order of their keys, so not a bit depends on the owners.
TEST(ContactPairs, HaveTheSameTermsWhoeverOwnsTheirVertices) {
  const RandomContact contact(4, false, 0.4);
  const Communicator alone = world().split(world().rank());
  ContactPart reference(contact, std::vector<int>(RandomContact::vertices, 0), alone);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const int idle = ranks == 4 ? 3 : -1;
    ContactPart part(contact, random_owner_of_each(RandomContact::vertices, ranks, 11, idle), ring);
    EXPECT_NO_THROW(part.set.require_equal_copies());
    const std::vector<Vec3> forces = summed(part.forces(), ring), expected = reference.forces();
    const auto product = part.product(contact.start);
    const std::vector<Vec3> image = summed(product.y, ring), expected_image = reference.product(contact.start).y;
    for (std::size_t v = 0; v < RandomContact::vertices; ++v)
      for (int k = 0; k < 3; ++k) {
        ASSERT_EQ(forces[v][k], expected[v][k]) << v;
        ASSERT_EQ(image[v][k], expected_image[v][k]) << v;
      }
    const Real dot = reference.product(contact.start).dot, energy = reference.energy(contact.iterate);
    EXPECT_NEAR(ring.sum(product.dot), dot, 1e-12 * std::abs(dot));
    EXPECT_NEAR(ring.sum(part.energy(contact.iterate)), energy, 1e-12 * energy);
  }
}

TEST(ContactPairs, CopiesThatDifferAreAnInternalError) {
  const RandomContact contact(4, false, 0);
  ContactPart part(contact, random_owner_of_each(RandomContact::vertices, world().size(), 12), world());
  ASSERT_NO_THROW(part.set.require_equal_copies());
  if (world().rank() == 1) {
    std::vector<ActivePair> pairs = part.set.to_host();
    ASSERT_FALSE(pairs.empty());
    pairs[0].multiplier = std::nextafter(pairs[0].multiplier, 1e9);
    memory::copy_to_device(part.set.pairs().data(), pairs.data(), pairs.size() * sizeof(ActivePair));
  }
  try {
    part.set.require_equal_copies();
    FAIL() << "not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal);
  }
}

// Nothing that the solver does intersects: the boxes are put into each other behind its back, and rest there.
TEST(ContactAudit, AnIntersectionEndsTheRunWithAnInternalError) {
  Scene scene = small_pile();
  scene.gravity = {{0, 0, 0}};
  scene.bodies[0].velocity = {{0, 0, 0}};
  scene.resolved_yaml = "none";
  Simulation simulation({scene, local_mesh(scene, world(), 3)}, world());
  deform(simulation, [](const Vec3& x) { return x[2] > 0.28 && x[2] < 0.53 ? x - Vec3{{0, 0, 0.12}} : x; });
  const TemporaryFolder folder(world());
  unbarred::Run run(RunFolder::create(folder.path() / "run", true, world()), simulation, world(),
                    {.last_step = 2, .resumed_step = {}});
  try {
    run.go();
    FAIL() << "no audit";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal) << error.what();
    EXPECT_NE(std::string(error.what()).find("the audit of step 1 failed"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace unbarred::test
