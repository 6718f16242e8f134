// Candidates are the same on any number of ranks, however the vertices are dealt out, with and without trees.
#include "contact/search/broad_phase.hpp"

#include <gtest/gtest.h>

#include "contact/search/exclusion.hpp"
#include "support/random_scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

using Search = BroadPhaseOptions::Search;

CollisionScene mixed_scene(unsigned seed) {
  RandomScenes random(seed);
  CollisionScene scene = random.bodies(4);
  scene.add(random.triangles(40, 0.1));
  random.move(scene);
  for (std::size_t v = 0; v < scene.prescribed.size(); ++v) scene.prescribed[v] = scene.body[v] % 3 == 0;
  return scene;
}

std::vector<PairRow> candidates(CollisionPart& part, BroadPhase& broad_phase, Real margin) {
  const View<const ContactPair> pairs = broad_phase.find(part.collision_mesh(), margin).view();
  return part.rows(pairs, {});
}

/// Of the whole scene, by comparing everything with everything on one rank.
std::vector<PairRow> oracle(const CollisionScene& scene, BroadPhaseOptions options, Real margin,
                            const Communicator& self) {
  options.search = Search::brute_force;
  CollisionPart part(scene, std::vector<int>(scene.start.size(), 0), self);
  return candidates(part, *make_broad_phase(options), margin);
}

void expect_each_once(const std::vector<PairRow>& rows) {
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end()) << "a pair was found twice";
}

void expect_same_for_all_owners(const CollisionScene& scene, const BroadPhaseOptions& options, Real margin) {
  const Communicator self = world().split(world().rank());
  const std::vector<PairRow> expected = oracle(scene, options, margin, self);
  expect_each_once(expected);
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    for (int idle = -1; idle < (ranks > 1 ? ranks : 0); ++idle)
      for (const Search search : {Search::tree, Search::brute_force}) {
        SCOPED_TRACE("ranks " + std::to_string(ranks) + ", idle " + std::to_string(idle));
        BroadPhaseOptions same = options;
        same.search = search;
        CollisionPart part(scene, random_owner_of_each(scene.start.size(), ranks, 5, idle), ring);
        EXPECT_EQ(candidates(part, *make_broad_phase(same), margin), expected);
      }
  }
}

TEST(BroadPhase, FindsTheSamePairsForAnyPartition) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const CollisionScene scene = mixed_scene(seed);
    expect_same_for_all_owners(scene, {}, 1e-3);
    expect_same_for_all_owners(scene, {.excluded_bodies = {body_pair_key(0, 0), body_pair_key(0, 2)}}, 0);
    expect_same_for_all_owners(scene, {}, 1e-2);
  }
}

TEST(BroadPhase, FindsTheSamePairsForCompactPartitions) {
  // Bodies on ranks of their own, and a rank with one vertex.
  const CollisionScene scene = mixed_scene(77);
  const Communicator self = world().split(world().rank());
  const std::vector<PairRow> expected = oracle(scene, {}, 1e-3, self);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    std::vector<int> owners;
    for (const std::int32_t body : scene.body) owners.push_back(body % (ranks - 1));
    owners[3] = ranks - 1;
    CollisionPart part(scene, owners, ring);
    EXPECT_EQ(candidates(part, *make_broad_phase({}), 1e-3), expected);
  }
}

TEST(BroadPhase, FindsPairsWhosePrimitivesCrossThreeRanks) {
  // A triangle on ranks 0, 1, 2 over a triangle on ranks 3, 2, 1: few pairs, all of them on mixed ownership.
  CollisionScene scene = still({{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}}, {{{0, 1, 2}}});
  scene.add(still({{{0, 0, 0.5}}, {{1, 0, 0.5}}, {{0, 1, 0.5}}}, {{{0, 1, 2}}}));
  for (std::size_t v = 0; v < 3; ++v) scene.target[v][2] = 1;
  const Communicator self = world().split(world().rank());
  const std::vector<PairRow> expected = oracle(scene, {}, 1e-3, self);
  EXPECT_EQ(expected.size(), 15u);  // 3 vertices against a triangle, twice, and 9 pairs of edges
  if (world().size() < 4) return;
  for (const std::vector<int>& owners :
       {std::vector<int>{0, 1, 2, 3, 2, 1}, std::vector<int>{2, 1, 0, 1, 2, 3}, std::vector<int>{3, 3, 3, 0, 1, 2}}) {
    CollisionPart part(scene, owners, world());
    EXPECT_EQ(candidates(part, *make_broad_phase({}), 1e-3), expected);
  }
}

TEST(BroadPhase, RefittedTreesFindWhatNewOnesFind) {
  CollisionScene scene = mixed_scene(3);
  const Communicator self = world().split(world().rank());
  CollisionPart part(scene, random_owner_of_each(scene.start.size(), world().size(), 9), world());
  const auto broad_phase = make_broad_phase({});
  RandomScenes random(4);
  for (int motion = 0; motion < 8; ++motion) {
    if (motion == 5) broad_phase->begin_step();
    random.move(scene);
    part.set_motion(scene);
    const Real margin = motion % 2 == 0 ? 0 : 1e-2;
    EXPECT_EQ(candidates(part, *broad_phase, margin), oracle(scene, {}, margin, self)) << "motion " << motion;
    scene.start = scene.target;
  }
}

TEST(BroadPhase, BearsSurfacesWithoutAnything) {
  CollisionScene scene = still({{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}}, {{{0, 1, 2}}});
  CollisionPart part(scene, {0, 0, 0}, world());
  EXPECT_TRUE(candidates(part, *make_broad_phase({}), 1).empty());
  EXPECT_EQ(part.collision_mesh().traffic().bytes, 0);
}

TEST(BroadPhase, SendsEveryVertexOnceAPeer) {
  if (world().size() < 2) return;
  // Two sheets on two ranks, one above the other: what the sender packs is bounded by what it has.
  CollisionScene scene = sheet_body(20);
  scene.add(sheet_body(20).mapped([](const Vec3& x) { return x + Vec3{{0.013, 0.017, 0.01}}; }));
  const Communicator ring = group(2);
  if (!works_in(2)) return;
  std::vector<int> owners;
  for (const std::int32_t body : scene.body) owners.push_back(body);
  CollisionPart part(scene, owners, ring);
  EXPECT_FALSE(candidates(part, *make_broad_phase({}), 0.01).empty());
  const Traffic& traffic = part.collision_mesh().traffic();
  EXPECT_LE(traffic.messages, 1);
  const std::int64_t most = 441 * (80 + 4) + 1240 * 8 + 800 * 12 + 64;
  EXPECT_LE(traffic.bytes, most);
  EXPECT_EQ(ring.sum(traffic.messages), 1);
}

}  // namespace
}  // namespace unbarred::test
