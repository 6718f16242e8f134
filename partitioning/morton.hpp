#pragma once
// Morton (Z-order) codes: 21 bits an axis, 63 bits in all. Items sorted by them lie close in memory when they
// lie close in space.
#include <cstdint>

#include "core/vec3.hpp"

namespace unbarred {

/// Puts two zero bits between the lowest 21 bits of x.
UNBARRED_FUNCTION std::uint64_t spread_bits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x001f00000000ffffULL;
  x = (x | x << 16) & 0x001f0000ff0000ffULL;
  x = (x | x << 8) & 0x100f00f00f00f00fULL;
  x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
  x = (x | x << 2) & 0x1249249249249249ULL;
  return x;
}

/// Cells of one size on all axes over a box; points outside fall into the nearest cell.
struct MortonGrid {
  static constexpr Real cells = 2097152;  // 2^21
  Vec3 lower{{0, 0, 0}};
  Real cells_per_length = 0;  // 1/m

  static MortonGrid over(const Vec3& lower, const Vec3& upper) {
    Real extent = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const Real length = upper[axis] - lower[axis];
      extent = length > extent ? length : extent;
    }
    return {lower, extent > 0 ? cells / extent : 0};
  }
  UNBARRED_FUNCTION std::uint64_t cell(Real offset) const {
    const Real scaled = offset * cells_per_length;
    return static_cast<std::uint64_t>(scaled > 0 ? (scaled < cells - 1 ? scaled : cells - 1) : 0);
  }
  UNBARRED_FUNCTION std::uint64_t code(const Vec3& point) const {
    const Vec3 offset = point - lower;
    return spread_bits(cell(offset[0])) << 2 | spread_bits(cell(offset[1])) << 1 | spread_bits(cell(offset[2]));
  }
};

}  // namespace unbarred
