#pragma once
// Axis-aligned boxes of 24 bytes: single precision, rounded outward, relative to an origin that the caller chooses
// near the scene.
//
// No contact is lost to rounding: x -> x - origin and both roundings are monotone, so primitives that touch have
// boxes that overlap, however far from the origin they are. A margin is met up to 2^-52 |x - origin|.
#include <cstring>
#include <limits>

#include "contact/primitives.hpp"
#include "core/vec3.hpp"
#include "core/view.hpp"

namespace unbarred {

/// Closed: lower <= p <= upper. Bounds beyond the largest float are infinite.
struct Box {
  float lower[3], upper[3];
};

namespace detail {

/// The next float below; for f > -infinity.
UNBARRED_FUNCTION float next_below(float f) {
  std::uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  bits = f > 0 ? bits - 1 : f < 0 ? bits + 1 : 0x80000001;
  std::memcpy(&f, &bits, sizeof bits);
  return f;
}

}  // namespace detail

/// The largest float <= x.
UNBARRED_FUNCTION float round_down(Real x) {
  const float nearest = static_cast<float>(x);
  return static_cast<Real>(nearest) <= x ? nearest : detail::next_below(nearest);
}

/// The smallest float >= x.
UNBARRED_FUNCTION float round_up(Real x) { return -round_down(-x); }

UNBARRED_FUNCTION float smaller(float a, float b) { return b < a ? b : a; }
UNBARRED_FUNCTION float larger(float a, float b) { return b > a ? b : a; }

UNBARRED_FUNCTION Box united(const Box& a, const Box& b) {
  Box result;
  for (int axis = 0; axis < 3; ++axis) {
    result.lower[axis] = smaller(a.lower[axis], b.lower[axis]);
    result.upper[axis] = larger(a.upper[axis], b.upper[axis]);
  }
  return result;
}

UNBARRED_FUNCTION bool overlap(const Box& a, const Box& b) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis])) return false;
  return true;
}

/// The box of everything the primitive sweeps while its vertices go straight from start to end, and of all points
/// within `margin` (m) of that along the axes. Positions must be finite.
template <int N>
UNBARRED_FUNCTION Box swept_box(const Primitive<N>& primitive, View<const Vec3> start, View<const Vec3> end,
                                const Vec3& origin, Real margin) {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    Real lower = start[primitive.v[0]][axis], upper = lower;
    for (int k = 0; k < N; ++k) {
      const Real from = start[primitive.v[k]][axis], to = end[primitive.v[k]][axis];
      lower = from < lower ? from : lower;
      upper = from > upper ? from : upper;
      lower = to < lower ? to : lower;
      upper = to > upper ? to : upper;
    }
    box.lower[axis] = round_down(lower - origin[axis] - margin);
    box.upper[axis] = round_up(upper - origin[axis] + margin);
  }
  return box;
}

}  // namespace unbarred
