#pragma once
// Where a vertex is after a part of its motion: everybody who moves or checks vertices calls this one function.
#include "core/pack.hpp"
#include "core/vec3.hpp"

namespace unbarred {

/// start + fraction (target - start); rounding does not lead out of the box between the two, in which candidates were
/// sought. start itself at 0, target itself at 1.
UNBARRED_FUNCTION Vec3 position_at(const Vec3& start, const Vec3& target, Real fraction) {
  if (fraction >= 1) return target;
  Vec3 x = start + fraction * (target - start);
  for (int i = 0; i < 3; ++i) x[i] = max(min(start[i], target[i]), min(max(start[i], target[i]), x[i]));
  return x;
}

}  // namespace unbarred
