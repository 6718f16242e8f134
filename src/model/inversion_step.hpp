#pragma once
// How far a tetrahedron may move along straight vertex paths before its volume falls to a fraction of what it was.
#include "core/pack.hpp"
#include "core/vec3.hpp"

namespace unbarred {

namespace detail {

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3.
struct Cubic {
  Real c[4];
  UNBARRED_FUNCTION Real operator()(Real t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
};

/// Sum over i, j of a(i,j) times the cofactor of b; with plus signs in the cofactor for sign = +1.
UNBARRED_FUNCTION Real cofactor_product(const Mat3& a, const Mat3& b, Real sign) {
  Real sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      sum += a(i, j) * (b(i1, j1) * b(i2, j2) + sign * (b(i1, j2) * b(i2, j1)));
    }
  }
  return sum;
}

/// det(D + t dD); with sign = +1 the permanent.
UNBARRED_FUNCTION Cubic determinant_path(const Mat3& D, const Mat3& dD, Real sign) {
  return {{cofactor_product(D, D, sign) / 3, cofactor_product(dD, D, sign), cofactor_product(D, dD, sign),
           cofactor_product(dD, dD, sign) / 3}};
}

UNBARRED_FUNCTION Real largest_entry(const Mat3& a, const Mat3& b) {
  Real largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = max(largest, max(abs(a(i, j)), abs(b(i, j))));
  return largest;
}

UNBARRED_FUNCTION Mat3 absolute(const Mat3& a) {
  Mat3 b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b(i, j) = abs(a(i, j));
  return b;
}

/// A cubic that lies below det(D + t dD) - floor det D for 0 <= t <= 1 whatever the rounding, up to a positive factor.
UNBARRED_FUNCTION Cubic volume_margin(const Mat3& D, const Mat3& dD, Real floor) {
  // Of every coefficient, relative to its sum of absolute products.
  constexpr Real rounding = 64 * 1.1102230246251565e-16;
  const Real shrink = 1 / power_of_two_below(largest_entry(D, dD));
  Cubic volume = determinant_path(shrink * D, shrink * dD, -1);
  const Cubic terms = determinant_path(absolute(shrink * D), absolute(shrink * dD), 1);
  volume.c[0] *= 1 - floor;
  Real largest = 0;
  for (int k = 0; k < 4; ++k) {
    volume.c[k] -= rounding * terms.c[k];
    largest = max(largest, abs(volume.c[k]));
  }
  const Real scale = 1 / power_of_two_below(largest);  // so that products of coefficients do not underflow
  for (int k = 0; k < 4; ++k) volume.c[k] *= scale;
  return volume;
}

/// f(from) > 0 >= f(to), one sign change between: a point just before it.
UNBARRED_FUNCTION Real before_sign_change(const Cubic& f, Real from, Real to) {
  constexpr Real precision = 1e-12;
  for (int halving = 0; halving < 200 && to - from > precision * to; ++halving) {
    const Real middle = 0.5 * (from + to);
    if (f(middle) > 0) from = middle;
    else to = middle;
  }
  return from;
}

}  // namespace detail

/// First t in [0, 1] with det(D + t dD) = floor det D, rounded down; 1 if there is none. The columns of D are the edges
/// of a tetrahedron from one of its vertices, those of dD their changes over the path; 0 <= floor < 1. The result is a
/// lower bound under rounding of the entries of D and dD and of everything computed here; it is 0 where det D is not
/// positive beyond that rounding. It has no absolute tolerance: scaling space changes nothing.
UNBARRED_FUNCTION Real inversion_step(const Mat3& D, const Mat3& dD, Real floor) {
  const detail::Cubic f = detail::volume_margin(D, dD, floor);
  const Real(&c)[4] = f.c;
  if (!(c[0] > 0)) return 0;
  // Bernstein coefficients bound the cubic on [0, 1]: the common case ends here.
  if (c[0] + c[1] / 3 > 0 && c[0] + (2 * c[1] + c[2]) / 3 > 0 && f(1) > 0) return 1;
  // Monotone pieces between the zeros of the derivative; where one is infinite or NaN the tests below are false.
  const Real discriminant = c[2] * c[2] - 3 * c[1] * c[3];
  Real from = 0;
  if (discriminant >= 0) {
    const Real root = sqrt(discriminant);
    const Real q = -(c[2] + (c[2] < 0 ? -root : root));
    const Real one = q / (3 * c[3]), other = c[1] / q;
    const Real ends[2] = {one < other ? one : other, one < other ? other : one};
    for (const Real end : ends) {
      if (!(end > 0 && end < 1)) continue;
      if (f(end) <= 0) return detail::before_sign_change(f, from, end);
      from = end;
    }
  }
  return f(1) > 0 ? Real(1) : detail::before_sign_change(f, from, 1);
}

}  // namespace unbarred
