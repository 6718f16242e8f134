// Floating point first, with a bound on its error that holds whatever the input; integers where the bound cannot tell.
//
// The bounds. u = 2^-53. A computed difference has relative error u (a subnormal one is exact). Without underflow, each
// of the products that make up the determinant is multiplied by at most n factors 1 + e, |e| <= u: n = 8 in space
// (three differences, two products, three sums on the way out), n = 4 in the plane. So the error is at most
// ((1 + u)^n - 1) S, S the sum of the products' sizes, and the computed S is at least (1 - u)^n S: the error is below
// (n + 1) u times the computed S, roundings of that bound included. A product that underflows adds at most 2^-1075,
// times the third factor when one follows: less than 2^-1000 (1 + |third factor|) in all.
// The computed determinant is never larger than the computed S (the same operations on absolute values, and rounding is
// monotone): where it overflows so does the bound, the comparisons are false, and the integers decide. So with NaN.
#include "audit/orientation.hpp"

#include <cmath>

#include "audit/exact_determinant.hpp"

namespace unbarred::exact {

namespace {

constexpr Real unit_roundoff = 0x1p-53;
constexpr Real underflow = 0x1p-1000;

/// Whether the computed b - a has no rounding error; false as well when it overflows.
bool is_exact(const Vec3& a, const Vec3& b, const Vec3& difference) {
  for (int i = 0; i < 3; ++i) {
    const Real rest = b[i] - difference[i];
    if (!((rest - a[i]) + (b[i] - (difference[i] + rest)) == 0)) return false;
  }
  return true;
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (equal(d, a) || equal(d, b) || equal(d, c)) return 0;
  // Neighboring points, or points of a grid: six products do instead of 24.
  const Vec3 p = b - a, q = c - a, r = d - a;
  if (is_exact(a, b, p) && is_exact(a, c, q) && is_exact(a, d, r)) return determinant_sum_sign({{1, {p.x, q.x, r.x}}});
  return determinant_sum_sign(
      {{1, {b.x, c.x, d.x}}, {-1, {a.x, c.x, d.x}}, {1, {a.x, b.x, d.x}}, {-1, {a.x, b.x, c.x}}});
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, Projection plane) {
  const Real rows[3][3] = {
      {plane.first(a), plane.second(a), 1}, {plane.first(b), plane.second(b), 1}, {plane.first(c), plane.second(c), 1}};
  return determinant_sum_sign({{1, {rows[0], rows[1], rows[2]}}});
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 p = b - a, q = c - a, r = d - a;
  Real determinant = 0, size = 0, largest = 0;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    // Faces along a coordinate plane, as of boxes, are common; differences that are zero are exact.
    if (p[i] == 0 && q[i] == 0 && r[i] == 0) return 0;
    const Real product = q[i1] * r[i2], other = q[i2] * r[i1];
    determinant += p[i] * (product - other);
    size += std::abs(p[i]) * (std::abs(product) + std::abs(other));
    largest = std::fmax(largest, std::abs(p[i]));
  }
  const Real bound = 9 * unit_roundoff * size + underflow * (1 + largest);
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  return exact_orientation(a, b, c, d);
}

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, Projection plane) {
  const Real p[2] = {plane.first(b) - plane.first(a), plane.second(b) - plane.second(a)};
  const Real q[2] = {plane.first(c) - plane.first(a), plane.second(c) - plane.second(a)};
  const Real product = p[0] * q[1], other = p[1] * q[0];
  const Real area = product - other;
  const Real bound = 5 * unit_roundoff * (std::abs(product) + std::abs(other)) + underflow;
  if (area > bound) return 1;
  if (area < -bound) return -1;
  // Equal points and lines along an axis.
  if ((p[0] == 0 || q[1] == 0) && (p[1] == 0 || q[0] == 0)) return 0;
  return exact_orientation(a, b, c, plane);
}

}  // namespace unbarred::exact
