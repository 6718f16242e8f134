#pragma once
// Who owns which vertex.
#include <memory>
#include <vector>

#include "partitioning/block_mesh.hpp"
#include "partitioning/communicator.hpp"
#include "partitioning/local_mesh.hpp"

namespace unbarred {

class Partitioner {
 public:
  virtual ~Partitioner() = default;
  /// Owner of every vertex of this rank's block. Balanced by vertices. The same input on the same number of
  /// ranks gives the same answer. @note Collective
  virtual std::vector<int> owners(const Communicator& communicator, const BlockMesh& mesh) const = 0;
  virtual const char* name() const = 0;
};

/// Parallel graph partitioning of the vertex graph (PT-Scotch).
std::unique_ptr<Partitioner> make_graph_partitioner();
/// Recursive coordinate bisection of the positions: for surfaces without a volume graph, and as a fallback.
std::unique_ptr<Partitioner> make_geometric_partitioner();

/// Moves every vertex to its owner and every tetrahedron and triangle to all owners of its vertices. Consumes the block mesh.
/// Owned vertices are ordered interior first, then shared, each along a Morton curve of the rest positions.
/// Any rank may own nothing. @note Collective
LocalMesh distribute(BlockMesh&& mesh, const std::vector<int>& owners, const Communicator& communicator);

/// Rows of a distributed table (one a global id, in blocks of rows over the ranks in any order) brought to the
/// ranks that hold the ids: the checkpoint reader's way to any rank count.
/// ids[i] is the global id of row i, rows has `width` Reals a row; returns width Reals for each of `wanted`.
/// Throws Error(checkpoint_mismatch) on all ranks when a wanted id has no row. @note Collective
std::vector<Real> fetch_rows(const Communicator& communicator, GlobalIndex global_size,
                             const std::vector<GlobalIndex>& ids, const std::vector<Real>& rows, int width,
                             const std::vector<GlobalIndex>& wanted);

}  // namespace unbarred
