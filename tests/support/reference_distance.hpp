#pragma once
// Distance of a pair by brute force over all features, in a wider number type T: the oracle of contact geometry.
// Interiors by Cramer's rule and cross products, where the program orthogonalizes.
#include <cmath>

#include "contact/pair.hpp"

namespace unbarred::test {

__extension__ typedef __float128 Quad;  // 113 bits

/// Square root of a >= 0 of a type wider than double, from the double's by Newton's method.
template <class T>
T wide_sqrt(T a) {
  if (!(a > 0)) return 0;
  T unit = 1;
  while (a < T(1e-200)) a = a * T(0x1p400), unit = unit * T(0x1p-200);
  while (a > T(1e200)) a = a * T(0x1p-400), unit = unit * T(0x1p200);
  T root = std::sqrt(static_cast<double>(a));
  for (int i = 0; i < 3; ++i) root = (root + a / root) / 2;
  return unit * root;
}

template <class T>
Vec3T<T> widened(const Vec3& a) {
  return {{T(a[0]), T(a[1]), T(a[2])}};
}

template <class T>
T square_to_segment(const Vec3T<T>& p, const Vec3T<T>& a, const Vec3T<T>& b) {
  const Vec3T<T> edge = b - a, from = p - a;
  const T length = squared_norm(edge);
  T t = length > 0 ? dot(edge, from) / length : T(0);
  t = t < 0 ? T(0) : t > 1 ? T(1) : t;
  return squared_norm(from - t * edge);
}

/// The square of the distance of g from the plane of u and v if the foot's coordinates are valid, else `otherwise`.
template <class T>
T square_to_interior(const Vec3T<T>& g, const Vec3T<T>& u, const Vec3T<T>& v, bool triangle, T otherwise) {
  const Vec3T<T> c = cross(u, v);
  const T square = squared_norm(c);
  if (!(square > 0)) return otherwise;
  const T first = dot(cross(g, v), c) / square, second = dot(cross(u, g), c) / square;
  if (first < 0 || second < 0 || (triangle ? first + second > 1 : first > 1 || second > 1)) return otherwise;
  const T height = dot(g, c);
  return height * height / square;
}

template <class T>
T reference_distance(PairKind kind, const Vec3T<T> (&x)[4]) {
  if (kind == PairKind::vertex_triangle) {
    T best = square_to_segment(x[0], x[1], x[2]);
    for (const T& other : {square_to_segment(x[0], x[1], x[3]), square_to_segment(x[0], x[2], x[3])})
      best = other < best ? other : best;
    const T inside = square_to_interior(x[0] - x[1], x[2] - x[1], x[3] - x[1], true, best);
    return wide_sqrt(inside < best ? inside : best);
  }
  T best = square_to_segment(x[0], x[2], x[3]);
  for (const T& other :
       {square_to_segment(x[1], x[2], x[3]), square_to_segment(x[2], x[0], x[1]), square_to_segment(x[3], x[0], x[1])})
    best = other < best ? other : best;
  const T inside = square_to_interior(x[0] - x[2], x[0] - x[1], x[3] - x[2], false, best);
  return wide_sqrt(inside < best ? inside : best);
}

template <class T>
T reference_distance(PairKind kind, const Vec3 (&x)[4]) {
  const Vec3T<T> wide[4] = {widened<T>(x[0]), widened<T>(x[1]), widened<T>(x[2]), widened<T>(x[3])};
  return reference_distance(kind, wide);
}

/// At start + t move, t of the wide type.
template <class T>
T reference_distance(PairKind kind, const Vec3 (&start)[4], const Vec3 (&move)[4], T t) {
  Vec3T<T> x[4];
  for (int k = 0; k < 4; ++k) x[k] = widened<T>(start[k]) + t * widened<T>(move[k]);
  return reference_distance(kind, x);
}

}  // namespace unbarred::test
