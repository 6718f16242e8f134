#pragma once
// The square [-1, 1]^2 mapped onto the unit disk, for round cross-sections.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/types.hpp"

namespace unbarred {

/// Squares |u|_max = m become closed curves; at the rim the grid lines have equal angles, towards the center they
/// blend into a plain grid of `core` times the size. The smallest dihedral angle of prisms over the cells is flat
/// around core = 0.8.
inline std::array<Real, 2> on_unit_disk(Real u, Real v) {
  constexpr Real core = 0.8;
  const Real m = std::max(std::abs(u), std::abs(v));
  if (m == 0) return {0, 0};
  const Real y = std::tan(M_PI / 4 * (u / m)), z = std::tan(M_PI / 4 * (v / m));
  const Real on_circle = m * (m / std::sqrt(y * y + z * z)), inside = core * (1 - m);
  return {inside * u + on_circle * y, inside * v + on_circle * z};
}

}  // namespace unbarred
