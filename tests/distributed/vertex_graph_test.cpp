#include "partitioning/vertex_graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/box_mesh.hpp"
#include "support/world.hpp"

namespace unbarred::test {

TEST(VertexGraph, JoinsExactlyTheVerticesOfEachTetrahedron) {
  const Box box{5};
  std::vector<std::set<GlobalIndex>> expected(static_cast<std::size_t>(box.vertex_count()));
  for (GlobalIndex t = 0; t < box.tetrahedron_count(); ++t)
    for (GlobalIndex a : box.tetrahedron(t).v)
      for (GlobalIndex b : box.tetrahedron(t).v)
        if (a != b) expected[static_cast<std::size_t>(a)].insert(b);

  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const BlockMesh mesh = box.mesh(ring);
    const VertexGraph graph = build_vertex_graph(ring, mesh);
    ASSERT_EQ(graph.offsets.size(), mesh.positions.size() + 1);
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      const std::vector<GlobalIndex> row(graph.neighbours.begin() + graph.offsets[i],
                                         graph.neighbours.begin() + graph.offsets[i + 1]);
      const auto& wanted = expected[static_cast<std::size_t>(mesh.vertices.begin(ring.rank())) + i];
      EXPECT_EQ(row, std::vector<GlobalIndex>(wanted.begin(), wanted.end()));
    }
  }
}

}  // namespace unbarred::test
