#include "dynamics/step/rigid_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct RigidMode {
  int mode;
  View<const std::int32_t> body;
  View<const Vec3> centers, x;
  View<Vec3> modes;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const { modes[v] = rigid_mode(mode, x[v] - centers[body[v]]); }
};

void rigid_modes(int mode, View<const std::int32_t> body, View<const Vec3> centers, View<const Vec3> x,
                 View<Vec3> modes) {
  for_each_index("rigid modes", modes.size(),
                 RigidMode{.mode = mode, .body = body, .centers = centers, .x = x, .modes = modes});
}

struct SumRigidly {
  View<const Index> order, begins;
  View<const std::int32_t> body;
  View<const Vec3> centers, x, a;
  View<RigidSum> sums;
  UNBARRED_FUNCTION void operator()(std::int64_t c) const {
    RigidSum sum;
    const Vec3 center = centers[body[order[begins[c]]]];
    for (Index i = begins[c]; i < begins[c + 1]; ++i) {
      const Index v = order[i];
      sum.force += a[v];
      sum.torque += cross(x[v] - center, a[v]);
    }
    sums[c] = sum;
  }
};

void rigid_sums(View<const Index> order, View<const Index> begins, View<const std::int32_t> body,
                View<const Vec3> centers, View<const Vec3> x, View<const Vec3> a, View<RigidSum> sums) {
  for_each_index(
      "rigid sums", sums.size(),
      SumRigidly{.order = order, .begins = begins, .body = body, .centers = centers, .x = x, .a = a, .sums = sums});
}

struct MoveRigidly {
  View<const std::int32_t> body;
  View<const Vec3> centers, shifts, turns, x;
  View<Vec3> p;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    const std::int32_t b = body[v];
    p[v] += shifts[b] + cross(turns[b], x[v] - centers[b]);
  }
};

void move_rigidly(View<const std::int32_t> body, View<const Vec3> centers, View<const Vec3> shifts,
                  View<const Vec3> turns, View<const Vec3> x, View<Vec3> p) {
  for_each_index("move rigidly", p.size(),
                 MoveRigidly{.body = body, .centers = centers, .shifts = shifts, .turns = turns, .x = x, .p = p});
}

struct InertiaEntry {
  View<const Real> mass;
  int row, column;
  View<const std::int32_t> body;
  View<const Vec3> centers, x;
  View<Real> moments;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Vec3 r = x[i] - centers[body[i]];
    moments[i] = mass[i] * ((row == column ? squared_norm(r) : 0) - r[row] * r[column]);
  }
};

void inertia_entries(View<const Real> mass, int row, int column, View<const std::int32_t> body,
                     View<const Vec3> centers, View<const Vec3> x, View<Real> moments) {
  for_each_index(
      "inertia entries", moments.size(),
      InertiaEntry{
          .mass = mass, .row = row, .column = column, .body = body, .centers = centers, .x = x, .moments = moments});
}

struct TurningMoment {
  View<const Real> mass;
  int axis;
  View<const std::int32_t> body;
  View<const Vec3> centers, x, a, b;
  View<Real> moments;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Vec3 difference = b.size() > 0 ? a[i] - b[i] : a[i];
    moments[i] = mass[i] * cross(x[i] - centers[body[i]], difference)[axis];
  }
};

void turning_moments(View<const Real> mass, int axis, View<const std::int32_t> body, View<const Vec3> centers,
                     View<const Vec3> x, View<const Vec3> a, View<const Vec3> b, View<Real> moments) {
  for_each_index(
      "turning moments", moments.size(),
      TurningMoment{
          .mass = mass, .axis = axis, .body = body, .centers = centers, .x = x, .a = a, .b = b, .moments = moments});
}

struct BendToRotation {
  View<const std::int32_t> body;
  View<const Vec3> centers, turns, x;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    const Vec3 turn = turns[body[v]];
    const Real squared = squared_norm(turn);
    if (!(squared > 0)) return;
    // sin t / t - 1 and (1 - cos t) / t^2; their series where nothing is left of the first but rounding.
    const Real angle = sqrt(squared);
    const bool small = squared < 1e-2;
    const Real along = small ? squared * (-1.0 / 6 + squared * (1.0 / 120 - squared / 5040)) : sin(angle) / angle - 1;
    const Real across =
        small ? 0.5 + squared * (-1.0 / 24 + squared * (1.0 / 720 - squared / 40320)) : (1 - cos(angle)) / squared;
    const Vec3 tangent = cross(turn, x[v] - centers[body[v]]);
    y[v] += along * tangent + across * cross(turn, tangent);
  }
};

void bend_to_rotations(View<const std::int32_t> body, View<const Vec3> centers, View<const Vec3> turns,
                       View<const Vec3> x, View<Vec3> y) {
  for_each_index("bend to rotations", y.size(),
                 BendToRotation{.body = body, .centers = centers, .turns = turns, .x = x, .y = y});
}

}  // namespace unbarred
