#include "linear/block_matrix.hpp"

#include <algorithm>

namespace unbarred {

void vertex_tetrahedra(Index rows, const std::vector<std::array<Index, 4>>& tetrahedra, std::vector<Index>& offsets,
                       std::vector<Index>& around) {
  offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto& t : tetrahedra)
    for (Index v : t)
      if (v < rows) ++offsets[static_cast<std::size_t>(v) + 1];
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) offsets[i + 1] += offsets[i];
  around.resize(static_cast<std::size_t>(offsets.back()));
  std::vector<Index> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t e = 0; e < tetrahedra.size(); ++e)
    for (Index v : tetrahedra[e])
      if (v < rows) around[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<Index>(e);
}

BlockPattern vertex_graph_pattern(Index rows, Index vertices, const std::vector<std::array<Index, 4>>& tetrahedra) {
  std::vector<Index> offsets, around;
  vertex_tetrahedra(rows, tetrahedra, offsets, around);
  BlockPattern pattern;
  pattern.offsets.reserve(static_cast<std::size_t>(rows) + 1);
  pattern.offsets.push_back(0);
  pattern.diagonal.reserve(static_cast<std::size_t>(rows));
  std::vector<Index> seen(static_cast<std::size_t>(vertices), -1), row;
  for (Index i = 0; i < rows; ++i) {
    row.assign(1, i);
    seen[static_cast<std::size_t>(i)] = i;
    for (Index k = offsets[static_cast<std::size_t>(i)]; k < offsets[static_cast<std::size_t>(i) + 1]; ++k)
      for (Index v : tetrahedra[static_cast<std::size_t>(around[static_cast<std::size_t>(k)])])
        if (seen[static_cast<std::size_t>(v)] != i) {
          seen[static_cast<std::size_t>(v)] = i;
          row.push_back(v);
        }
    std::sort(row.begin(), row.end());
    const auto here = std::lower_bound(row.begin(), row.end(), i) - row.begin();
    pattern.diagonal.push_back(pattern.offsets.back() + static_cast<Index>(here));
    pattern.columns.insert(pattern.columns.end(), row.begin(), row.end());
    pattern.offsets.push_back(static_cast<Index>(pattern.columns.size()));
  }
  return pattern;
}

BlockMatrix::BlockMatrix(const BlockPattern& pattern)
    : offsets(pattern.offsets),
      columns(pattern.columns),
      diagonal(pattern.diagonal),
      values_(DeviceArray<Block>::zeros(static_cast<std::int64_t>(pattern.columns.size()) + 1)) {}

}  // namespace unbarred
