#include "contact/search/bvh.hpp"

namespace unbarred {

void Bvh::lay_out_levels(std::int64_t leaves) {
  levels_ = 0;
  level_begin_[0] = 0;
  for (std::int64_t boxes = leaves; boxes > 0;) {
    const std::int64_t count = (boxes + BoxBlock::lanes - 1) / BoxBlock::lanes;
    level_begin_[levels_ + 1] = level_begin_[levels_] + static_cast<Index>(count);
    ++levels_;
    boxes = count > 1 || levels_ < 2 ? count : 0;
  }
  blocks_.resize_with_room(level_begin_[levels_]);
}

BvhView Bvh::view() const {
  BvhView view{.blocks = blocks_.view(), .primitives = order_.view(), .levels = levels_};
  for (int level = 0; level <= levels_; ++level) view.level_begin[level] = level_begin_[level];
  return view;
}

}  // namespace unbarred
