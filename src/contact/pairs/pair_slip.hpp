#pragma once
// How the sides of a pair move against each other, and the friction that this causes: for the solver and for output.
#include "contact/pairs/active_pair.hpp"
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

/// Coulomb's law as contact has it: with the multiplier `hold`, w = hold - mu slip is the force while |w| <= limit, and
/// limit w / |w| beyond (augmented Lagrangian of Simo and Laursen). So what sticks does not creep.
struct HeldFriction {
  Vec3 w;     ///< h^2 N, in the tangent plane
  Real size;  ///< |w|
};
UNBARRED_FUNCTION HeldFriction held_friction(const ActivePair& p, const Vec3& slip) {
  const Vec3 w = p.friction_hold - dot(p.friction_hold, p.link.normal) * p.link.normal - p.penalty * slip;
  return {w, sqrt(squared_norm(w))};
}
UNBARRED_FUNCTION Vec3 within(const Vec3& force, Real limit) {
  const Real size = sqrt(squared_norm(force));
  return size <= limit ? force : (limit / size) * force;
}
/// The friction of the last solve less what its law makes of it and the slip at y, on side A, h^2 N.
UNBARRED_FUNCTION Vec3 friction_error(const ActivePair& p, const VertexValues& y, const VertexValues& start,
                                      Real slip_length) {
  const Real limit = p.friction * p.friction_multiplier;
  if (!(limit > 0)) return p.friction_force;
  const Vec3 u = slip(p, y, start);
  const Real size = sqrt(squared_norm(u));
  // f1(|u|) / |u| is finite where |u| vanishes.
  const Vec3 law = slip_length > 0
                       ? -limit * (size < slip_length ? (2 - size / slip_length) / slip_length : 1 / size) * u
                       : within(p.friction_force - p.penalty * u, limit);
  return p.friction_force - law;
}

}  // namespace unbarred
