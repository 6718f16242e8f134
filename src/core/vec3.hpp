#pragma once
// Three-vectors and 3x3 matrices of any scalar T (Real, or a pack of lanes): plain aggregates that
// live in kernels, in device arrays and in MPI buffers alike.
#include "core/types.hpp"

namespace unbarred {

template <class T>
struct Vec3T {
  T x[3];
  UNBARRED_FUNCTION T& operator[](int i) { return x[i]; }
  UNBARRED_FUNCTION const T& operator[](int i) const { return x[i]; }
};

/// Row-major: m[row][column].
template <class T>
struct Mat3T {
  T m[3][3];
  UNBARRED_FUNCTION T& operator()(int i, int j) { return m[i][j]; }
  UNBARRED_FUNCTION const T& operator()(int i, int j) const { return m[i][j]; }
};

using Vec3 = Vec3T<Real>;
using Mat3 = Mat3T<Real>;

template <class T>
UNBARRED_FUNCTION Vec3T<T> operator+(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}
template <class T>
UNBARRED_FUNCTION Vec3T<T> operator-(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}
template <class T>
UNBARRED_FUNCTION Vec3T<T> operator*(const T& s, const Vec3T<T>& a) {
  return {{s * a[0], s * a[1], s * a[2]}};
}
template <class T>
UNBARRED_FUNCTION void operator+=(Vec3T<T>& a, const Vec3T<T>& b) {
  for (int i = 0; i < 3; ++i) a[i] = a[i] + b[i];
}
template <class T>
UNBARRED_FUNCTION void operator-=(Vec3T<T>& a, const Vec3T<T>& b) {
  for (int i = 0; i < 3; ++i) a[i] = a[i] - b[i];
}
template <class T>
UNBARRED_FUNCTION T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
UNBARRED_FUNCTION Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
template <class T>
UNBARRED_FUNCTION T squared_norm(const Vec3T<T>& a) {
  return dot(a, a);
}

template <class T>
UNBARRED_FUNCTION Mat3T<T> operator+(const Mat3T<T>& a, const Mat3T<T>& b) {
  Mat3T<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = a(i, j) + b(i, j);
  return c;
}
template <class T>
UNBARRED_FUNCTION Mat3T<T> operator-(const Mat3T<T>& a, const Mat3T<T>& b) {
  Mat3T<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = a(i, j) - b(i, j);
  return c;
}
template <class T>
UNBARRED_FUNCTION Mat3T<T> operator*(const T& s, const Mat3T<T>& a) {
  Mat3T<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = s * a(i, j);
  return c;
}
template <class T>
UNBARRED_FUNCTION Mat3T<T> operator*(const Mat3T<T>& a, const Mat3T<T>& b) {
  Mat3T<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return c;
}
template <class T>
UNBARRED_FUNCTION Vec3T<T> operator*(const Mat3T<T>& a, const Vec3T<T>& v) {
  return {{a(0, 0) * v[0] + a(0, 1) * v[1] + a(0, 2) * v[2], a(1, 0) * v[0] + a(1, 1) * v[1] + a(1, 2) * v[2],
           a(2, 0) * v[0] + a(2, 1) * v[1] + a(2, 2) * v[2]}};
}
template <class T>
UNBARRED_FUNCTION Mat3T<T> transposed(const Mat3T<T>& a) {
  Mat3T<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = a(j, i);
  return c;
}
template <class T>
UNBARRED_FUNCTION T determinant(const Mat3T<T>& a) {
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}
/// Matrix of cofactors: d(det a)/da; inverse = cofactor^T / det.
template <class T>
UNBARRED_FUNCTION Mat3T<T> cofactor(const Mat3T<T>& a) {
  Mat3T<T> c;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c(i, j) = a(i1, j1) * a(i2, j2) - a(i1, j2) * a(i2, j1);
    }
  }
  return c;
}
template <class T>
UNBARRED_FUNCTION Mat3T<T> inverse(const Mat3T<T>& a) {
  const Mat3T<T> c = cofactor(a);
  const T d = a(0, 0) * c(0, 0) + a(0, 1) * c(0, 1) + a(0, 2) * c(0, 2);
  return (T(1) / d) * transposed(c);
}
template <class T>
UNBARRED_FUNCTION Mat3T<T> outer(const Vec3T<T>& a, const Vec3T<T>& b) {
  Mat3T<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = a[i] * b[j];
  return c;
}
template <class T>
UNBARRED_FUNCTION Mat3T<T> diagonal(const T& a, const T& b, const T& c) {
  return {{{a, T(0), T(0)}, {T(0), b, T(0)}, {T(0), T(0), c}}};
}
template <class T>
UNBARRED_FUNCTION T squared_norm(const Mat3T<T>& a) {
  T s(0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s = s + a(i, j) * a(i, j);
  return s;
}

}  // namespace unbarred
