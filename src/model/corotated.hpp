#pragma once
#include "core/svd3.hpp"
#include "model/lame.hpp"
#include "model/principal_derivatives.hpp"

namespace unbarred {

/// Psi = mu sum (sigma_i - 1)^2 + lambda/2 (sum sigma_i - 3)^2 with the signed singular values of the rotation variant.
/// Finite for every F; its force jumps where sigma_1 + sigma_2 = 0, deep in inversion.
struct Corotated {
  static constexpr bool allows_inversion = true;
  /// The twist has the pole 1/(sigma_p + sigma_q); the sum of two stretches is held at this or above in it.
  static constexpr Real smallest_sum = 1e-3;
  Real mu;
  Real lambda;

  static Corotated from(Real young, Real poisson) {
    const Lame lame = lame_parameters(young, poisson);
    return {lame.mu, lame.lambda};
  }

  /// J/m^3.
  template <class T>
  UNBARRED_FUNCTION T energy(const Mat3T<T>& F) const {
    const Vec3T<T> strain = svd3(F).sigma - Vec3T<T>{{T(1), T(1), T(1)}};
    const T trace = strain[0] + strain[1] + strain[2];
    return T(mu) * squared_norm(strain) + T(0.5 * lambda) * trace * trace;
  }

  template <class T>
  UNBARRED_FUNCTION PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    const Vec3T<T> strain = s - Vec3T<T>{{T(1), T(1), T(1)}};
    const T pressure = T(lambda) * (strain[0] + strain[1] + strain[2]);
    PrincipalDerivatives<T> p;
    for (int i = 0, k = 0; i < 3; ++i) {
      p.stress[i] = T(2 * mu) * strain[i] + pressure;
      p.scaling(i, i) = T(2 * mu + lambda);
      for (int j = i + 1; j < 3; ++j, ++k) {
        p.scaling(i, j) = p.scaling(j, i) = T(lambda);
        p.twist[k] = T(2 * mu) + T(2) * (pressure - T(2 * mu)) / max(s[i] + s[j], T(smallest_sum));
        p.flip[k] = T(2 * mu);
      }
    }
    return p;
  }
};

}  // namespace unbarred
