#pragma once
// How kernels walk a tree.
#include "contact/search/bvh.hpp"

namespace unbarred {

/// Bit k: the box of lane k overlaps `box`. Branchless, so that compilers test the eight lanes at once.
UNBARRED_FUNCTION unsigned overlapping_lanes(const BoxBlock& block, const Box& box) {
  unsigned lanes = 0;
  for (int k = 0; k < BoxBlock::lanes; ++k) {
    const bool hit = (block.lower[0][k] <= box.upper[0]) & (block.lower[1][k] <= box.upper[1]) &
                     (block.lower[2][k] <= box.upper[2]) & (box.lower[0] <= block.upper[0][k]) &
                     (box.lower[1] <= block.upper[1][k]) & (box.lower[2] <= block.upper[2][k]);
    lanes |= static_cast<unsigned>(hit) << k;
  }
  return lanes;
}

UNBARRED_FUNCTION Box lane_box(const BoxBlock& block, int lane) {
  return {{block.lower[0][lane], block.lower[1][lane], block.lower[2][lane]},
          {block.upper[0][lane], block.upper[1][lane], block.upper[2][lane]}};
}

/// The box of all lanes that are used; lane 0 must be.
UNBARRED_FUNCTION Box bound(const BoxBlock& block) {
  Box box = lane_box(block, 0);
  for (int lane = 1; lane < BoxBlock::lanes; ++lane) box = united(box, lane_box(block, lane));
  return box;
}

/// The box around a whole leaf block, from the level above.
UNBARRED_FUNCTION Box leaf_block_box(const BvhView& tree, Index block) {
  return lane_box(tree.blocks[tree.level_begin[1] + block / BoxBlock::lanes], block % BoxBlock::lanes);
}

/// Number of the lowest bit that is set.
UNBARRED_FUNCTION int lowest_bit(unsigned bits) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

/// Goes over the leaf blocks whose bounding box overlaps `box`, in ascending order, from leaf block `first` on. The
/// stack holds one entry a level, so it cannot overflow. The tree must not be empty.
class LeafBlockCursor {
 public:
  UNBARRED_FUNCTION LeafBlockCursor(const BvhView& tree, const Box& box, Index first)
      : tree_(tree), box_(box), first_(first), level_(tree.levels - 1) {
    enter(0);
  }
  /// The next leaf block; -1 after the last one.
  UNBARRED_FUNCTION Index next() {
    while (level_ < tree_.levels) {
      unsigned& lanes = lanes_[level_];
      if (lanes == 0) {
        ++level_;
        continue;
      }
      const Index child = block_[level_] * BoxBlock::lanes + lowest_bit(lanes);
      lanes &= lanes - 1;
      if (level_ == 1) return child;
      --level_;
      enter(child);
    }
    return -1;
  }

 private:
  UNBARRED_FUNCTION void enter(Index block) {
    block_[level_] = block;
    lanes_[level_] = overlapping_lanes(tree_.blocks[tree_.level_begin[level_] + block], box_);
    // A lane of level L spans 8^(L-1) leaf blocks.
    const Index skipped = (first_ >> 3 * (level_ - 1)) - block * BoxBlock::lanes;
    if (skipped > 0) lanes_[level_] &= ~0u << skipped;
  }

  const BvhView& tree_;
  Box box_;
  Index first_;
  int level_;
  Index block_[BvhView::most_levels];
  unsigned lanes_[BvhView::most_levels];
};

}  // namespace unbarred
