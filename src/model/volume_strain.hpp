#pragma once
// Invariants for energies of Neo-Hookean type. The line search compares energies, and near a rotated rest state the
// textbook invariants tr F^T F - 3 and J - 1 lose the digits that matter: their first orders cancel. Through the Green
// strain they do not.
#include "core/pack.hpp"
#include "core/vec3.hpp"

namespace unbarred {

template <class T>
struct VolumeStrain {
  T J;       ///< det F
  T change;  ///< J - 1
  T excess;  ///< (tr F^T F - 3)/2 - (J - 1), of second order in the strain
};

template <class T>
UNBARRED_FUNCTION VolumeStrain<T> volume_strain(const Mat3T<T>& F) {
  // B = F^T F - I, so J^2 = det(I + B) = 1 + tr B + q with q of second order.
  const Mat3T<T> B = transposed(F) * F - diagonal(T(1), T(1), T(1));
  const T trace = B(0, 0) + B(1, 1) + B(2, 2);
  const T minors = B(0, 0) * B(1, 1) - B(0, 1) * B(0, 1) + B(0, 0) * B(2, 2) - B(0, 2) * B(0, 2) + B(1, 1) * B(2, 2) -
                   B(1, 2) * B(1, 2);
  const T q = minors + determinant(B);
  const T J = determinant(F);
  const auto small = squared_norm(B) < T(1) && J > T(0);
  const T over = T(1) / (T(1) + select(small, J, T(1)));
  const T change = select(small, (trace + q) * over, J - T(1));
  const T excess = select(small, (T(0.5) * trace * change - q) * over, T(0.5) * trace - change);
  return {J, change, excess};
}

/// log J for J > 0 (NaN otherwise), with small relative error also near J = 1.
template <class T>
UNBARRED_FUNCTION T log_volume(const VolumeStrain<T>& strain) {
  const auto near_one = abs(strain.change) < T(0.5);
  const T w = select(near_one, T(1) + strain.change, strain.J);
  const T step = w - T(1);  // of near_one lanes: the change after rounding; log w / step varies slowly
  const auto correct = near_one && abs(step) > T(0);
  const T ratio = strain.change / select(correct, step, T(1));
  return select(correct, log(w) * ratio, select(near_one, strain.change, log(w)));
}

}  // namespace unbarred
