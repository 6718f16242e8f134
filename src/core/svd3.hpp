#pragma once
// Singular values of a 3x3 matrix, rotation variant, by one-sided Jacobi: columns of F V are made orthogonal. Unlike
// the eigenvalues of F^T F this keeps small singular values of graded and nearly flat F to full precision.
#include "core/jacobi.hpp"

namespace unbarred {

/// F = U diag(sigma) V^T with U, V rotations (det = +1): sigma[0] >= sigma[1] >= |sigma[2]|, and sigma[2] has the
/// sign of det F.
template <class T>
struct Svd3 {
  Mat3T<T> U, V;
  Vec3T<T> sigma;
};

namespace detail {

/// A unit vector at right angles to the unit vector a.
template <class T>
UNBARRED_FUNCTION Vec3T<T> any_perpendicular(const Vec3T<T>& a) {
  // Cross product with whichever of e_x, e_y is farther from a.
  const auto steep = abs(a[0]) < abs(a[1]);
  const Vec3T<T> b{{select(steep, T(0), -a[2]), select(steep, a[2], T(0)), select(steep, -a[1], a[0])}};
  return (T(1) / sqrt(squared_norm(b))) * b;
}

/// Makes columns p and q of A orthogonal, V likewise; true where they were not within rounding.
template <class T>
UNBARRED_FUNCTION auto orthogonalize(Vec3T<T>& ap, Vec3T<T>& aq, Vec3T<T>& vp, Vec3T<T>& vq) {
  constexpr Real cosine = 1e-15;       // of the angle that counts as right
  constexpr Real negligible = 1e-290;  // |A| is about 1: products below it do not matter and would underflow
  const T a = squared_norm(ap), b = squared_norm(aq), c = dot(ap, aq);
  const auto wanted = c * c > max(T(cosine * cosine) * a * b, T(negligible));
  if (any(wanted)) {
    const PlaneRotation<T> r = jacobi_rotation(b - a, c, wanted);
    rotate(r, ap, aq);
    rotate(r, vp, vq);
  }
  return wanted;
}

/// (p, q) <- (q, -p) where `wanted`: an exchange that keeps the determinant.
template <class T, class M>
UNBARRED_FUNCTION void exchange(const M& wanted, Vec3T<T>& p, Vec3T<T>& q) {
  for (int i = 0; i < 3; ++i) {
    const T old = p[i];
    p[i] = select(wanted, q[i], old);
    q[i] = select(wanted, -old, q[i]);
  }
}

template <class T>
UNBARRED_FUNCTION void sort_pair(T& np, T& nq, Vec3T<T>& ap, Vec3T<T>& aq, Vec3T<T>& vp, Vec3T<T>& vq) {
  const auto wrong = np < nq;
  const T larger = max(np, nq);
  nq = min(np, nq);
  np = larger;
  exchange(wrong, ap, aq);
  exchange(wrong, vp, vq);
}

template <class T>
UNBARRED_FUNCTION T largest_entry(const Mat3T<T>& F) {
  T largest(0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = max(largest, abs(F(i, j)));
  return largest;
}

template <class T>
UNBARRED_FUNCTION Mat3T<T> from_columns(const Vec3T<T>& a, const Vec3T<T>& b, const Vec3T<T>& c) {
  return {{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}}};
}

/// U and sigma from the sorted orthogonal columns a = U diag(sigma) and their lengths n.
template <class T>
UNBARRED_FUNCTION void normalize_columns(const Vec3T<T> (&a)[3], const T (&n)[3], Mat3T<T>& U, Vec3T<T>& sigma) {
  const auto zero = n[0] <= T(0);
  const T over0 = T(1) / select(zero, T(1), n[0]);
  const Vec3T<T> u0{{select(zero, T(1), over0 * a[0][0]), over0 * a[0][1], over0 * a[0][2]}};
  // Where column 1 is nothing, or only the rounding of column 0, its direction is free.
  const Vec3T<T> rest = a[1] - dot(u0, a[1]) * u0;
  const T length = sqrt(squared_norm(rest));
  const auto free = length <= max(T(0.5) * n[1], T(1e-140));
  const T over1 = T(1) / select(free, T(1), length);
  const Vec3T<T> other = any_perpendicular(u0);
  Vec3T<T> u1;
  for (int i = 0; i < 3; ++i) u1[i] = select(free, other[i], over1 * rest[i]);
  const Vec3T<T> u2 = cross(u0, u1);
  U = from_columns(u0, u1, u2);
  sigma = {{n[0], n[1], max(-n[1], min(n[1], dot(u2, a[2])))}};
}

}  // namespace detail

/// For every finite F, never NaN. Errors are a few units of rounding relative to |F|. A lane's bits do not depend on
/// its neighbors: sweeps go on until all lanes are done, and a lane that is done is rotated by the identity.
template <class T>
UNBARRED_FUNCTION Svd3<T> svd3(const Mat3T<T>& F) {
  constexpr int most_sweeps = 12;  // 3 or 4 rotate anything; the bound ends a cycle of the last bits
  const T size = power_of_two_below(detail::largest_entry(F));
  const T shrink = T(1) / size;
  Vec3T<T> a[3], v[3];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      a[j][i] = shrink * F(i, j);
      v[j][i] = T(i == j ? 1 : 0);
    }
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    const auto first = detail::orthogonalize(a[0], a[1], v[0], v[1]);
    const auto second = detail::orthogonalize(a[0], a[2], v[0], v[2]);
    const auto third = detail::orthogonalize(a[1], a[2], v[1], v[2]);
    if (!any(first || second || third)) break;
  }
  T n[3] = {squared_norm(a[0]), squared_norm(a[1]), squared_norm(a[2])};
  detail::sort_pair(n[0], n[1], a[0], a[1], v[0], v[1]);
  detail::sort_pair(n[0], n[2], a[0], a[2], v[0], v[2]);
  detail::sort_pair(n[1], n[2], a[1], a[2], v[1], v[2]);
  for (int k = 0; k < 3; ++k) n[k] = sqrt(n[k]);
  Svd3<T> svd;
  detail::normalize_columns(a, n, svd.U, svd.sigma);
  svd.V = detail::from_columns(v[0], v[1], v[2]);
  svd.sigma = size * svd.sigma;
  return svd;
}

}  // namespace unbarred
