#pragma once
// True stress, for output.
#include "core/svd3.hpp"

namespace unbarred {

/// Pa; the order of VTK's symmetric tensors.
template <class T>
struct SymmetricTensor {
  T xx, yy, zz, xy, yz, xz;
};

/// P F^T / J. A flat element has no finite one: |J| below 1e-12 counts as 1e-12.
/// F with J > 0 unless the material allows inversion.
template <class Material, class T>
UNBARRED_FUNCTION SymmetricTensor<T> cauchy_stress(const Material& material, const Mat3T<T>& F) {
  constexpr Real flat = 1e-12;
  const Svd3<T> svd = svd3(F);
  const Vec3T<T>& s = svd.sigma;
  const T J = s[0] * s[1] * s[2];
  const T over = T(1) / select(J < T(0), min(J, T(-flat)), max(J, T(flat)));
  const Vec3T<T> d = material.principal(s).stress;
  Mat3T<T> scaled;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) scaled(i, j) = svd.U(i, j) * (d[j] * s[j] * over);
  const Mat3T<T> stress = scaled * transposed(svd.U);
  return {stress(0, 0), stress(1, 1), stress(2, 2), stress(0, 1), stress(1, 2), stress(0, 2)};
}

/// Equivalent stress of von Mises, Pa.
template <class T>
UNBARRED_FUNCTION T von_mises(const SymmetricTensor<T>& s) {
  const T a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
  return sqrt(T(0.5) * (a * a + b * b + c * c) + T(3) * (s.xy * s.xy + s.yz * s.yz + s.xz * s.xz));
}

}  // namespace unbarred
