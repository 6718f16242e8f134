#pragma once
// What an isotropic material says about its energy in principal stretches.
#include "core/pack.hpp"
#include "core/vec3.hpp"

namespace unbarred {

/// First and second derivatives of the energy density Psi (J/m^3) at F = diag(sigma). With d = stress, for the pairs
/// (p, q) = (0,1), (0,2), (1,2) in this order, pair k leaving out axis 2 - k:
///   twist: second derivative along (e_p e_q^T - e_q e_p^T)/sqrt 2, equal to (d_p + d_q)/(sigma_p + sigma_q),
///   flip:  second derivative along (e_p e_q^T + e_q e_p^T)/sqrt 2, equal to (d_p - d_q)/(sigma_p - sigma_q).
/// Materials give them without these divisions.
template <class T>
struct PrincipalDerivatives {
  Vec3T<T> stress;   ///< dPsi/dsigma_i, Pa
  Mat3T<T> scaling;  ///< d^2 Psi / dsigma_i dsigma_j
  Vec3T<T> twist, flip;
};

}  // namespace unbarred
