#pragma once
// Distance of a vertex to a triangle and of two edges: closest points, unit normal, gradient.
#include "contact/pair.hpp"
#include "core/pack.hpp"

namespace unbarred {

/// Unsigned distance of the two primitives of a pair; its gradient by x[k] is weight[k] * normal.
struct PairDistance {
  Real distance;
  Vec3 normal;     ///< from side B to side A; |normal| = 1, or zero (see pair_distance)
  Real weight[4];  ///< barycentric coordinates of the closest points, positive on side A, negative on side B; sum zero
};

namespace detail {

/// The closest points of one pair of features.
struct ClosestPoints {
  Real square;  ///< of their distance
  Vec3 apart;   ///< from B's point to A's
  Vec3 along;   ///< edge that `apart` is perpendicular to; zero without one
  bool at_end;  ///< of an edge: `apart` is perpendicular to none
  Real weight[4];
};

/// Farther apart than any two points.
UNBARRED_FUNCTION ClosestPoints no_points() { return {1e300, {{0, 0, 0}}, {{0, 0, 0}}, true, {0, 0, 0, 0}}; }

/// Whether points at the distance `square` are closer than the best so far. Next to an end of an edge the distances
/// from the end and from the foot on the edge agree to the last digit long before their directions do; the direction
/// from the foot is right, and with that from the end the rest of the edge may lie on the wrong side. So an end must be
/// closer by more than rounding, a foot only by less.
UNBARRED_FUNCTION bool is_closer(Real square, bool at_end, const ClosestPoints& best) {
  constexpr Real tie = 1e-15;
  const Real handicap = at_end == best.at_end ? 0 : at_end ? -tie : tie;
  return square < best.square + handicap * square;
}

/// `vertex` against the edge (from, to); side = 1 if the vertex is of side A, -1 if of side B.
template <int vertex, int from, int to>
UNBARRED_FUNCTION void consider_vertex_edge(const Vec3 (&x)[4], Real side, ClosestPoints& best) {
  const Vec3 edge = x[to] - x[from], a = x[vertex] - x[from], b = x[vertex] - x[to];
  const Real past_from = dot(a, edge), before_to = -dot(b, edge);
  const bool between = past_from > 0 && before_to > 0;
  const Real to_weight = between ? past_from / (past_from + before_to) : Real(past_from > 0);
  const Real from_weight = between ? before_to / (past_from + before_to) : Real(!(past_from > 0));
  // From the nearer end, so that a small distance near an end keeps its digits; exactly a or b at an end.
  const Vec3 apart = to_weight < from_weight ? a - to_weight * edge : b + from_weight * edge;
  const Real square = squared_norm(apart);
  if (!is_closer(square, !between, best)) return;
  best.square = square;
  best.at_end = !between;
  best.apart = side * apart;
  best.along = (between ? Real(1) : Real(0)) * edge;
  for (int k = 0; k < 4; ++k) best.weight[k] = 0;
  best.weight[vertex] = side;
  best.weight[from] = -side * from_weight;
  best.weight[to] = -side * to_weight;
}

/// The least-squares solution of g = first * u + second * v and what is left of g.
struct PlaneFoot {
  Real first, second;
  Vec3 apart, perpendicular;  ///< to u and v, of any length
  bool exists;                ///< u and v span a plane
};

/// By Gram-Schmidt with the second vector orthogonalized twice, which is backward stable at any angle between u and v:
/// `apart` and the direction of `perpendicular` are right for u, v, g changed by roundings of their sizes. (The cross
/// product of u and v is not, for slivers and nearly parallel edges.)
UNBARRED_FUNCTION PlaneFoot foot_in_plane(const Vec3& g, const Vec3& u, const Vec3& v) {
  constexpr Real parallel = 1e-30;  // sin^2 of roundings
  const Real uu = squared_norm(u), vv = squared_norm(v);
  const bool swap = uu < vv;
  const Vec3 base = swap ? v : u, other = swap ? u : v;
  const Real base_square = swap ? vv : uu, other_square = swap ? uu : vv;
  PlaneFoot foot{0, 0, g, {{0, 0, 0}}, false};
  if (!(base_square > 0)) return foot;
  Real share = dot(base, other) / base_square;
  Vec3 height = other - share * base;
  const Real correction = dot(base, height) / base_square;
  share += correction;
  height -= correction * base;
  const Real height_square = squared_norm(height);
  foot.exists = height_square > parallel * other_square;
  if (!foot.exists) return foot;
  const Real along = dot(base, g) / base_square;
  const Vec3 rest = g - along * base;
  const Real up = dot(height, rest) / height_square, down = along - up * share;
  foot.apart = rest - up * height;
  foot.perpendicular = cross(base, height);
  foot.first = swap ? up : down;
  foot.second = swap ? down : up;
  return foot;
}

/// A foot on the border up to rounding is inside: there the perpendicular is the better direction.
UNBARRED_FUNCTION bool inside(Real weight) { return weight >= -4.5e-16; }

/// Distance and normal from the vector between the closest points: its part perpendicular to `along`.
UNBARRED_FUNCTION void set_normal(const ClosestPoints& closest, PairDistance& result) {
  const Real along_square = squared_norm(closest.along);
  Vec3 apart = closest.apart;
  if (along_square > 0) apart -= (dot(apart, closest.along) / along_square) * closest.along;
  const Real unit = power_of_two_below(max(max(abs(apart[0]), abs(apart[1])), abs(apart[2])));
  apart = (1 / unit) * apart;
  const Real length = sqrt(squared_norm(apart));
  result.distance = unit * length;
  result.normal = (length > 0 ? 1 / length : Real(0)) * apart;
}

/// Between interiors the normal is the common perpendicular, which keeps its digits when the distance is small.
UNBARRED_FUNCTION void set_interior_normal(const PlaneFoot& foot, PairDistance& result) {
  constexpr Real underflow = 1e-200;
  const Real square = squared_norm(foot.perpendicular);
  if (square > underflow) {
    const Real height = dot(foot.perpendicular, foot.apart), length = sqrt(square);
    result.normal = (height < 0 ? -1 / length : 1 / length) * foot.perpendicular;
    result.distance = abs(dot(result.normal, foot.apart));
  } else {
    set_normal({0, foot.apart, {{0, 0, 0}}, true, {}}, result);
  }
}

UNBARRED_FUNCTION PairDistance vertex_triangle_distance(const Vec3 (&x)[4]) {
  PairDistance result;
  const PlaneFoot foot = foot_in_plane(x[0] - x[1], x[2] - x[1], x[3] - x[1]);
  const Real rest = 1 - foot.first - foot.second;
  if (foot.exists && inside(foot.first) && inside(foot.second) && inside(rest)) {
    result.weight[0] = 1;
    result.weight[1] = -rest;
    result.weight[2] = -foot.first;
    result.weight[3] = -foot.second;
    set_interior_normal(foot, result);
    return result;
  }
  ClosestPoints best = no_points();
  consider_vertex_edge<0, 1, 2>(x, 1, best);
  consider_vertex_edge<0, 1, 3>(x, 1, best);
  consider_vertex_edge<0, 2, 3>(x, 1, best);
  for (int k = 0; k < 4; ++k) result.weight[k] = best.weight[k];
  set_normal(best, result);
  return result;
}

/// Nearly parallel edges need no case of their own: the foot is right at any angle, and beyond that the ends decide.
UNBARRED_FUNCTION PairDistance edge_edge_distance(const Vec3 (&x)[4]) {
  PairDistance result;
  const PlaneFoot foot = foot_in_plane(x[0] - x[2], x[0] - x[1], x[3] - x[2]);
  if (foot.exists && inside(foot.first) && inside(1 - foot.first) && inside(foot.second) && inside(1 - foot.second)) {
    result.weight[0] = 1 - foot.first;
    result.weight[1] = foot.first;
    result.weight[2] = foot.second - 1;
    result.weight[3] = -foot.second;
    set_interior_normal(foot, result);
    return result;
  }
  ClosestPoints best = no_points();
  consider_vertex_edge<0, 2, 3>(x, 1, best);
  consider_vertex_edge<1, 2, 3>(x, 1, best);
  consider_vertex_edge<2, 0, 1>(x, -1, best);
  consider_vertex_edge<3, 0, 1>(x, -1, best);
  for (int k = 0; k < 4; ++k) result.weight[k] = best.weight[k];
  set_normal(best, result);
  return result;
}

}  // namespace detail

/// Distance of the primitives that the positions x, ordered as in ContactPair, span. Any finite positions are valid,
/// also edges without length and triangles without area.
/// - The error of the distance is below 16 roundings (2^-53) of the largest coordinate difference among the four
///   vertices; the size of the coordinates themselves, space scaled or moved, changes nothing.
/// - The normal is one subgradient where the closest points are not unique (parallel edges).
/// - distance = sum over k of weight[k] x[k] . normal, up to the same error.
/// - Distance zero: where two interiors meet (vertex in triangle, crossing edges) the normal is their common
///   perpendicular, with either sign; elsewhere it is zero, and so is the gradient.
UNBARRED_FUNCTION PairDistance pair_distance(PairKind kind, const Vec3 (&x)[4]) {
  Real largest = 0;
  for (int k = 1; k < 4; ++k)
    for (int i = 0; i < 3; ++i) largest = max(largest, abs(x[k][i] - x[0][i]));
  // Powers of two change no digits and keep products of four lengths in range.
  const Real unit = largest > 0 ? power_of_two_below(largest) : Real(1), shrink = 1 / unit;
  const Vec3 y[4] = {shrink * x[0], shrink * x[1], shrink * x[2], shrink * x[3]};
  PairDistance result =
      kind == PairKind::vertex_triangle ? detail::vertex_triangle_distance(y) : detail::edge_edge_distance(y);
  result.distance = unit * result.distance;
  return result;
}

/// Of a vertex and the plane of a triangle, over it or a quarter of it beyond an edge; false where it is further or the
/// triangle has no plane.
UNBARRED_FUNCTION bool near_plane(const Vec3 (&x)[4], PairDistance& result) {
  constexpr Real beyond = -0.25;
  const detail::PlaneFoot foot = detail::foot_in_plane(x[0] - x[1], x[2] - x[1], x[3] - x[1]);
  const Real rest = 1 - foot.first - foot.second;
  if (!foot.exists || foot.first < beyond || foot.second < beyond || rest < beyond) return false;
  result.weight[0] = 1;
  result.weight[1] = -rest;
  result.weight[2] = -foot.first;
  result.weight[3] = -foot.second;
  detail::set_interior_normal(foot, result);
  return true;
}

}  // namespace unbarred
