#pragma once
// How element blocks reach the matrix, without atomics and in a fixed order.
//
// Rows are cut into tiles. For one tile, every tetrahedron that touches one of its rows computes its forces and
// its six off-diagonal 3x3 blocks into a window (a slot a tetrahedron); then every row of the tile gathers what
// belongs to it, in slot order. Diagonal blocks need no window: rows of an element's Hessian sum to zero, so the
// elastic diagonal block is minus the sum of the off-diagonal blocks of its row (M1, M35).
// Tetrahedra on the border of a tile are computed in each tile that they touch: the row-complete overlap of the
// ranks, in the small. The window is the only element-sized memory, and stays in cache on a CPU.
#include <vector>

#include "core/device_array.hpp"
#include "dynamics/elastic/elastic_mesh.hpp"
#include "linear/block_matrix.hpp"

namespace unbarred {

struct AssemblyTile {
  Index row_begin, row_end;
  std::int64_t first_slot;        ///< of this tile, in slot_tetrahedra
  std::vector<MaterialRun> runs;  ///< slots of the tile, counted from first_slot; multiples of lanes<KernelReal>
  Index slots() const { return runs.empty() ? 0 : runs.back().end; }
};

struct AssemblyPlan {
  AssemblyPlan(const LocalMesh& mesh, const std::vector<MaterialRun>& runs, const BlockPattern& pattern);

  std::vector<AssemblyTile> tiles;
  Index largest_tile = 0;              ///< slots
  DeviceArray<Index> slot_tetrahedra;  ///< tetrahedron of every slot; the last of a run is repeated as padding
  /// Off-diagonal entry e of the matrix is the sum over k in [block_offsets[e], block_offsets[e+1]) of the blocks
  /// that block_sources[k] = slot * 16 + edge * 2 + transposed names; edge as in tetrahedron_edge().
  DeviceArray<Index> block_offsets, block_sources;
  /// Likewise the force on row i: force_sources[k] = slot * 4 + node.
  DeviceArray<Index> force_offsets, force_sources;
};

/// Node pairs (a < b) whose Hessian blocks are computed; edge = 0..5, end = 0 (a) or 1 (b).
UNBARRED_FUNCTION constexpr int tetrahedron_edge(int edge, int end) {
  constexpr int nodes[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return nodes[edge][end];
}

}  // namespace unbarred
