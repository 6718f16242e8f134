#include "partitioning/partitioner.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/box_mesh.hpp"
#include "support/world.hpp"

namespace unbarred::test {

/// Every rank's whole answer: only for the small boxes of these tests.
static std::vector<Real> all_owners(const std::vector<int>& owners, const BlockMesh& mesh, const Communicator& ring) {
  std::vector<Real> all(static_cast<std::size_t>(mesh.vertices.size), 0);
  for (std::size_t i = 0; i < owners.size(); ++i) all[mesh.vertices.begin(ring.rank()) + i] = owners[i];
  ring.sum(std::span<Real>(all));
  return all;
}

static Real imbalance(const std::vector<Real>& owners, int ranks) {
  std::vector<Real> counts(ranks, 0);
  for (Real owner : owners) counts.at(static_cast<std::size_t>(owner)) += 1;
  return *std::max_element(counts.begin(), counts.end()) * ranks / static_cast<Real>(owners.size());
}

/// Tetrahedra whose vertices have more than one owner: what is computed more than once.
static int cut_tetrahedra(const Box& box, const std::vector<Real>& owners) {
  int cut = 0;
  for (GlobalIndex t = 0; t < box.tetrahedron_count(); ++t) {
    const GlobalTetrahedron tetrahedron = box.tetrahedron(t);
    for (int i = 1; i < 4; ++i)
      if (owners[tetrahedron.v[i]] != owners[tetrahedron.v[0]]) {
        ++cut;
        break;
      }
  }
  return cut;
}

TEST(Partitioner, BothBalanceAndRepeat) {
  const Box box{10};
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const BlockMesh mesh = box.mesh(ring);
    const auto graph = make_graph_partitioner(), geometric = make_geometric_partitioner();
    const auto by_graph = all_owners(graph->owners(ring, mesh), mesh, ring);
    const auto by_position = all_owners(geometric->owners(ring, mesh), mesh, ring);
    EXPECT_STREQ(graph->name(), "graph (PT-Scotch)");
    EXPECT_LE(imbalance(by_graph, ranks), 1.1);
    EXPECT_LE(imbalance(by_position, ranks), 1.1);
    EXPECT_LE(cut_tetrahedra(box, by_graph), 1.2 * cut_tetrahedra(box, by_position));
    for (int repeat = 0; repeat < 3; ++repeat) {
      EXPECT_EQ(all_owners(graph->owners(ring, mesh), mesh, ring), by_graph);
      EXPECT_EQ(all_owners(geometric->owners(ring, mesh), mesh, ring), by_position);
    }
  }
}

TEST(Partitioner, GeometricCutsEqualPositionsEvenly) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    BlockMesh mesh;
    mesh.vertices = {103, ranks};
    const GlobalIndex count = mesh.vertices.end(ring.rank()) - mesh.vertices.begin(ring.rank());
    mesh.positions.assign(static_cast<std::size_t>(count), Vec3{{1, -0.0, -2}});
    const auto owners = all_owners(make_geometric_partitioner()->owners(ring, mesh), mesh, ring);
    for (int rank = 0; rank < ranks; ++rank) {
      const auto owned = std::count(owners.begin(), owners.end(), static_cast<Real>(rank));
      EXPECT_GE(owned, 103 / ranks);
      EXPECT_LE(owned, 103 / ranks + 1);
    }
    EXPECT_TRUE(std::is_sorted(owners.begin(), owners.end())) << "ties are cut by global id";
  }
}

TEST(Partitioner, GeometricCutsTheLongAxisFirst) {
  const Communicator ring = group(2);
  if (ring.size() != 2) return;
  BlockMesh mesh;
  mesh.vertices = {40, 2};
  for (GlobalIndex v = mesh.vertices.begin(ring.rank()); v < mesh.vertices.end(ring.rank()); ++v)
    mesh.positions.push_back({{0.1 * static_cast<Real>(v % 4), -1.0 * static_cast<Real>(v), 0}});
  const auto owners = all_owners(make_geometric_partitioner()->owners(ring, mesh), mesh, ring);
  for (std::size_t v = 0; v < owners.size(); ++v) EXPECT_EQ(owners[v], v < 20 ? 1 : 0);
}

TEST(Partitioner, BothBearMoreRanksThanVertices) {
  for (GlobalIndex count : {0, 1, 3}) {
    BlockMesh mesh;
    mesh.vertices = {count, world().size()};
    mesh.tetrahedra = {0, world().size()};
    const int rank = world().rank();
    for (GlobalIndex v = mesh.vertices.begin(rank); v < mesh.vertices.end(rank); ++v)
      mesh.positions.push_back({{static_cast<Real>(v), 0, 0}});
    mesh.vertex_body.assign(mesh.positions.size(), 0);
    for (const auto& partitioner : {make_graph_partitioner(), make_geometric_partitioner()}) {
      const std::vector<int> answer = partitioner->owners(world(), mesh);
      const auto owners = all_owners(answer, mesh, world());
      const int used = static_cast<int>(std::set<Real>(owners.begin(), owners.end()).size());
      EXPECT_EQ(used, std::min<GlobalIndex>(count, world().size())) << partitioner->name();
      BlockMesh copy = mesh;
      const LocalMesh local = distribute(std::move(copy), answer, world());
      EXPECT_EQ(world().sum(static_cast<std::int64_t>(local.map.owned())), count);
    }
  }
}

TEST(Partitioner, SaysWhichMethodItUsed) {
  const Box box{2};
  const BlockMesh mesh = box.mesh(world());
  const auto graph = make_graph_partitioner();
  const auto owners = graph->owners(world(), mesh);
  EXPECT_EQ(owners.size(), mesh.positions.size());
  EXPECT_STREQ(graph->name(), world().size() > 1 ? "recursive coordinate bisection" : "graph (PT-Scotch)");
}

}  // namespace unbarred::test
