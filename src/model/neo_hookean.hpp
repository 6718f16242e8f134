#pragma once
#include <limits>

#include "model/lame.hpp"
#include "model/principal_derivatives.hpp"
#include "model/volume_strain.hpp"

namespace unbarred {

/// Psi = mu/2 (tr F^T F - 3) - mu log J + lambda/2 (log J)^2. Infinite for J <= 0: steps must be cut before inversion
/// (model/inversion_step.hpp).
struct NeoHookean {
  static constexpr bool allows_inversion = false;
  Real mu;
  Real lambda;

  static NeoHookean from(Real young, Real poisson) {
    const Lame lame = lame_parameters(young, poisson);
    return {lame.mu, lame.lambda};
  }

  /// J/m^3; +infinity for J <= 0.
  template <class T>
  UNBARRED_FUNCTION T energy(const Mat3T<T>& F) const {
    VolumeStrain<T> strain = volume_strain(F);
    const auto inverted = strain.J <= T(0);
    strain.J = select(inverted, T(1), strain.J);
    strain.change = select(inverted, T(0), strain.change);
    const T log_J = log_volume(strain);
    const T value = T(mu) * (strain.excess + (strain.change - log_J)) + T(0.5 * lambda) * log_J * log_J;
    return select(inverted, T(std::numeric_limits<Real>::infinity()), value);
  }

  /// sigma[2] > 0.
  template <class T>
  UNBARRED_FUNCTION PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    const T J = s[0] * s[1] * s[2];
    const T pressure = T(lambda) * log(J) - T(mu);
    const Vec3T<T> over{{T(1) / s[0], T(1) / s[1], T(1) / s[2]}};
    PrincipalDerivatives<T> p;
    for (int i = 0; i < 3; ++i) {
      p.stress[i] = T(mu) * s[i] + pressure * over[i];
      p.scaling(i, i) = T(mu) + (T(lambda) - pressure) * over[i] * over[i];
    }
    for (int i = 0, k = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j, ++k) {
        const T product = over[i] * over[j];
        p.scaling(i, j) = p.scaling(j, i) = T(lambda) * product;
        p.twist[k] = T(mu) + pressure * product;
        p.flip[k] = T(mu) - pressure * product;
      }
    return p;
  }
};

}  // namespace unbarred
