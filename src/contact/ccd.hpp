#pragma once
// Continuous collision detection by additive advancement: how far a pair may move and keep a gap.
#include "contact/distance.hpp"

namespace unbarred {

/// What the search for the time of impact found.
struct ImpactSearch {
  Real time;        ///< in [0, 1]: safe up to here; impact_never: safe for the whole motion
  Real kept_gap;    ///< the distance stays above this for all times up to `time`
  Real end_gap;     ///< where time is impact_never: the distance at t = 1 is above this
  int evaluations;  ///< of the distance
};

inline constexpr Real impact_never = 2;

namespace detail {

inline constexpr Real unit_roundoff = 1.1102230246251565e-16;

/// Motion of the vertices of side A relative to those of side B. A vertex and a triangle have three such vertex pairs:
/// the last is there twice, so that loops have a fixed length and stay in registers.
struct RelativeMotion {
  Vec3 start[4], move[4];
  /// Bounds, a component, of the errors of a height and of its rate along a unit normal: those of the arithmetic here,
  /// and those of a caller who rounds start + t move to representable positions.
  Vec3 start_error, move_error, placement_error;
};

/// Largest |a| of four numbers and largest difference between them.
struct Extent {
  Real size, spread;
};

UNBARRED_FUNCTION Extent extent_of(const Vec3 (&x)[4], int i) {
  Real low = x[0][i], high = x[0][i];
  for (int k = 1; k < 4; ++k) {
    low = min(low, x[k][i]);
    high = max(high, x[k][i]);
  }
  return {max(abs(low), abs(high)), high - low};
}

UNBARRED_FUNCTION RelativeMotion relative_motion(PairKind kind, const Vec3 (&start)[4], const Vec3 (&move)[4]) {
  RelativeMotion relative;
  const bool vertex = kind == PairKind::vertex_triangle;
  for (int j = 0; j < 4; ++j) {
    const int corner = j < 3 ? j + 1 : 3, a = j / 2, b = 2 + j % 2;
    relative.start[j] = vertex ? start[0] - start[corner] : start[a] - start[b];
    relative.move[j] = vertex ? move[0] - move[corner] : move[a] - move[b];
  }
  for (int i = 0; i < 3; ++i) {
    // A difference, a product, two sums: 4 roundings; with t and the last sum 6. Placement: t move and the sum, of two
    // vertices. What is above that covers the length of the normal, the target and terms of second order.
    const Extent x = extent_of(start, i), dx = extent_of(move, i);
    relative.start_error[i] = 12 * unit_roundoff * x.spread;
    relative.placement_error[i] = 2.25 * unit_roundoff * x.size;
    relative.move_error[i] = 12 * unit_roundoff * dx.spread + 4.5 * unit_roundoff * dx.size;
  }
  return relative;
}

/// Lower bounds of the heights of A's vertices over B's along a unit vector: height[j] + t rate[j] at time t.
struct Heights {
  Real height[4], rate[4];
  Real arithmetic_height;  ///< lowest at t = 0, placement errors left out
};

UNBARRED_FUNCTION Heights heights_along(const RelativeMotion& relative, const Vec3& normal) {
  const Vec3 size{{abs(normal[0]), abs(normal[1]), abs(normal[2])}};
  const Real start_error = dot(size, relative.start_error), move_error = dot(size, relative.move_error);
  const Real placement_error = dot(size, relative.placement_error);
  Heights heights;
  heights.arithmetic_height = 1e300;
  for (int j = 0; j < 4; ++j) {
    const Real height = dot(normal, relative.start[j]) - start_error;
    heights.arithmetic_height = min(heights.arithmetic_height, height);
    heights.height[j] = height - placement_error;
    heights.rate[j] = dot(normal, relative.move[j]) - move_error;
  }
  return heights;
}

UNBARRED_FUNCTION Real lowest_height(const Heights& heights, Real t) {
  Real lowest = 1e300;
  for (int j = 0; j < 4; ++j) lowest = min(lowest, heights.height[j] + t * heights.rate[j]);
  return lowest;
}

/// Last time in [0, 1] at which all heights are above `target`, rounded down; impact_never if they stay above.
UNBARRED_FUNCTION Real time_above(const Heights& heights, Real target) {
  Real until = impact_never;
  for (int j = 0; j < 4; ++j) {
    if (heights.height[j] + heights.rate[j] >= target) continue;
    until = min(until, (heights.height[j] - target) / -heights.rate[j] * (1 - 4 * unit_roundoff));
  }
  return until > 1 ? impact_never : until;
}

UNBARRED_FUNCTION bool never_sinks(const Heights& heights) {
  for (int j = 0; j < 4; ++j)
    if (heights.rate[j] < 0) return false;
  return true;
}

/// How far the sides stay apart along an axis, on the whole way, at least; below 0 where no axis does. No closest
/// points are needed to see it.
UNBARRED_FUNCTION Real clearance_along_axes(const RelativeMotion& relative) {
  Real clearance = -1e300;
  for (int i = 0; i < 3; ++i) {
    Real low = 1e300, high = -1e300;
    for (int j = 0; j < 4; ++j) {
      const Real from = relative.start[j][i], to = from + relative.move[j][i];
      low = min(low, min(from, to));
      high = max(high, max(from, to));
    }
    const Real error = relative.start_error[i] + relative.placement_error[i] + relative.move_error[i];
    clearance = max(clearance, max(low, -high) - error);
  }
  return clearance;
}

/// Whether that is more than search_impact asks for at most, and than `reach`. So it is for most pairs whose boxes
/// overlap only because both move far, together.
UNBARRED_FUNCTION bool stay_apart(const RelativeMotion& relative, Real minimum_gap, Real slack, Real largest_slack,
                                  Real reach) {
  const Vec3& d = relative.start[0];
  const Real gap_at_most = abs(d[0]) + abs(d[1]) + abs(d[2]);
  const Real enough = max(minimum_gap + min(slack * gap_at_most, largest_slack), reach);
  return clearance_along_axes(relative) > enough;
}

}  // namespace detail

inline constexpr int impact_most_evaluations = 256;

namespace detail {

UNBARRED_FUNCTION ImpactSearch search_impact(PairKind kind, const Vec3 (&start)[4], const Vec3 (&move)[4],
                                             const RelativeMotion& relative, Real minimum_gap, Real slack,
                                             Real largest_slack) {
  ImpactSearch search{0, 0, 0, 0};
  Real enough = 0, target = 0;
  while (search.evaluations < impact_most_evaluations) {
    Vec3 x[4];  // relative to vertex 0
    for (int k = 0; k < 4; ++k) x[k] = (start[k] - start[0]) + search.time * (move[k] - move[0]);
    const Vec3 normal = pair_distance(kind, x).normal;
    const Heights heights = heights_along(relative, normal);
    const Real gap = lowest_height(heights, search.time);
    if (++search.evaluations == 1) {
      search.kept_gap = max(Real(0), gap > minimum_gap ? minimum_gap : 0.9 * gap);
      const Real margin = min(slack * (gap - search.kept_gap), largest_slack);
      enough = search.kept_gap + margin;
      target = search.kept_gap + 0.5 * margin;
      if (heights.arithmetic_height > 0 && never_sinks(heights)) search.time = impact_never;
      search.end_gap = lowest_height(heights, 1);
    }
    if (search.time > 1 || !(gap > target) || gap < enough) break;
    const Real until = time_above(heights, target);
    if (!(until > search.time)) break;
    search.time = until;
    search.end_gap = lowest_height(heights, 1);
    if (until > 1) break;
  }
  return search;
}

}  // namespace detail

/// Searches the first time at which a pair moving on straight paths, start + t move, comes too close.
///
/// Method: at time t the two sides are separated along the unit normal of their closest points. Heights along a fixed
/// direction are linear in time, so they certify the way up to the time at which the lowest one falls to a target;
/// there the normal is taken anew. (Additive CCD, Li, Kaufman and Jiang 2021, with the speed of approach along the
/// normal in place of the bound by the largest speeds: each advance is at least as long.) The first certificate is the
/// cheap cull that ends most searches.
///
/// With g the gap at the start, kept = minimum_gap if g is above it, else 0.9 g:
/// - The search ends as clear, impact_never, when a certificate reaches t = 1; hence always when the gap stays above
///   kept + slack (g - kept), unless it runs out of evaluations.
/// - It ends with a time when the gap there is below kept + slack (g - kept); up to that time it is above
///   kept + slack/2 (g - kept).
/// - After impact_most_evaluations distances the safe time reached so far is returned.
/// - Never late, whatever the rounding: gap > kept_gap holds for the exact paths and also for the positions
///   start + t move rounded to representable numbers. For the latter g is taken smaller by about 2 roundings of the
///   coordinates along the normal; where nothing is left of it (gaps that the coordinates do not resolve), the result
///   is 0 unless the sides move apart. Also 0 when the sides touch at the start.
/// - Where slack (g - kept) is more than largest_slack (m), read largest_slack for it: without that limit a vertex that
///   slides at a small gap over triangles far away at the start counts as a hit when it comes within a tenth of there.
/// - Finite input gives finite output, so long as differences of coordinates do not overflow.
/// @param slack in (0, 1), dimensionless; 0.1 is usual.
UNBARRED_FUNCTION ImpactSearch search_impact(PairKind kind, const Vec3 (&start)[4], const Vec3 (&move)[4],
                                             Real minimum_gap, Real slack, Real largest_slack = 1e300) {
  return detail::search_impact(kind, start, move, detail::relative_motion(kind, start, move), minimum_gap, slack,
                               largest_slack);
}

/// As search_impact, without a search for pairs that plainly stay apart, by `reach` (m) too: their time is impact_never
/// and their end_gap `reach`, no more.
UNBARRED_FUNCTION ImpactSearch find_impact(PairKind kind, const Vec3 (&start)[4], const Vec3 (&move)[4],
                                           Real minimum_gap, Real slack, Real largest_slack, Real reach) {
  const detail::RelativeMotion relative = detail::relative_motion(kind, start, move);
  if (detail::stay_apart(relative, minimum_gap, slack, largest_slack, reach))
    return {.time = impact_never, .kept_gap = 0, .end_gap = reach, .evaluations = 0};
  return detail::search_impact(kind, start, move, relative, minimum_gap, slack, largest_slack);
}

UNBARRED_FUNCTION Real time_of_impact(PairKind kind, const Vec3 (&start)[4], const Vec3 (&move)[4], Real minimum_gap,
                                      Real slack, Real largest_slack = 1e300) {
  return find_impact(kind, start, move, minimum_gap, slack, largest_slack, 0).time;
}

}  // namespace unbarred
