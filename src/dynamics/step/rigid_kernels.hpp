#pragma once
// Launches over vertices for the rigid motions of bodies (RigidMotion).
#include "core/vec3.hpp"
#include "core/view.hpp"

namespace unbarred {

/// Translations along, then rotations about, the three axes through `center`: u(x) = e or e x (x - center).
UNBARRED_FUNCTION Vec3 rigid_mode(int mode, const Vec3& from_center) {
  Vec3 axis{{0, 0, 0}};
  axis[mode % 3] = 1;
  return mode < 3 ? axis : cross(axis, from_center);
}

/// modes[v] = the motion of local vertex v in that mode of its body.
void rigid_modes(int mode, View<const std::int32_t> body, View<const Vec3> centers, View<const Vec3> x,
                 View<Vec3> modes);
/// Of the forces a: their sum, and their torque about the center of the body.
struct RigidSum {
  Vec3 force{{0, 0, 0}}, torque{{0, 0, 0}};
};
/// sums[c] over the vertices order[begins[c]] ... order[begins[c + 1] - 1], all of one body.
void rigid_sums(View<const Index> order, View<const Index> begins, View<const std::int32_t> body,
                View<const Vec3> centers, View<const Vec3> x, View<const Vec3> a, View<RigidSum> sums);
/// p += shift[body] + turn[body] x (x - center[body]).
void move_rigidly(View<const std::int32_t> body, View<const Vec3> centers, View<const Vec3> shifts,
                  View<const Vec3> turns, View<const Vec3> x, View<Vec3> p);

/// moments[i] = entry (row, column) of m (|r|^2 1 - r r^T), r = x - center[body], at owned vertex i.
void inertia_entries(View<const Real> mass, int row, int column, View<const std::int32_t> body,
                     View<const Vec3> centers, View<const Vec3> x, View<Real> moments);
/// moments[i] = coordinate `axis` of r x m (a - b), or of r x m a where b is empty.
void turning_moments(View<const Real> mass, int axis, View<const std::int32_t> body, View<const Vec3> centers,
                     View<const Vec3> x, View<const Vec3> a, View<const Vec3> b, View<Real> moments);
/// y += (R - 1 - [turn]) r with the rotation R by turn[body] and r = x - center[body]: what a rotation differs from its
/// tangent by.
void bend_to_rotations(View<const std::int32_t> body, View<const Vec3> centers, View<const Vec3> turns,
                       View<const Vec3> x, View<Vec3> y);

}  // namespace unbarred
