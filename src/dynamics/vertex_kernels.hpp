#pragma once
// Launches over vertices: prediction, trial states, sizes of residuals, energies and momenta. Sums are over the
// owned vertices of this rank.
#include "core/device_array.hpp"
#include "core/vec3.hpp"
#include "linear/block_matrix.hpp"
#include "linear/fixed_axes.hpp"

namespace unbarred {

/// predicted = x + h v + h^2 gravity: where a free vertex would go.
void predict(Real time_step, const Vec3& gravity, View<const Vec3> x, View<const Vec3> v, View<Vec3> predicted);

/// y = x + step p; with `fixed`, prescribed coordinates of y stay at x.
void move_along(View<const Vec3> x, Real step, View<const Vec3> p, View<Vec3> y);
void move_free_along(View<const AxisMask> fixed, View<const Vec3> x, Real step, View<const Vec3> p, View<Vec3> y);

/// y += factor x.
void add_scaled(Real factor, View<const Vec3> x, View<Vec3> y);

/// v = (x - start) / h.
void velocity_from(Real time_step, View<const Vec3> x, View<const Vec3> start, View<Vec3> v);

/// y = 1 / mass along free coordinates, 0 along prescribed ones; owned vertices.
void inverse_masses(View<const Real> mass, View<const AxisMask> fixed, View<Vec3> y);

/// 1/2 sum m |y - predicted|^2 over the coordinates that are not prescribed.
Real inertia_energy(View<const Real> mass, View<const AxisMask> fixed, View<const Vec3> y, View<const Vec3> predicted);

/// Squared sizes of the terms of the gradient at y, each scaled by the diagonal A_kk of the matrix, free unknowns.
struct ResidualSizes {
  Real residual;  ///< sum r_k^2 / A_kk
  Real terms;     ///< sum (inertia_k^2 + elastic_k^2 + load_k^2) / A_kk: what cancels in r
  Real rounding;  ///< sum A_kk y_k^2: times epsilon^2, what rounding of positions makes of r
};
/// loads: their part of the gradient, owned vertices, or nothing.
ResidualSizes residual_sizes(const BlockMatrix& matrix, View<const Real> mass, View<const AxisMask> fixed,
                             View<const Vec3> downhill, View<const Vec3> y, View<const Vec3> predicted,
                             View<const Vec3> loads);

/// a . b over free unknowns.
Real free_dot(View<const AxisMask> fixed, View<const Vec3> a, View<const Vec3> b);

/// Largest |a| of a free coordinate.
Real largest_free(View<const AxisMask> fixed, View<const Vec3> a);

struct Invariants {
  Real kinetic;           ///< 1/2 m v^2, J
  Real gravity;           ///< -m g . x, J
  Vec3 momentum;          ///< kg m/s
  Vec3 angular_momentum;  ///< about the origin, kg m^2/s
};
/// Positions are origin + x.
Invariants invariants(View<const Real> mass, const Vec3& gravity, const Vec3& origin, View<const Vec3> x,
                      View<const Vec3> v);

}  // namespace unbarred
