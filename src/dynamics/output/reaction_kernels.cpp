#include "dynamics/output/reaction_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct SumReactions {
  View<const Index> vertices;
  AxisMask axes;
  HoldingForces forces;
  Vec3 origin;
  View<const Vec3> x;
  View<const AxisMask> taken;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[6]) const {
    for (Real& term : terms) term = 0;
    const Index v = vertices[i];
    if (v >= taken.size()) return;
    Vec3 all = forces.per_time_squared * forces.gradient[v];
    if (forces.normal.size() > 0) all -= forces.normal[v] + forces.friction[v];
    const Vec3 force = all - free_part(all, static_cast<AxisMask>(axes & ~taken[v]));
    const Vec3 moment = cross(origin + x[v], force);
    for (int k = 0; k < 3; ++k) {
      terms[k] = force[k];
      terms[3 + k] = moment[k];
    }
  }
};

struct TakeAxes {
  View<const Index> vertices;
  AxisMask axes;
  View<AxisMask> taken;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Index v = vertices[i];
    if (v < taken.size()) taken[v] = static_cast<AxisMask>(taken[v] | axes);
  }
};

std::array<Real, 6> sum_reactions(View<const Index> vertices, AxisMask axes, const HoldingForces& forces,
                                  const Vec3& origin, View<const Vec3> x, View<AxisMask> taken) {
  const auto sum = sums<6>(
      "sum reactions", vertices.size(),
      SumReactions{.vertices = vertices, .axes = axes, .forces = forces, .origin = origin, .x = x, .taken = taken});
  for_each_index("take axes", vertices.size(), TakeAxes{.vertices = vertices, .axes = axes, .taken = taken});
  return sum;
}

}  // namespace unbarred
