#pragma once
#include "model/lame.hpp"
#include "model/principal_derivatives.hpp"
#include "model/volume_strain.hpp"

namespace unbarred {

/// Psi = mu/2 (tr F^T F - 3) - mu (J - 1) + lambda/2 (J - 1)^2: the stable Neo-Hookean energy of Smith, de Goes and Kim
/// (2018) without the logarithmic term, shifted to 0 at rest. Defined and finite for every F, also inverted.
struct StableNeoHookean {
  static constexpr bool allows_inversion = true;
  Real mu;
  Real lambda;  ///< mu more than Lame's, so that small strains follow linear elasticity

  static StableNeoHookean from(Real young, Real poisson) {
    const Lame lame = lame_parameters(young, poisson);
    return {lame.mu, lame.lambda + lame.mu};
  }

  /// J/m^3.
  template <class T>
  UNBARRED_FUNCTION T energy(const Mat3T<T>& F) const {
    const VolumeStrain<T> strain = volume_strain(F);
    return T(mu) * strain.excess + T(0.5 * lambda) * strain.change * strain.change;
  }

  template <class T>
  UNBARRED_FUNCTION PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    const Vec3T<T> others{{s[1] * s[2], s[0] * s[2], s[0] * s[1]}};  // dJ/dsigma
    const T pressure = T(lambda) * (s[0] * others[0] - T(1)) - T(mu);
    PrincipalDerivatives<T> p;
    for (int i = 0; i < 3; ++i) {
      p.stress[i] = T(mu) * s[i] + pressure * others[i];
      p.scaling(i, i) = T(mu) + T(lambda) * others[i] * others[i];
    }
    for (int i = 0, k = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j, ++k) {
        const T third = pressure * s[2 - k];
        p.scaling(i, j) = p.scaling(j, i) = T(lambda) * others[i] * others[j] + third;
        p.twist[k] = T(mu) + third;
        p.flip[k] = T(mu) - third;
      }
    return p;
  }
};

}  // namespace unbarred
