#pragma once
// Symmetric 3x3 matrices in six numbers.
#include "core/vec3.hpp"

namespace unbarred {

/// Upper triangle: xx, xy, xz, yy, yz, zz.
struct SymmetricBlock {
  Real a[6];
};

UNBARRED_FUNCTION Vec3 multiply(const SymmetricBlock& s, const Vec3& v) {
  return {{s.a[0] * v[0] + s.a[1] * v[1] + s.a[2] * v[2], s.a[1] * v[0] + s.a[3] * v[1] + s.a[4] * v[2],
           s.a[2] * v[0] + s.a[4] * v[1] + s.a[5] * v[2]}};
}

UNBARRED_FUNCTION Mat3 full(const SymmetricBlock& s) {
  return {{{s.a[0], s.a[1], s.a[2]}, {s.a[1], s.a[3], s.a[4]}, {s.a[2], s.a[4], s.a[5]}}};
}

}  // namespace unbarred
