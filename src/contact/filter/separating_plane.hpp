#pragma once
// Divide and truncate: fractions of the moves of a pair's vertices that keep both sides on their sides of a plane.
#include "contact/ccd.hpp"

namespace unbarred {

/// Fraction of its move that each vertex of a pair may take, in [+0, 1].
struct VertexFractions {
  Real fraction[4];
};

namespace detail {

/// Part of the room between the sides that A gets: by approach, but never so little that the small approach of one side
/// (tangential motion along a tilted or rounded normal) is truncated for the sake of the other.
UNBARRED_FUNCTION Real share_of_a(Real approach_a, Real approach_b) {
  constexpr Real least = 0.05;
  if (!(approach_b > 0)) return 1;
  if (!(approach_a > 0)) return 0;
  return min(max(approach_a / (approach_a + approach_b), least), 1 - least);
}

}  // namespace detail

/// Truncation by the plane perpendicular to the pair's normal that divides the gap by the approaches of both sides.
/// Each vertex may then go any part of its fraction on its straight path, whatever the others do: the sides do not
/// cross, and the gap along the normal stays above minimum_gap, or 0.9 of what it was where that is less (gaps taken
/// smaller by the roundings of search_impact). Vertices that move away from the other side or along the plane keep
/// fraction 1. All fractions are 0 where no plane separates the sides beyond rounding.
/// Heights are sums of nonnegative parts, so nothing cancels.
/// @param move the wanted displacement of each vertex from x.
UNBARRED_FUNCTION VertexFractions separating_plane_fractions(PairKind kind, const Vec3 (&x)[4], const Vec3 (&move)[4],
                                                             Real minimum_gap) {
  constexpr Real relaxation = 0.9, kept_of_small_gap = 0.9;
  const Vec3 normal = pair_distance(kind, x).normal;
  const detail::RelativeMotion relative = detail::relative_motion(kind, x, move);
  const detail::Heights heights = detail::heights_along(relative, normal);
  if (!(heights.arithmetic_height > 0)) return {{0, 0, 0, 0}};

  const int side_a = side_a_size(kind);
  Real height[4], approach[4];  // height over the other side, above the nearest vertex of its own side
  Real nearest_a = 1e300, nearest_b = 1e300, approach_a = 0, approach_b = 0;
  for (int k = 0; k < 4; ++k) {
    const Real sign = k < side_a ? 1 : -1;
    height[k] = sign * dot(normal, x[k] - x[0]);
    // What rounding hides of an approach counts as approach.
    Real hidden = 0;
    for (int i = 0; i < 3; ++i) hidden += 8 * detail::unit_roundoff * abs(normal[i] * move[k][i]);
    approach[k] = hidden - sign * dot(normal, move[k]);
    if (k < side_a) {
      nearest_a = min(nearest_a, height[k]);
      approach_a = max(approach_a, approach[k]);
    } else {
      nearest_b = min(nearest_b, height[k]);
      approach_b = max(approach_b, approach[k]);
    }
  }
  const Real gap = max(Real(0), detail::lowest_height(heights, 0));
  const Real room = gap > minimum_gap ? gap - minimum_gap : (1 - kept_of_small_gap) * gap;
  const Real share = detail::share_of_a(approach_a, approach_b);
  VertexFractions result;
  for (int k = 0; k < 4; ++k) {
    const Real to_plane =
        k < side_a ? (height[k] - nearest_a) + room * share : (height[k] - nearest_b) + room * (1 - share);
    result.fraction[k] = approach[k] > 0 ? min(Real(1), max(Real(0), relaxation * to_plane / approach[k])) : Real(1);
  }
  return result;
}

}  // namespace unbarred
