#pragma once
// Launches behind Reactions.
#include <array>

#include "core/view.hpp"
#include "linear/fixed_axes.hpp"

namespace unbarred {

/// Of owned vertices.
struct HoldingForces {
  Real per_time_squared;      ///< 1 / h^2, 1/s^2
  View<const Vec3> gradient;  ///< of what the step minimizes, N s^2
  View<const Vec3> normal;    ///< of contact, N; empty without contact
  View<const Vec3> friction;  ///< likewise
};

/// Force (N) and moment (N m, about the origin of origin + x) that hold the coordinates `axes` of the owned ones among
/// `vertices`, without the coordinates that are taken, which these join. taken: of owned vertices; x: m.
std::array<Real, 6> sum_reactions(View<const Index> vertices, AxisMask axes, const HoldingForces& forces,
                                  const Vec3& origin, View<const Vec3> x, View<AxisMask> taken);

}  // namespace unbarred
