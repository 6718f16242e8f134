#pragma once
// What an isotropic material says about its energy in principal stretches.
#include "core/pack.hpp"
#include "core/vec3.hpp"

namespace unbarred {

/// First and second derivatives of the energy density Psi at F = diag(sigma), J/m^3. With d = stress:
/// the second derivative in the direction (e_p e_q^T - e_q e_p^T)/sqrt 2, the twist, is (d_p + d_q)/(sigma_p + sigma_q),
/// in the direction (e_p e_q^T + e_q e_p^T)/sqrt 2, the flip, it is (d_p - d_q)/(sigma_p - sigma_q);
/// pairs (p, q) in the order (0,1), (0,2), (1,2). Materials give them without these divisions.
template <class T>
struct PrincipalDerivatives {
  Vec3T<T> stress;   ///< dPsi/dsigma_i, Pa
  Mat3T<T> scaling;  ///< d^2 Psi / dsigma_i dsigma_j
  Vec3T<T> twist, flip;
};

}  // namespace unbarred
