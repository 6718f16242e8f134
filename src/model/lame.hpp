#pragma once
#include "core/types.hpp"

namespace unbarred {

/// Lame parameters of linear elasticity, Pa.
struct Lame {
  Real mu, lambda;
};

/// From Young's modulus (Pa, > 0) and Poisson's ratio (> -1, < 0.5).
inline Lame lame_parameters(Real young, Real poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

}  // namespace unbarred
