#include "partitioning/index_map.hpp"

#include <numeric>
#include <stdexcept>
#include <utility>

namespace unbarred {

IndexMap::IndexMap(GlobalIndex global_size, std::vector<GlobalIndex> owned, Index interior,
                   std::vector<GlobalIndex> ghosts, std::vector<int> ghost_owners)
    : global_size_(global_size),
      owned_(static_cast<Index>(owned.size())),
      interior_(interior),
      global_(std::move(owned)),
      ghost_owners_(std::move(ghost_owners)) {
  if (interior < 0 || interior > owned_) throw std::logic_error("IndexMap: more interior vertices than owned ones");
  if (ghosts.size() != ghost_owners_.size()) throw std::logic_error("IndexMap: every ghost needs one owner");
  for (std::size_t g = 1; g < ghosts.size(); ++g)
    if (std::pair(ghost_owners_[g - 1], ghosts[g - 1]) >= std::pair(ghost_owners_[g], ghosts[g]))
      throw std::logic_error("IndexMap: ghosts are not sorted by (owner, global id)");
  global_.insert(global_.end(), ghosts.begin(), ghosts.end());
  by_global_.resize(global_.size());
  std::iota(by_global_.begin(), by_global_.end(), Index{0});
  std::sort(by_global_.begin(), by_global_.end(), [this](Index a, Index b) { return to_global(a) < to_global(b); });
}

Index IndexMap::to_local(GlobalIndex global) const {
  const auto found = std::lower_bound(by_global_.begin(), by_global_.end(), global,
                                      [this](Index local, GlobalIndex id) { return to_global(local) < id; });
  return found != by_global_.end() && to_global(*found) == global ? *found : -1;
}

}  // namespace unbarred
