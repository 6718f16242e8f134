#pragma once
// Positive part of a symmetric 3x3 matrix.
#include "core/jacobi.hpp"

namespace unbarred {

namespace detail {

/// One two-sided Jacobi rotation of the symmetric A (entries of about 1) in the plane (p, q); true where it did
/// anything. The columns `vectors` become eigenvectors.
template <int p, int q, class T>
UNBARRED_FUNCTION auto diagonalize_plane(Mat3T<T>& A, Vec3T<T> (&vectors)[3]) {
  constexpr Real rounding = 1e-17;
  constexpr int r = 3 - p - q;
  const T c = A(p, q);
  const auto wanted = abs(c) > T(rounding);
  if (any(wanted)) {
    const PlaneRotation<T> j = jacobi_rotation(A(q, q) - A(p, p), c, wanted);
    const T cc = j.cosine * j.cosine, ss = j.sine * j.sine, cs = T(2) * j.cosine * j.sine * c;
    const T app = A(p, p), aqq = A(q, q), arp = A(r, p), arq = A(r, q);
    A(p, p) = cc * app - cs + ss * aqq;
    A(q, q) = ss * app + cs + cc * aqq;
    A(p, q) = A(q, p) = select(wanted, T(0), c);
    A(r, p) = A(p, r) = j.cosine * arp - j.sine * arq;
    A(r, q) = A(q, r) = j.sine * arp + j.cosine * arq;
    rotate(j, vectors[p], vectors[q]);
  }
  return wanted;
}

/// Leading minors above the noise of their own terms. False where one overflows.
template <class T>
UNBARRED_FUNCTION auto surely_positive_definite(const Mat3T<T>& A) {
  constexpr Real noise = 1e-13;
  const T second = A(0, 0) * A(1, 1), third = second * A(2, 2);
  return A(0, 0) > T(0) && second - A(0, 1) * A(0, 1) > T(noise) * second && determinant(A) > T(noise) * third &&
         third > T(0);
}

}  // namespace detail

/// A with its negative eigenvalues raised to zero; A itself, bit for bit, where it has none. Lanes are independent.
template <class T>
UNBARRED_FUNCTION Mat3T<T> positive_part(const Mat3T<T>& A) {
  constexpr int most_sweeps = 10;
  const auto definite = detail::surely_positive_definite(A);
  if (!any(!definite)) return A;
  T largest(0);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) largest = max(largest, abs(A(i, j)));
  const T size = power_of_two_below(largest);
  Mat3T<T> D = (T(1) / size) * A;
  Vec3T<T> vectors[3];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) vectors[j][i] = T(i == j ? 1 : 0);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    const auto first = detail::diagonalize_plane<0, 1>(D, vectors);
    const auto second = detail::diagonalize_plane<0, 2>(D, vectors);
    const auto third = detail::diagonalize_plane<1, 2>(D, vectors);
    if (!any(first || second || third)) break;
  }
  Mat3T<T> raised = A;
  for (int k = 0; k < 3; ++k) {
    const T lift = select(definite, T(0), size * max(-D(k, k), T(0)));
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) raised(i, j) = raised(j, i) = raised(i, j) + lift * vectors[k][i] * vectors[k][j];
  }
  return raised;
}

}  // namespace unbarred
