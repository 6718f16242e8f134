#pragma once
// Launches for prescribed vertices.
#include "dynamics/motions/prescribed_motion.hpp"

namespace unbarred {

/// For each vertex of the list: marks the axes of `map` in fixed, and moves those coordinates of target.
void apply_step_map(const StepMap& map, View<const Index> vertices, View<const Vec3> x, View<AxisMask> fixed,
                    View<Vec3> target);

/// lift = target - y at prescribed coordinates, zero elsewhere; returns the largest |lift| over these vertices.
Real prescribed_lift(View<const AxisMask> fixed, View<const Vec3> target, View<const Vec3> y, View<Vec3> lift);

/// y = target at prescribed coordinates, to the last bit.
void take_prescribed(View<const AxisMask> fixed, View<const Vec3> target, View<Vec3> y);

}  // namespace unbarred
