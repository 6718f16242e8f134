#pragma once
// How the sides of a pair move against each other, and the friction that this causes: for the solver and for output.
#include "contact/active_pair.hpp"
#include "contact/vertex_values.hpp"
#include "core/pack.hpp"

namespace unbarred {

/// sum w_k y_k relative to the first vertex: the weights sum to zero, so nothing is lost and little cancels.
UNBARRED_FUNCTION Vec3 weighted(const ActivePair& p, const VertexValues& y) {
  const Vec3 first = y[p.pair.v[0]];
  Vec3 sum{{0, 0, 0}};
  for (int k = 1; k < 4; ++k) sum += p.link.weight[k] * (y[p.pair.v[k]] - first);
  return sum;
}

/// Tangential motion of side A against side B from `start` to y, m.
UNBARRED_FUNCTION Vec3 slip(const ActivePair& p, const VertexValues& y, const VertexValues& start) {
  const Vec3 moved = weighted(p, y) - weighted(p, start);
  return moved - dot(p.link.normal, moved) * p.link.normal;
}

/// IPC's mollified friction (Li et al. 2020): f1 = f0' rises from 0 to 1 over the slip length e.
UNBARRED_FUNCTION Real friction_slope(Real slip, Real e) { return slip < e ? (2 - slip / e) * slip / e : 1; }
UNBARRED_FUNCTION Real friction_potential(Real slip, Real e) {
  return slip < e ? slip * slip / e * (1 - slip / (3 * e)) + e / 3 : slip;
}

}  // namespace unbarred
