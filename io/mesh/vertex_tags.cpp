#include "io/mesh/vertex_tags.hpp"

#include <algorithm>
#include <numeric>

namespace unbarred {

void VertexTags::add(GlobalIndex tag) {
  if (size_ == 0) first_ = tag;
  if (counting_ && tag != first_ + size_) {
    counting_ = false;
    tags_.resize(static_cast<std::size_t>(size_));
    std::iota(tags_.begin(), tags_.end(), first_);
  }
  if (!counting_) {
    ascending_ = ascending_ && (tags_.empty() || tags_.back() < tag);
    tags_.push_back(tag);
  }
  ++size_;
}

bool VertexTags::finish(GlobalIndex& duplicate) {
  if (counting_ || ascending_) return true;
  numbers_.resize(tags_.size());
  std::iota(numbers_.begin(), numbers_.end(), GlobalIndex{0});
  std::sort(numbers_.begin(), numbers_.end(), [&](GlobalIndex a, GlobalIndex b) {
    return tags_[static_cast<std::size_t>(a)] < tags_[static_cast<std::size_t>(b)];
  });
  std::sort(tags_.begin(), tags_.end());
  const auto twice = std::adjacent_find(tags_.begin(), tags_.end());
  if (twice == tags_.end()) return true;
  duplicate = *twice;
  return false;
}

GlobalIndex VertexTags::find(GlobalIndex tag) const {
  if (counting_) return tag >= first_ && tag - first_ < size_ ? tag - first_ : -1;
  const auto found = std::lower_bound(tags_.begin(), tags_.end(), tag);
  if (found == tags_.end() || *found != tag) return -1;
  const auto i = found - tags_.begin();
  return ascending_ ? i : numbers_[static_cast<std::size_t>(i)];
}

std::vector<GlobalIndex> VertexTags::all() const {
  std::vector<GlobalIndex> tags(static_cast<std::size_t>(size_));
  if (counting_) std::iota(tags.begin(), tags.end(), first_);
  else if (ascending_) tags = tags_;
  else
    for (std::size_t i = 0; i < tags.size(); ++i) tags[static_cast<std::size_t>(numbers_[i])] = tags_[i];
  return tags;
}

}  // namespace unbarred
