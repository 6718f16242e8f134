#include "dynamics/rigid_kernels.hpp"

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

}  // namespace unbarred
