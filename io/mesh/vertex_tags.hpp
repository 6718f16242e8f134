#pragma once
// From the vertex tags of a mesh file, which may be sparse and in any order, to numbers 0, 1, 2, ... in file order.
#include <vector>

#include "core/types.hpp"

namespace unbarred {

/// Memory: nothing for tags that count up by one, 8 bytes a vertex for ascending ones, 16 for others.
class VertexTags {
 public:
  void add(GlobalIndex tag);
  GlobalIndex size() const { return size_; }
  /// After the last add(): ready for find(). Returns true, or false with the tag that occurs twice.
  bool finish(GlobalIndex& duplicate);
  /// Number of the tag, -1 when there is none. O(1) for tags that count up by one, else O(log size).
  GlobalIndex find(GlobalIndex tag) const;
  /// All tags in the order of their numbers.
  std::vector<GlobalIndex> all() const;

 private:
  GlobalIndex size_ = 0, first_ = 0;
  bool counting_ = true, ascending_ = true;
  std::vector<GlobalIndex> tags_;     // unless counting; sorted by finish()
  std::vector<GlobalIndex> numbers_;  // unless ascending: numbers in the order of tags_
};

}  // namespace unbarred
