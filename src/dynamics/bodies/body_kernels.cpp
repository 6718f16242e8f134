#include "dynamics/bodies/body_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct InertiaOfVertex {
  View<const Real> mass;
  View<const AxisMask> fixed;
  View<const Vec3> y, predicted;
  View<Real> energies;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    energies[i] = 0.5 * mass[i] * squared_norm(free_part(y[i] - predicted[i], fixed[i]));
  }
};

void inertia_energies(View<const Real> mass, View<const AxisMask> fixed, View<const Vec3> y, View<const Vec3> predicted,
                      View<Real> energies) {
  for_each_index("inertia energies", energies.size(),
                 InertiaOfVertex{.mass = mass, .fixed = fixed, .y = y, .predicted = predicted, .energies = energies});
}

struct SumChunkOf {
  View<const Index> order, begins;
  View<const Real> values;
  View<Real> sums;
  UNBARRED_FUNCTION void operator()(std::int64_t c) const {
    Real sum = 0;
    for (Index i = begins[c]; i < begins[c + 1]; ++i) sum += values[order[i]];
    sums[c] = sum;
  }
};

void sum_chunks_of(View<const Index> order, View<const Index> begins, View<const Real> values, View<Real> sums) {
  for_each_index("sum by body", sums.size(),
                 SumChunkOf{.order = order, .begins = begins, .values = values, .sums = sums});
}

struct TakeMarkedBody {
  View<const std::int32_t> body;
  View<const std::uint8_t> marked;
  View<const Vec3> trial;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    if (marked[body[v]] != 0) y[v] = trial[v];
  }
};

void take_marked_bodies(View<const std::int32_t> body, View<const std::uint8_t> marked, View<const Vec3> trial,
                        View<Vec3> y) {
  for_each_index("take bodies", y.size(), TakeMarkedBody{.body = body, .marked = marked, .trial = trial, .y = y});
}

struct SpreadMark {
  View<const std::int32_t> body;
  View<const std::uint8_t> marked;
  View<std::uint8_t> flags;
  UNBARRED_FUNCTION void operator()(std::int64_t e) const { flags[e] = marked[body[e]]; }
};

void spread_marks(View<const std::int32_t> body, View<const std::uint8_t> marked, View<std::uint8_t> flags) {
  for_each_index("spread marks", flags.size(), SpreadMark{.body = body, .marked = marked, .flags = flags});
}

struct FreeProduct {
  View<const AxisMask> fixed;
  View<const Vec3> a, b;
  View<Real> products;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { products[i] = dot(free_part(a[i], fixed[i]), b[i]); }
};

void free_products(View<const AxisMask> fixed, View<const Vec3> a, View<const Vec3> b, View<Real> products) {
  for_each_index("free products", products.size(), FreeProduct{.fixed = fixed, .a = a, .b = b, .products = products});
}

struct TranslationGap {
  View<const Real> mass;
  int axis;
  View<const Vec3> downhill, p;
  View<Real> gaps;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { gaps[i] = downhill[i][axis] - mass[i] * p[i][axis]; }
};

void translation_gaps(View<const Real> mass, int axis, View<const Vec3> downhill, View<const Vec3> p, View<Real> gaps) {
  for_each_index("translation gaps", gaps.size(),
                 TranslationGap{.mass = mass, .axis = axis, .downhill = downhill, .p = p, .gaps = gaps});
}

struct BlendBody {
  View<const std::int32_t> body;
  View<const Real> t;
  View<const Vec3> x;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const { y[v] += t[body[v]] * (x[v] - y[v]); }
};

void blend_bodies(View<const std::int32_t> body, View<const Real> t, View<const Vec3> x, View<Vec3> y) {
  for_each_index("blend bodies", y.size(), BlendBody{.body = body, .t = t, .x = x, .y = y});
}

struct Moment {
  View<const Real> mass;
  int axis;
  View<const Vec3> a, b;
  View<Real> moments;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    moments[i] = mass[i] * (a[i][axis] - (b.size() > 0 ? b[i][axis] : 0));
  }
};

void moments(View<const Real> mass, int axis, View<const Vec3> a, View<const Vec3> b, View<Real> moments) {
  for_each_index("moments", moments.size(), Moment{.mass = mass, .axis = axis, .a = a, .b = b, .moments = moments});
}

struct PrescribedOnAxis {
  View<const AxisMask> fixed;
  int axis;
  View<Real> prescribed;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { prescribed[i] = fixed[i] >> axis & 1; }
};

void prescribed_on_axis(View<const AxisMask> fixed, int axis, View<Real> prescribed) {
  for_each_index("prescribed on axis", prescribed.size(), PrescribedOnAxis{fixed, axis, prescribed});
}

struct ShiftBody {
  View<const std::int32_t> body;
  View<const Vec3> shift;
  View<Vec3> p;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const { p[v] += shift[body[v]]; }
};

void shift_bodies(View<const std::int32_t> body, View<const Vec3> shift, View<Vec3> p) {
  for_each_index("shift bodies", p.size(), ShiftBody{.body = body, .shift = shift, .p = p});
}

struct MoveBody {
  View<const std::int32_t> body;
  View<const Real> step;
  View<const Vec3> x, p;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const { y[v] = x[v] + step[body[v]] * p[v]; }
};

void move_bodies(View<const std::int32_t> body, View<const Real> step, View<const Vec3> x, View<const Vec3> p,
                 View<Vec3> y) {
  for_each_index("move bodies", y.size(), MoveBody{.body = body, .step = step, .x = x, .p = p, .y = y});
}

}  // namespace unbarred
