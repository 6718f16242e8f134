#pragma once
#include <array>

#include "contact/pair.hpp"
#include "contact/primitives.hpp"
#include "contact/search/sieve.hpp"
#include "core/view.hpp"

namespace unbarred {

/// Straight motions of vertices, m.
struct Motion {
  View<const Vec3> start, end;
};
/// Sums over vertices, with the way of each on the path: squared; times where the motion starts and ends, from where
/// the path starts, m^2. The second and third over the first are times on the path that are next to the motion's ends.
std::array<Real, 3> along_path(View<const SurfaceVertex> vertices, const Motion& motion, const Motion& path);
/// Times on a path, the same for all vertices, in [0, 1].
struct PathPart {
  Real begin, end;
};
/// How far a motion is from others, at most over the vertices, m.
struct MotionDifference {
  Real of_boxes;  ///< it leaves the box around one by this, along an axis
  Real of_paths;  ///< from that part of the other, at any time
};
MotionDifference largest_difference(View<const SurfaceVertex> vertices, const Motion& motion, const Motion& box,
                                    const Motion& path, const PathPart& part);
/// Sum of the lengths of edges, m.
Real sum_of_lengths(View<const Edge> edges, View<const Vec3> positions);

/// clearances[i]: the sides of pair i are this far from each other, or further, on the whole way, m: along an axis or,
/// where that is less than `plenty`, the normal at one of the ends.
void clearances(View<const ContactPair> pairs, const Motion& motion, Real plenty, View<Real> clearances);
/// How many pairs a sieve does not drop.
Real count_near(const Sieve& sieve);

}  // namespace unbarred
