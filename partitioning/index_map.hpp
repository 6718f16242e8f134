#pragma once
// Which vertices a rank holds.
//
//   local number   0 .. interior | interior .. owned  | owned .. local
//                  owned, nobody | owned, a ghost on  | ghosts: owned elsewhere,
//                  else has them | some other rank    | sorted by (owner, global id)
//
// Every vertex has exactly one owner. `forward` is owner -> ghost, `reverse_add` its adjoint.
#include <algorithm>
#include <vector>

#include "core/types.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

class IndexMap {
 public:
  /// owned: global ids, interior first. ghosts: global ids and owners, sorted by (owner, id).
  IndexMap(GlobalIndex global_size, std::vector<GlobalIndex> owned, Index interior, std::vector<GlobalIndex> ghosts,
           std::vector<int> ghost_owners);

  GlobalIndex global_size() const { return global_size_; }
  Index interior() const { return interior_; }
  Index owned() const { return owned_; }
  Index ghosts() const { return static_cast<Index>(global_.size()) - owned_; }
  Index local() const { return static_cast<Index>(global_.size()); }

  GlobalIndex to_global(Index local) const { return global_[static_cast<std::size_t>(local)]; }
  /// Local number of a global id, -1 when this rank does not hold it. O(log local).
  Index to_local(GlobalIndex global) const;
  /// Global ids of all local vertices, owned first.
  const std::vector<GlobalIndex>& global_ids() const { return global_; }
  /// Owner of each ghost, in ghost order.
  const std::vector<int>& ghost_owners() const { return ghost_owners_; }

 private:
  GlobalIndex global_size_;
  Index owned_, interior_;
  std::vector<GlobalIndex> global_;
  std::vector<int> ghost_owners_;
  std::vector<Index> by_global_;  // local numbers sorted by global id
};

/// Items 0..n-1 cut into `parts` contiguous blocks whose sizes differ by at most one: the distribution of
/// whatever has no owner yet (global vertices and elements before partitioning, rows of a file).
struct BlockDistribution {
  GlobalIndex size = 0;
  int parts = 1;
  GlobalIndex begin(int part) const { return part * (size / parts) + std::min<GlobalIndex>(part, size % parts); }
  GlobalIndex end(int part) const { return begin(part + 1); }
  int part_of(GlobalIndex item) const {
    const GlobalIndex small = size / parts, larger = size % parts;
    const GlobalIndex head = larger * (small + 1);
    return static_cast<int>(item < head ? item / (small + 1) : larger + (item - head) / small);
  }
};

}  // namespace unbarred
