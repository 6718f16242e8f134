#include "audit/box_tree.hpp"

#include <algorithm>

namespace unbarred {

void AuditBox::include(const AuditBox& other) {
  for (int i = 0; i < 3; ++i) {
    lower[i] = std::min(lower[i], other.lower[i]);
    upper[i] = std::max(upper[i], other.upper[i]);
  }
}

AuditBox AuditBox::around(const std::array<Vec3, 3>& corners) {
  AuditBox box{corners[0], corners[0]};
  for (const Vec3& corner : corners) box.include({corner, corner});
  return box;
}

BoxTree::BoxTree(std::vector<Item> items) : items_(std::move(items)) {
  if (items_.empty()) return;
  nodes_.reserve(items_.size());
  build(0, items_.size());
}

std::vector<AuditBox> BoxTree::cover(std::size_t most) const {
  std::vector<std::size_t> front;
  if (!nodes_.empty()) front.push_back(0);
  for (bool finer = true; finer && 2 * front.size() <= most;) {
    finer = false;
    std::vector<std::size_t> next;
    for (const std::size_t n : front) {
      const std::size_t right = nodes_[n].right;
      next.push_back(right != 0 ? n + 1 : n);
      if (right != 0) next.push_back(right), finer = true;
    }
    front = std::move(next);
  }
  std::vector<AuditBox> boxes;
  for (const std::size_t n : front) boxes.push_back(nodes_[n].box);
  return boxes;
}

std::size_t BoxTree::build(std::size_t begin, std::size_t end) {
  const std::size_t n = nodes_.size();
  AuditBox box = items_[begin].box;
  for (std::size_t i = begin; i < end; ++i) box.include(items_[i].box);
  nodes_.push_back({box, begin, end, 0});
  if (end - begin <= leaf_size) return n;
  // Halves before sums and differences: the largest coordinates overflow otherwise.
  int axis = 0;
  const auto extent = [&](int i) { return box.upper[i] / 2 - box.lower[i] / 2; };
  for (int i = 1; i < 3; ++i)
    if (extent(i) > extent(axis)) axis = i;
  const auto center = [axis](const Item& item) { return item.box.lower[axis] / 2 + item.box.upper[axis] / 2; };
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::size_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [&](const Item& a, const Item& b) { return center(a) < center(b); });
  build(begin, middle);
  const std::size_t right = build(middle, end);
  nodes_[n].right = right;
  return n;
}

}  // namespace unbarred
