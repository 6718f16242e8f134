#include "contact/search/bvh.hpp"
#include "contact/search/bvh_traversal.hpp"
#include "contact/search/hilbert.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

namespace unbarred {

UNBARRED_FUNCTION Vec3 center(const Box& box) {
  Vec3 c;
  for (int axis = 0; axis < 3; ++axis)
    c[axis] = 0.5 * (static_cast<Real>(box.lower[axis]) + static_cast<Real>(box.upper[axis]));
  return c;
}

struct CenterBounds {
  View<const Box> boxes;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[6]) const {
    const Vec3 c = center(boxes[i]);
    for (int axis = 0; axis < 3; ++axis) {
      terms[axis] = c[axis];
      terms[3 + axis] = -c[axis];
    }
  }
};

struct EncodeCenters {
  MortonGrid grid;
  View<const Box> boxes;
  View<std::uint64_t> codes;
  View<Index> order;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Vec3 offset = center(boxes[i]) - grid.lower;
    codes[i] =
        hilbert_code(static_cast<std::uint32_t>(grid.cell(offset[0])), static_cast<std::uint32_t>(grid.cell(offset[1])),
                     static_cast<std::uint32_t>(grid.cell(offset[2])));
    order[i] = static_cast<Index>(i);
  }
};

UNBARRED_FUNCTION void store_lane(BoxBlock& block, int lane, const Box& box) {
  for (int axis = 0; axis < 3; ++axis) {
    block.lower[axis][lane] = box.lower[axis];
    block.upper[axis][lane] = box.upper[axis];
  }
}

UNBARRED_FUNCTION Box nothing() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  return {{nan, nan, nan}, {nan, nan, nan}};
}

/// Where the box that bounds block `number` of a level goes. The last block also fills the lanes that have no child.
struct ParentLevel {
  View<BoxBlock> blocks;
  std::int64_t begin, children;
  UNBARRED_FUNCTION void store(std::int64_t number, const Box& box) const {
    BoxBlock& parent = blocks[begin + number / BoxBlock::lanes];
    int lane = static_cast<int>(number % BoxBlock::lanes);
    store_lane(parent, lane, box);
    if (number + 1 == children)
      while (++lane < BoxBlock::lanes) store_lane(parent, lane, nothing());
  }
};

struct RefitLeaves {
  View<const Box> boxes;
  View<const Index> primitives;
  View<BoxBlock> blocks;
  ParentLevel parent;
  UNBARRED_FUNCTION void operator()(std::int64_t b) const {
    BoxBlock block;
    Box bound = boxes[primitives[b * BoxBlock::lanes]];
    for (int lane = 0; lane < BoxBlock::lanes; ++lane) {
      const std::int64_t leaf = b * BoxBlock::lanes + lane;
      const bool used = leaf < primitives.size();
      const Box box = used ? boxes[primitives[leaf]] : nothing();
      if (used) bound = united(bound, box);
      store_lane(block, lane, box);
    }
    blocks[b] = block;
    parent.store(b, bound);
  }
};

struct RefitLevel {
  View<const BoxBlock> blocks;
  std::int64_t begin;
  ParentLevel parent;
  UNBARRED_FUNCTION void operator()(std::int64_t b) const { parent.store(b, bound(blocks[begin + b])); }
};

void Bvh::build(View<const Box> boxes) {
  const std::int64_t n = boxes.size();
  codes_.resize_with_room(n);
  order_.resize_with_room(n);
  lay_out_levels(n);
  if (n == 0) return;
  const auto low = least<6>("bounds of box centers", n, CenterBounds{.boxes = boxes});
  const MortonGrid grid = MortonGrid::over({{low[0], low[1], low[2]}}, {{-low[3], -low[4], -low[5]}});
  for_each_index("encode box centers", n,
                 EncodeCenters{.grid = grid, .boxes = boxes, .codes = codes_.view(), .order = order_.view()});
  sort_by_key("sort box centers", codes_.view(), order_.view());
  refit(boxes);
}

void Bvh::refit(View<const Box> boxes) {
  if (boxes.size() != size())
    throw Error(ExitCode::internal,
                "refit of " + std::to_string(size()) + " boxes with " + std::to_string(boxes.size()) + ": build first");
  for (int level = 0; level + 1 < levels_; ++level) {
    const std::int64_t begin = level_begin_[level], count = level_begin_[level + 1] - begin;
    const ParentLevel parent{.blocks = blocks_.view(), .begin = level_begin_[level + 1], .children = count};
    if (level == 0)
      for_each_index(
          "refit leaves", count,
          RefitLeaves{.boxes = boxes, .primitives = order_.view(), .blocks = blocks_.view(), .parent = parent});
    else for_each_index("refit level", count, RefitLevel{.blocks = blocks_.view(), .begin = begin, .parent = parent});
  }
}

}  // namespace unbarred
