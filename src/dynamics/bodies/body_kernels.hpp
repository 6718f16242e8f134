#pragma once
// Launches for energies body by body.
#include "core/vec3.hpp"
#include "core/view.hpp"
#include "linear/fixed_axes.hpp"

namespace unbarred {

/// energies[i] = 1/2 m |y - predicted|^2 over the free coordinates of owned vertex i.
void inertia_energies(View<const Real> mass, View<const AxisMask> fixed, View<const Vec3> y, View<const Vec3> predicted,
                      View<Real> energies);

/// sums[c] = values[order[i]] added for begins[c] <= i < begins[c + 1].
void sum_chunks_of(View<const Index> order, View<const Index> begins, View<const Real> values, View<Real> sums);

/// y = trial at the local vertices of the bodies with marked[body] != 0.
void take_marked_bodies(View<const std::int32_t> body, View<const std::uint8_t> marked, View<const Vec3> trial,
                        View<Vec3> y);

/// flags[e] = marked[body[e]].
void spread_marks(View<const std::int32_t> body, View<const std::uint8_t> marked, View<std::uint8_t> flags);

/// products[i] = a . b over the free coordinates of owned vertex i.
void free_products(View<const AxisMask> fixed, View<const Vec3> a, View<const Vec3> b, View<Real> products);

/// gaps[i] = coordinate `axis` of downhill - m p at owned vertex i.
void translation_gaps(View<const Real> mass, int axis, View<const Vec3> downhill, View<const Vec3> p, View<Real> gaps);
/// moments[i] = coordinate `axis` of m (a - b), or of m a where b is empty, at owned vertex i.
void moments(View<const Real> mass, int axis, View<const Vec3> a, View<const Vec3> b, View<Real> moments);
/// prescribed[i] = 1 where coordinate `axis` of owned vertex i is prescribed, 0 elsewhere.
void prescribed_on_axis(View<const AxisMask> fixed, int axis, View<Real> prescribed);
/// p += shift[body], local vertices.
void shift_bodies(View<const std::int32_t> body, View<const Vec3> shift, View<Vec3> p);

/// y += t[body] (x - y), local vertices.
void blend_bodies(View<const std::int32_t> body, View<const Real> t, View<const Vec3> x, View<Vec3> y);
/// y = x + step[body] p, local vertices.
void move_bodies(View<const std::int32_t> body, View<const Real> step, View<const Vec3> x, View<const Vec3> p,
                 View<Vec3> y);

}  // namespace unbarred
