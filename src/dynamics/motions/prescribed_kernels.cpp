#include "dynamics/motions/prescribed_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct ApplyStepMap {
  StepMap map;
  View<const Index> vertices;
  View<const Vec3> x;
  View<AxisMask> fixed;
  View<Vec3> target;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Index v = vertices[i];
    const Vec3 moved = map.linear * x[v] + map.shift;
    for (int k = 0; k < 3; ++k)
      if (map.axes >> k & 1) target[v][k] = moved[k];
    fixed[v] = static_cast<AxisMask>(fixed[v] | map.axes);
  }
};

void apply_step_map(const StepMap& map, View<const Index> vertices, View<const Vec3> x, View<AxisMask> fixed,
                    View<Vec3> target) {
  for_each_index("apply step map", vertices.size(),
                 ApplyStepMap{.map = map, .vertices = vertices, .x = x, .fixed = fixed, .target = target});
}

struct PrescribedLift {
  View<const AxisMask> fixed;
  View<const Vec3> target, y;
  View<Vec3> lift;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    const Vec3 all = target[i] - y[i];
    const Vec3 prescribed = all - free_part(all, fixed[i]);
    lift[i] = prescribed;
    terms[0] = 0;
    for (int k = 0; k < 3; ++k) {
      const Real size = prescribed[k] < 0 ? -prescribed[k] : prescribed[k];
      terms[0] = size > terms[0] ? size : terms[0];
    }
  }
};

Real prescribed_lift(View<const AxisMask> fixed, View<const Vec3> target, View<const Vec3> y, View<Vec3> lift) {
  const Real size = largest<1>("prescribed lift", lift.size(),
                               PrescribedLift{.fixed = fixed, .target = target, .y = y, .lift = lift})[0];
  return size > 0 ? size : 0;
}

struct TakePrescribed {
  View<const AxisMask> fixed;
  View<const Vec3> target;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    for (int k = 0; k < 3; ++k)
      if (fixed[v] >> k & 1) y[v][k] = target[v][k];
  }
};

void take_prescribed(View<const AxisMask> fixed, View<const Vec3> target, View<Vec3> y) {
  for_each_index("take prescribed", y.size(), TakePrescribed{.fixed = fixed, .target = target, .y = y});
}

}  // namespace unbarred
