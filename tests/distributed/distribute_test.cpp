#include <gtest/gtest.h>

#include <set>

#include "partitioning/morton.hpp"
#include "partitioning/partitioner.hpp"
#include "support/box_mesh.hpp"
#include "support/random_owners.hpp"
#include "support/world.hpp"

namespace unbarred::test {

static void expect_sound(const Box& box, const LocalMesh& mesh, const Communicator& ring) {
  const IndexMap& map = mesh.map;
  // Every vertex and every tetrahedron once.
  std::vector<Real> vertex_owners(static_cast<std::size_t>(box.vertex_count()), 0);
  for (Index v = 0; v < map.owned(); ++v) vertex_owners[map.to_global(v)] += 1;
  ring.sum(std::span<Real>(vertex_owners));
  EXPECT_EQ(vertex_owners, std::vector<Real>(vertex_owners.size(), 1));
  std::vector<Real> counted(static_cast<std::size_t>(box.tetrahedron_count()), 0);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) counted[mesh.tetrahedron_ids[t]] += mesh.counted[t];
  ring.sum(std::span<Real>(counted));
  EXPECT_EQ(counted, std::vector<Real>(counted.size(), 1));
  EXPECT_EQ(mesh.global_tetrahedra, box.tetrahedron_count());

  // Rows are complete: exactly the tetrahedra that touch an owned vertex are here, with every value right.
  std::set<GlobalIndex> here(mesh.tetrahedron_ids.begin(), mesh.tetrahedron_ids.end());
  EXPECT_EQ(here.size(), mesh.tetrahedron_ids.size());
  for (GlobalIndex t = 0; t < box.tetrahedron_count(); ++t) {
    bool touches = false;
    for (GlobalIndex v : box.tetrahedron(t).v) {
      const Index local = map.to_local(v);
      touches |= local >= 0 && local < map.owned();
    }
    EXPECT_EQ(here.count(t) == 1, touches) << "tetrahedron " << t;
  }
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(map.to_global(mesh.tetrahedra[t][i]), box.tetrahedron(mesh.tetrahedron_ids[t]).v[i]);
    EXPECT_EQ(mesh.material[t], box.material(mesh.tetrahedron_ids[t]));
    const GlobalTetrahedron expected = box.tetrahedron(mesh.tetrahedron_ids[t]);
    const Index smallest = map.to_local(*std::min_element(std::begin(expected.v), std::end(expected.v)));
    EXPECT_EQ(mesh.counted[t] == 1, smallest < map.owned());
  }
  ASSERT_EQ(mesh.rest_positions.size(), static_cast<std::size_t>(map.local()));
  for (Index v = 0; v < map.local(); ++v) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(mesh.rest_positions[v][axis], box.position(map.to_global(v))[axis]);
    EXPECT_EQ(mesh.vertex_body[v], box.body(map.to_global(v)));
  }
}

/// Interior vertices are nobody's ghosts, shared ones somebody's; ghosts know their owners; orders hold.
static void expect_ordered(const Box& box, const LocalMesh& mesh, const Communicator& ring) {
  const IndexMap& map = mesh.map;
  std::vector<Real> owner(static_cast<std::size_t>(box.vertex_count()), 0), ghost_copies(owner.size(), 0);
  for (Index v = 0; v < map.owned(); ++v) owner[map.to_global(v)] = ring.rank();
  for (Index v = map.owned(); v < map.local(); ++v) ghost_copies[map.to_global(v)] += 1;
  ring.sum(std::span<Real>(owner));
  ring.sum(std::span<Real>(ghost_copies));
  for (Index v = 0; v < map.owned(); ++v) EXPECT_EQ(ghost_copies[map.to_global(v)] > 0, v >= map.interior());
  std::set<GlobalIndex> needed;
  for (const auto& tetrahedron : mesh.tetrahedra)
    for (Index v : tetrahedron)
      if (v >= map.owned()) needed.insert(map.to_global(v));
  EXPECT_EQ(needed.size(), static_cast<std::size_t>(map.ghosts())) << "no ghost without a tetrahedron";
  for (Index g = 0; g < map.ghosts(); ++g) EXPECT_EQ(map.ghost_owners()[g], owner[map.to_global(map.owned() + g)]);

  const MortonGrid grid = MortonGrid::over({{0, 0, 0}}, {{1, 1, 1}});
  for (Index v = 1; v < map.owned(); ++v) {
    if (v == map.interior()) continue;
    EXPECT_LE(grid.code(mesh.rest_positions[v - 1]), grid.code(mesh.rest_positions[v]));
  }
  EXPECT_TRUE(std::is_sorted(mesh.material.begin(), mesh.material.end()));
}

static void check(const Box& box, const std::vector<int>& owners, BlockMesh&& block, const Communicator& ring) {
  const LocalMesh mesh = distribute(std::move(block), owners, ring);
  expect_sound(box, mesh, ring);
  expect_ordered(box, mesh, ring);
}

TEST(Distribute, IsSoundForRandomOwners) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    for (unsigned seed : {1u, 2u, 3u}) {
      SCOPED_TRACE("ranks " + std::to_string(ranks) + ", seed " + std::to_string(seed));
      const Box box{3};
      BlockMesh block = box.mesh(ring);
      const std::vector<int> owners = random_owners(ring, block, seed);
      check(box, owners, std::move(block), ring);
    }
  }
}

TEST(Distribute, BearsRanksThatOwnNothing) {
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    for (int idle = 0; idle < ranks; ++idle) {
      const Box box{2};
      BlockMesh block = box.mesh(ring);
      const std::vector<int> owners = random_owners(ring, block, 5, idle);
      const LocalMesh mesh = distribute(std::move(block), owners, ring);
      expect_sound(box, mesh, ring);
      if (ring.rank() != idle) continue;
      EXPECT_EQ(mesh.map.local(), 0);
      EXPECT_TRUE(mesh.tetrahedra.empty());
    }
  }
}

TEST(Distribute, BearsMoreRanksThanVertices) {
  // One tetrahedron, and a vertex for three of four ranks at most.
  BlockMesh block;
  const int rank = world().rank(), ranks = world().size();
  block.vertices = {4, ranks};
  block.tetrahedra = {1, ranks};
  for (GlobalIndex v = block.vertices.begin(rank); v < block.vertices.end(rank); ++v) {
    block.positions.push_back({{v == 1 ? 1.0 : 0.0, v == 2 ? 1.0 : 0.0, v == 3 ? 1.0 : 0.0}});
    block.vertex_body.push_back(0);
  }
  if (rank == 0) {
    block.connectivity.push_back({{0, 1, 2, 3}});
    block.material.push_back(0);
  }
  const std::vector<int> owners(block.positions.size(), ranks - 1);
  const LocalMesh mesh = distribute(std::move(block), owners, world());
  EXPECT_EQ(mesh.map.local(), rank == ranks - 1 ? 4 : 0);
  EXPECT_EQ(mesh.tetrahedra.size(), rank == ranks - 1 ? 1u : 0u);
  EXPECT_EQ(mesh.map.interior(), mesh.map.owned());
}

TEST(Distribute, TellsEveryRankOfAVertexThatDoesNotExist) {
  const Box box{2};
  BlockMesh block = box.mesh(world());
  if (world().rank() == world().size() - 1) block.connectivity.back().v[2] = box.vertex_count();
  const std::vector<int> owners(block.positions.size(), 0);
  try {
    distribute(std::move(block), owners, world());
    FAIL() << "nobody threw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
  }
}

}  // namespace unbarred::test
