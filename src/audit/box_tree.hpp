#pragma once
// Which boxes of a set meet: a binary tree over them, halved at the median. It belongs to the audit alone, which must
// not trust the collision detection that it watches.
#include <array>
#include <cstddef>
#include <vector>

#include "core/vec3.hpp"

namespace unbarred {

/// Closed: boxes that share a face, an edge or a corner meet.
struct AuditBox {
  Vec3 lower, upper;
  bool meets(const AuditBox& other) const {
    for (int i = 0; i < 3; ++i)
      if (other.upper[i] < lower[i] || upper[i] < other.lower[i]) return false;
    return true;
  }
  void include(const AuditBox& other);
  static AuditBox around(const std::array<Vec3, 3>& corners);
};

class BoxTree {
 public:
  struct Item {
    AuditBox box;  ///< finite
    Index id;
  };
  /// O(n log n).
  explicit BoxTree(std::vector<Item> items);

  /// At most `most` (> 0) boxes that hold all items together; none without items.
  std::vector<AuditBox> cover(std::size_t most) const;

  /// visit(i, j) for every unordered pair of items whose boxes meet, once, in any order.
  template <class Visit>
  void for_each_meeting(const Visit& visit) const {
    if (!items_.empty()) within(0, visit);
  }
  /// visit(i, j) for every item i of this tree and j of the other one whose boxes meet.
  template <class Visit>
  void for_each_meeting(const BoxTree& other, const Visit& visit) const {
    if (!items_.empty() && !other.items_.empty()) between(0, other, 0, visit);
  }

 private:
  /// The items [begin, end). The left child is the next node; right is 0 for a leaf.
  struct Node {
    AuditBox box;
    std::size_t begin, end, right;
  };
  static constexpr std::size_t leaf_size = 4;

  std::size_t build(std::size_t begin, std::size_t end);

  template <class Visit>
  void within(std::size_t n, const Visit& visit) const {
    const Node& node = nodes_[n];
    if (node.right == 0) {
      for (std::size_t i = node.begin; i < node.end; ++i)
        for (std::size_t j = i + 1; j < node.end; ++j)
          if (items_[i].box.meets(items_[j].box)) visit(items_[i].id, items_[j].id);
      return;
    }
    within(n + 1, visit);
    within(node.right, visit);
    between(n + 1, *this, node.right, visit);
  }

  template <class Visit>
  void between(std::size_t n, const BoxTree& other, std::size_t m, const Visit& visit) const {
    const Node &a = nodes_[n], &b = other.nodes_[m];
    if (!a.box.meets(b.box)) return;
    if (a.right == 0 && b.right == 0) {
      for (std::size_t i = a.begin; i < a.end; ++i)
        for (std::size_t j = b.begin; j < b.end; ++j)
          if (items_[i].box.meets(other.items_[j].box)) visit(items_[i].id, other.items_[j].id);
    } else if (b.right == 0 || (a.right != 0 && a.end - a.begin >= b.end - b.begin)) {
      between(n + 1, other, m, visit);
      between(a.right, other, m, visit);
    } else {
      between(n, other, m + 1, visit);
      between(n, other, b.right, visit);
    }
  }

  std::vector<Item> items_;
  std::vector<Node> nodes_;
};

}  // namespace unbarred
