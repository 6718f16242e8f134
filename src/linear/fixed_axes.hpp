#pragma once
// Which degrees of freedom are prescribed: bit k of mask[v] is set when coordinate k of vertex v is.
#include <cstdint>

#include "core/vec3.hpp"

namespace unbarred {

using AxisMask = std::uint8_t;

/// a with its prescribed coordinates set to zero.
UNBARRED_FUNCTION Vec3 free_part(const Vec3& a, AxisMask mask) {
  return {{mask & 1 ? 0 : a[0], mask & 2 ? 0 : a[1], mask & 4 ? 0 : a[2]}};
}

/// A diagonal block of the system restricted to the free coordinates: rows and columns of prescribed ones are
/// those of the unit matrix.
UNBARRED_FUNCTION Mat3 free_block(Mat3 a, AxisMask mask) {
  for (int k = 0; k < 3; ++k)
    if (mask >> k & 1)
      for (int j = 0; j < 3; ++j) a(k, j) = a(j, k) = k == j ? 1 : 0;
  return a;
}

}  // namespace unbarred
