#include "dynamics/vertex_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct Predict {
  Real h;
  Vec3 gravity;
  View<const Vec3> x, v;
  View<Vec3> predicted;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { predicted[i] = x[i] + h * (v[i] + h * gravity); }
};

void predict(Real time_step, const Vec3& gravity, View<const Vec3> x, View<const Vec3> v, View<Vec3> predicted) {
  for_each_index("predict", predicted.size(),
                 Predict{.h = time_step, .gravity = gravity, .x = x, .v = v, .predicted = predicted});
}

struct MoveAlong {
  View<const Vec3> x;
  Real step;
  View<const Vec3> p;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { y[i] = x[i] + step * p[i]; }
};

void move_along(View<const Vec3> x, Real step, View<const Vec3> p, View<Vec3> y) {
  for_each_index("move along", y.size(), MoveAlong{.x = x, .step = step, .p = p, .y = y});
}

struct MoveFreeAlong {
  View<const AxisMask> fixed;
  View<const Vec3> x;
  Real step;
  View<const Vec3> p;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { y[i] = x[i] + step * free_part(p[i], fixed[i]); }
};

void move_free_along(View<const AxisMask> fixed, View<const Vec3> x, Real step, View<const Vec3> p, View<Vec3> y) {
  for_each_index("move free along", y.size(), MoveFreeAlong{.fixed = fixed, .x = x, .step = step, .p = p, .y = y});
}

struct AddScaled {
  Real factor;
  View<const Vec3> x;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const { y[v] += factor * x[v]; }
};

void add_scaled(Real factor, View<const Vec3> x, View<Vec3> y) {
  for_each_index("add scaled", y.size(), AddScaled{.factor = factor, .x = x, .y = y});
}

struct VelocityFrom {
  Real h;
  View<const Vec3> x, start;
  View<Vec3> v;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    for (int k = 0; k < 3; ++k) v[i][k] = (x[i][k] - start[i][k]) / h;
  }
};

void velocity_from(Real time_step, View<const Vec3> x, View<const Vec3> start, View<Vec3> v) {
  for_each_index("velocity", v.size(), VelocityFrom{.h = time_step, .x = x, .start = start, .v = v});
}

struct InverseMass {
  View<const Real> mass;
  View<const AxisMask> fixed;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    for (int k = 0; k < 3; ++k) y[i][k] = fixed[i] >> k & 1 ? 0 : 1 / mass[i];
  }
};

void inverse_masses(View<const Real> mass, View<const AxisMask> fixed, View<Vec3> y) {
  for_each_index("inverse masses", mass.size(), InverseMass{.mass = mass, .fixed = fixed, .y = y});
}

struct InertiaEnergy {
  View<const Real> mass;
  View<const AxisMask> fixed;
  View<const Vec3> y, predicted;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = 0.5 * mass[i] * squared_norm(free_part(y[i] - predicted[i], fixed[i]));
  }
};

Real inertia_energy(View<const Real> mass, View<const AxisMask> fixed, View<const Vec3> y, View<const Vec3> predicted) {
  return sums<1>("inertia energy", mass.size(),
                 InertiaEnergy{.mass = mass, .fixed = fixed, .y = y, .predicted = predicted})[0];
}

struct MeasureResidual {
  View<const Index> diagonal;
  View<const Block> values;
  View<const Real> mass;
  View<const AxisMask> fixed;
  View<const Vec3> downhill, y, predicted, loads;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[3]) const {
    terms[0] = terms[1] = terms[2] = 0;
    const Block& block = values[diagonal[i]];
    for (int k = 0; k < 3; ++k) {
      if (fixed[i] >> k & 1) continue;
      const Real inertia = mass[i] * (y[i][k] - predicted[i][k]);
      const Real load = loads.size() > 0 ? loads[i][k] : 0;
      const Real elastic = -downhill[i][k] - inertia - load;
      terms[0] += downhill[i][k] * downhill[i][k] / block(k, k);
      terms[1] += (inertia * inertia + elastic * elastic + load * load) / block(k, k);
      terms[2] += block(k, k) * y[i][k] * y[i][k];
    }
  }
};

ResidualSizes residual_sizes(const BlockMatrix& matrix, View<const Real> mass, View<const AxisMask> fixed,
                             View<const Vec3> downhill, View<const Vec3> y, View<const Vec3> predicted,
                             View<const Vec3> loads) {
  const auto total = sums<3>("residual sizes", matrix.rows(),
                             MeasureResidual{.diagonal = matrix.diagonal.view(),
                                             .values = matrix.values(),
                                             .mass = mass,
                                             .fixed = fixed,
                                             .downhill = downhill,
                                             .y = y,
                                             .predicted = predicted,
                                             .loads = loads});
  return {total[0], total[1], total[2]};
}

struct FreeDot {
  View<const AxisMask> fixed;
  View<const Vec3> a, b;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = dot(free_part(a[i], fixed[i]), b[i]);
  }
};

Real free_dot(View<const AxisMask> fixed, View<const Vec3> a, View<const Vec3> b) {
  return sums<1>("free dot", a.size(), FreeDot{.fixed = fixed, .a = a, .b = b})[0];
}

struct SumInvariants {
  View<const Real> mass;
  Vec3 gravity, origin;
  View<const Vec3> x, v;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[8]) const {
    const Vec3 momentum = mass[i] * v[i];
    const Vec3 at = origin + x[i];
    const Vec3 angular = cross(at, momentum);
    terms[0] = 0.5 * dot(momentum, v[i]);
    terms[1] = -mass[i] * dot(gravity, at);
    for (int k = 0; k < 3; ++k) {
      terms[2 + k] = momentum[k];
      terms[5 + k] = angular[k];
    }
  }
};

Invariants invariants(View<const Real> mass, const Vec3& gravity, const Vec3& origin, View<const Vec3> x,
                      View<const Vec3> v) {
  const auto s = sums<8>("invariants", mass.size(),
                         SumInvariants{.mass = mass, .gravity = gravity, .origin = origin, .x = x, .v = v});
  return {s[0], s[1], {{s[2], s[3], s[4]}}, {{s[5], s[6], s[7]}}};
}

struct LargestFree {
  View<const AxisMask> fixed;
  View<const Vec3> a;
  UNBARRED_FUNCTION void operator()(std::int64_t v, Real (&terms)[1]) const {
    const Vec3 part = free_part(a[v], fixed[v]);
    terms[0] = 0;
    for (int k = 0; k < 3; ++k) {
      const Real size = part[k] < 0 ? -part[k] : part[k];
      terms[0] = size > terms[0] ? size : terms[0];
    }
  }
};

Real largest_free(View<const AxisMask> fixed, View<const Vec3> a) {
  const Real size = largest<1>("largest free", a.size(), LargestFree{.fixed = fixed, .a = a})[0];
  return size > 0 ? size : 0;
}

}  // namespace unbarred
