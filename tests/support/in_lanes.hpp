#pragma once
// Matrices of numbers in and out of matrices of lanes.
#include "core/pack.hpp"
#include "core/vec3.hpp"

namespace unbarred::test {

template <class T>
Mat3 lane_of(const Mat3T<T>& a, int k) {
  Mat3 b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b(i, j) = lane(a(i, j), k);
  return b;
}

template <class T>
Vec3 lane_of(const Vec3T<T>& a, int k) {
  return {{lane(a[0], k), lane(a[1], k), lane(a[2], k)}};
}

inline void put_lane(Mat3T<Pack<4>>& a, int k, const Mat3& b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) set_lane(a(i, j), k, b(i, j));
}

inline void put_lane(Vec3T<Pack<4>>& a, int k, const Vec3& b) {
  for (int i = 0; i < 3; ++i) set_lane(a[i], k, b[i]);
}

/// Equal numbers; zeros of either sign are equal.
inline bool same(const Mat3& a, const Mat3& b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!(a(i, j) == b(i, j))) return false;
  return true;
}

inline bool same(const Vec3& a, const Vec3& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

}  // namespace unbarred::test
