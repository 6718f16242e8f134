#pragma once
// The different numbers among many, and the place of each: for the vertices that a rank's tetrahedra use.
#include <vector>

#include "core/types.hpp"

namespace unbarred {

class IdSet {
 public:
  /// Uses a table over the numbers' range where that is no larger than a few times their count, else sorting.
  explicit IdSet(std::vector<GlobalIndex> ids);
  /// Ascending.
  const std::vector<GlobalIndex>& ids() const { return ids_; }
  /// Index in ids() of a number that is there.
  std::size_t find(GlobalIndex id) const;

 private:
  std::vector<GlobalIndex> ids_;
  GlobalIndex first_ = 0;
  std::vector<Index> table_;  // empty when sorted
};

}  // namespace unbarred
