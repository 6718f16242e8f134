#pragma once
// The bounding volume hierarchy of one rank: boxes in the order of their centers along a Hilbert curve, eight leaves a
// block, one box around each block, eight of those a block of the next level, and so on up to one block. Children are
// found by arithmetic, so there are no pointers, a refit is one launch a level, and the same tree comes out for any
// number of threads. Eight wide, because a CPU core tests eight boxes with one comparison a bound.
//
// (Packed Hilbert R-tree: Kamel, Faloutsos 1993. Implicit trees for collisions on GPUs: Chitalu, Dubach, Komura 2020,
// "Binary ostensibly-implicit trees for fast collision detection".)
#include "contact/search/box.hpp"
#include "core/device_array.hpp"

namespace unbarred {

/// Boxes of eight siblings, bound by bound. Lanes without a child are not-a-number: they overlap nothing.
struct alignas(64) BoxBlock {
  static constexpr int lanes = 8;
  float lower[3][lanes], upper[3][lanes];
};

/// What kernels see. Level 0 are the leaves; a lane of level L + 1 bounds a whole block of level L.
struct BvhView {
  /// At least 2 levels where there is a box; 8^11 > 2^31, the number of boxes that an Index can count.
  static constexpr int most_levels = 11;
  View<const BoxBlock> blocks;           ///< level after level, the leaves first
  View<const Index> primitives;          ///< number of the primitive at each leaf
  Index level_begin[most_levels + 1]{};  ///< in blocks
  int levels = 0;
};

class Bvh {
 public:
  /// Sorts the boxes of primitives 0, 1, ... anew. Equal codes keep the order of the numbers.
  void build(View<const Box> boxes);
  /// New boxes of the same primitives in the order of the last build. Right for any boxes, fast for moderate motion.
  /// Throws Error(internal) when the number of boxes differs.
  void refit(View<const Box> boxes);

  std::int64_t size() const { return order_.size(); }
  BvhView view() const;

 private:
  void lay_out_levels(std::int64_t leaves);

  DeviceArray<std::uint64_t> codes_;
  DeviceArray<Index> order_;
  DeviceArray<BoxBlock> blocks_;
  Index level_begin_[BvhView::most_levels + 1]{};
  int levels_ = 0;
};

}  // namespace unbarred
