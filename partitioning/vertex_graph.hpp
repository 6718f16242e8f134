#pragma once
// The graph of a mesh: two vertices are neighbours when a tetrahedron or an obstacle's triangle joins them.
#include <vector>

#include "partitioning/block_mesh.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// Rows of this rank's vertex block: neighbours of vertex i are neighbours[offsets[i] .. offsets[i+1]), global ids,
/// ascending, without i itself.
struct VertexGraph {
  std::vector<GlobalIndex> offsets;
  std::vector<GlobalIndex> neighbours;
};

/// Peak memory besides the mesh: about 100 bytes a tetrahedron of the larger of the two blocks that meet.
/// @note Collective
VertexGraph build_vertex_graph(const Communicator& communicator, const BlockMesh& mesh);

}  // namespace unbarred
