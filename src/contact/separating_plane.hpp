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

/// The separation along a unit normal at the start.
struct Separation {
  Vec3 normal;
  bool separates;  ///< beyond rounding
  Real gap;        ///< what is surely left of it after rounding, not below 0
};

UNBARRED_FUNCTION Separation separation_along(const Vec3& normal, const RelativeMotion& relative) {
  const Heights heights = heights_along(relative, normal);
  return {normal, heights.arithmetic_height > 0, max(Real(0), lowest_height(heights, 0))};
}

UNBARRED_FUNCTION VertexFractions truncate(PairKind kind, const Vec3 (&x)[4], const Vec3 (&move)[4], Real minimum_gap,
                                           const Separation& separation) {
  constexpr Real relaxation = 0.9, kept_of_small_gap = 0.9;
  if (!separation.separates) return {{0, 0, 0, 0}};
  const Vec3 normal = separation.normal;
  const int side_a = side_a_size(kind);
  Real height[4], approach[4];  // height over the other side, above the nearest vertex of its own side
  Real nearest_a = 1e300, nearest_b = 1e300, approach_a = 0, approach_b = 0;
  for (int k = 0; k < 4; ++k) {
    const Real sign = k < side_a ? 1 : -1;
    height[k] = sign * dot(normal, x[k] - x[0]);
    // What rounding hides of an approach counts as approach.
    Real hidden = 0;
    for (int i = 0; i < 3; ++i) hidden += 8 * unit_roundoff * abs(normal[i] * move[k][i]);
    approach[k] = hidden - sign * dot(normal, move[k]);
    if (k < side_a) {
      nearest_a = min(nearest_a, height[k]);
      approach_a = max(approach_a, approach[k]);
    } else {
      nearest_b = min(nearest_b, height[k]);
      approach_b = max(approach_b, approach[k]);
    }
  }
  const Real gap = separation.gap;
  const Real room = gap > minimum_gap ? gap - minimum_gap : (1 - kept_of_small_gap) * gap;
  const Real share = share_of_a(approach_a, approach_b);
  VertexFractions result;
  for (int k = 0; k < 4; ++k) {
    const Real to_plane =
        k < side_a ? (height[k] - nearest_a) + room * share : (height[k] - nearest_b) + room * (1 - share);
    result.fraction[k] = approach[k] > 0 ? min(Real(1), max(Real(0), relaxation * to_plane / approach[k])) : Real(1);
  }
  return result;
}

UNBARRED_FUNCTION Real least_of(const VertexFractions& fractions) {
  return min(min(fractions.fraction[0], fractions.fraction[1]), min(fractions.fraction[2], fractions.fraction[3]));
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
  const detail::RelativeMotion relative = detail::relative_motion(kind, x, move);
  const Vec3 normal = pair_distance(kind, x).normal;
  return detail::truncate(kind, x, move, minimum_gap, detail::separation_along(normal, relative));
}

/// As separating_plane_fractions, by the better of two planes: the one above, and the one along the normal with which
/// the pair would collide, where that separates the sides at the start by more than minimum_gap already. (A vertex that
/// slides far over a surface starts beside the triangle that it will meet: the first plane stops it as a wall, the
/// second lets it come down on the triangle.)
UNBARRED_FUNCTION VertexFractions dividing_fractions(PairKind kind, const Vec3 (&x)[4], const Vec3 (&move)[4],
                                                     Real minimum_gap, Real slack, Real largest_slack = 1e300) {
  const VertexFractions apart = separating_plane_fractions(kind, x, move, minimum_gap);
  const detail::RelativeMotion relative = detail::relative_motion(kind, x, move);
  const Vec3 normal = search_impact(kind, x, move, minimum_gap, slack, largest_slack).normal;
  const detail::Separation separation = detail::separation_along(normal, relative);
  if (!(separation.gap > minimum_gap)) return apart;
  const VertexFractions ahead = detail::truncate(kind, x, move, minimum_gap, separation);
  return detail::least_of(ahead) > detail::least_of(apart) ? ahead : apart;
}

}  // namespace unbarred
