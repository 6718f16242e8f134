#include "io/mesh/id_set.hpp"

#include <algorithm>

namespace unbarred {

IdSet::IdSet(std::vector<GlobalIndex> ids) {
  if (ids.empty()) return;
  const auto [least, largest] = std::minmax_element(ids.begin(), ids.end());
  const auto range = static_cast<std::size_t>(*largest - *least) + 1;
  if (range > 2 * ids.size()) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    ids_ = std::move(ids);
    return;
  }
  first_ = *least;
  table_.assign(range, -1);
  for (const GlobalIndex id : ids) table_[static_cast<std::size_t>(id - first_)] = 0;
  for (std::size_t i = 0; i < range; ++i)
    if (table_[i] == 0) {
      table_[i] = static_cast<Index>(ids_.size());
      ids_.push_back(first_ + static_cast<GlobalIndex>(i));
    }
}

std::size_t IdSet::find(GlobalIndex id) const {
  if (!table_.empty()) return static_cast<std::size_t>(table_[static_cast<std::size_t>(id - first_)]);
  return static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
}

}  // namespace unbarred
