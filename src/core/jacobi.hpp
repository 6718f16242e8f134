#pragma once
// The plane rotation under the 3x3 decompositions.
#include "core/pack.hpp"
#include "core/vec3.hpp"

namespace unbarred {

/// The rotation (p, q) <- (cosine p - sine q, sine p + cosine q) of two columns.
template <class T>
struct PlaneRotation {
  T cosine, sine;
};

/// Diagonalizes [[a, c], [c, b]] with d = b - a, by the smaller of the two possible angles (at most 45 degrees):
/// that choice makes cyclic Jacobi sweeps converge. Lanes where `wanted` is false get the identity, exactly.
/// c^2 must be a normal number in the wanted lanes.
template <class T, class M>
UNBARRED_FUNCTION PlaneRotation<T> jacobi_rotation(const T& d, const T& c, const M& wanted) {
  // tan = 2c / (d +- sqrt(d^2 + 4c^2)): the denominator without cancellation is as good a cosine, unnormalized.
  const T twice = c + c, square = twice * twice;
  const T denominator = abs(d) + sqrt(d * d + square);
  const T scale = T(1) / sqrt(denominator * denominator + square);
  const T sine = select(d < T(0), -twice, twice) * scale;
  return {select(wanted, denominator * scale, T(1)), select(wanted, sine, T(0))};
}

template <class T>
UNBARRED_FUNCTION void rotate(const PlaneRotation<T>& r, Vec3T<T>& p, Vec3T<T>& q) {
  for (int i = 0; i < 3; ++i) {
    const T a = p[i], b = q[i];
    p[i] = r.cosine * a - r.sine * b;
    q[i] = r.sine * a + r.cosine * b;
  }
}

}  // namespace unbarred
