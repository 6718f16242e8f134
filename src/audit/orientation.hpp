#pragma once
// On which side of a plane, or of a line of the plane, a point lies: always the exact answer.
#include "core/vec3.hpp"

namespace unbarred::exact {

inline bool equal(const Vec3& p, const Vec3& q) { return p[0] == q[0] && p[1] == q[1] && p[2] == q[2]; }

/// The sign (-1, 0, 1) of det(b - a, c - a, d - a): 1 when d lies on the side of the triangle a, b, c to which its
/// right-hand normal points, 0 when the four points are coplanar. Exact for all finite coordinates.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// A coordinate plane to look at points in: the coordinates left when `dropped` (0, 1, 2) is left out, in cyclic order.
struct Projection {
  int dropped;
  Real first(const Vec3& p) const { return p[(dropped + 1) % 3]; }
  Real second(const Vec3& p) const { return p[(dropped + 2) % 3]; }
};

/// The sign of the area of a, b, c as seen in a coordinate plane: 1 when they turn counterclockwise, 0 when they lie on
/// one line there. Exact for all finite coordinates.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, Projection plane);

}  // namespace unbarred::exact
