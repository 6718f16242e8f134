#pragma once
// The rows of owned vertices of a sparse matrix of 3x3 blocks, with a pattern fixed for the whole run.
#include <array>
#include <vector>

#include "core/device_array.hpp"
#include "linear/block_product.hpp"

namespace unbarred {

/// Block-CSR pattern on the host. Columns are local vertex numbers, ascending in a row; the diagonal is present.
struct BlockPattern {
  std::vector<Index> offsets;   ///< rows + 1
  std::vector<Index> columns;   ///< one a block
  std::vector<Index> diagonal;  ///< rows: position of the diagonal block
  Index rows() const { return static_cast<Index>(diagonal.size()); }
};

/// Tetrahedra around each of the first `rows` vertices, ascending: those of vertex i are
/// around[offsets[i]] ... around[offsets[i + 1] - 1].
void vertex_tetrahedra(Index rows, const std::vector<std::array<Index, 4>>& tetrahedra, std::vector<Index>& offsets,
                       std::vector<Index>& around);

/// Row i couples to every vertex that shares a tetrahedron with i, for the owned rows 0 <= i < rows.
BlockPattern vertex_graph_pattern(Index rows, Index vertices, const std::vector<std::array<Index, 4>>& tetrahedra);

/// Symmetric over all ranks: block (i, j) on the owner of i is the transpose of (j, i) on the owner of j.
struct BlockMatrix {
  explicit BlockMatrix(const BlockPattern& pattern);

  Index rows() const { return static_cast<Index>(diagonal.size()); }
  std::int64_t blocks() const { return columns.size(); }

  DeviceArray<Index> offsets, columns, diagonal;  ///< as in BlockPattern

  /// One a block. The array has a spare one at its end, which add_product() may touch.
  View<Block> values() { return values_.view(); }
  View<const Block> values() const { return values_.view(); }
  std::vector<Block> values_to_host() const { return values_.to_host(); }

 private:
  DeviceArray<Block> values_;
};

}  // namespace unbarred
