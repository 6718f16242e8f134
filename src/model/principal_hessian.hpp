#pragma once
// Stress and Hessian of an isotropic material at F = U diag(sigma) V^T. The nine modes of d^2 Psi/dF^2 are known in the
// frame of U and V (3 scaling, 3 twist, 3 flip; Smith, de Goes and Kim 2019), so no 9x9 or 12x12 matrix is ever formed.
#include "core/svd3.hpp"
#include "core/symmetric3.hpp"
#include "model/principal_derivatives.hpp"

namespace unbarred {

enum class Definiteness {
  clamped,  ///< negative eigenvalues raised to zero: for Newton's method
  exact,    ///< the second derivative itself
};

template <class T>
struct PrincipalState {
  Mat3T<T> U, V;
  Vec3T<T> sigma;
  Vec3T<T> stress;       ///< dPsi/dsigma, Pa
  Mat3T<T> scaling;      ///< see PrincipalDerivatives
  Vec3T<T> twist, flip;  ///< see PrincipalDerivatives
};

/// Raises the negative modes of the lanes in `wanted` to zero. Lanes are independent.
template <class T, class Mask>
UNBARRED_FUNCTION void clamp_modes(PrincipalState<T>& state, const Mask& wanted) {
  if (!any(wanted)) return;
  const Mat3T<T> positive = positive_part(state.scaling);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) state.scaling(i, j) = select(wanted, positive(i, j), state.scaling(i, j));
  for (int k = 0; k < 3; ++k) {
    state.twist[k] = select(wanted, max(state.twist[k], T(0)), state.twist[k]);
    state.flip[k] = select(wanted, max(state.flip[k], T(0)), state.flip[k]);
  }
}

/// F with J > 0 unless the material allows inversion.
template <Definiteness definiteness = Definiteness::clamped, class Material, class T>
UNBARRED_FUNCTION PrincipalState<T> principal_state(const Material& material, const Mat3T<T>& F) {
  const Svd3<T> svd = svd3(F);
  const PrincipalDerivatives<T> p = material.principal(svd.sigma);
  PrincipalState<T> state{svd.U, svd.V, svd.sigma, p.stress, p.scaling, p.twist, p.flip};
  if constexpr (definiteness == Definiteness::clamped) clamp_modes(state, T(0) <= T(0));
  return state;
}

/// First Piola-Kirchhoff stress dPsi/dF, Pa.
template <class T>
UNBARRED_FUNCTION Mat3T<T> first_piola(const PrincipalState<T>& state) {
  const Vec3T<T>& d = state.stress;
  Mat3T<T> scaled;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) scaled(i, j) = state.U(i, j) * d[j];
  return scaled * transposed(state.V);
}

/// A rest-shape gradient in the principal frame, V^T g, 1/m.
template <class T>
UNBARRED_FUNCTION Vec3T<T> principal_gradient(const PrincipalState<T>& state, const Vec3T<T>& g) {
  return transposed(state.V) * g;
}

/// d^2 Psi / dx_a dx_b (3x3, Pa/m^2) of two vertices whose shape gradients are wa, wb in the principal frame; the block
/// (b, a) is its transpose. Moving vertex a by U y changes F by U (y wa^T) V^T, and the modes act on y wa^T.
template <class T>
UNBARRED_FUNCTION Mat3T<T> hessian_block(const PrincipalState<T>& state, const Vec3T<T>& wa, const Vec3T<T>& wb) {
  const Mat3T<T> w = outer(wa, wb);
  Mat3T<T> M;
  for (int i = 0; i < 3; ++i) M(i, i) = state.scaling(i, i) * w(i, i);
  for (int p = 0, k = 0; p < 3; ++p)
    for (int q = p + 1; q < 3; ++q, ++k) {
      const T even = T(0.5) * (state.flip[k] + state.twist[k]), odd = T(0.5) * (state.flip[k] - state.twist[k]);
      M(p, p) = M(p, p) + even * w(q, q);
      M(q, q) = M(q, q) + even * w(p, p);
      M(p, q) = state.scaling(p, q) * w(p, q) + odd * w(q, p);
      M(q, p) = state.scaling(p, q) * w(q, p) + odd * w(p, q);
    }
  return state.U * M * transposed(state.U);
}

}  // namespace unbarred
