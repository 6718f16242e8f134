#pragma once
// Hyperelastic materials: aggregates of moduli with
//   static Material from(young, poisson);         young in Pa, > 0; poisson > -1, < 0.5
//   static constexpr bool allows_inversion;       false: energy +infinity for J <= 0, steps must be cut
//   T energy(const Mat3T<T>& F) const;            J/m^3
//   PrincipalDerivatives<T> principal(sigma) const;
// principal_hessian.hpp and cauchy_stress.hpp build the rest for any of them.
#include "model/corotated.hpp"
#include "model/neo_hookean.hpp"
#include "model/stable_neo_hookean.hpp"
