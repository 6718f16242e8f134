#include "linear/coarse_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct Levers {
  AggregateVertices of;
  View<const Vec3> x;
  View<Vec3> levers;
  UNBARRED_FUNCTION void operator()(std::int64_t a) const {
    Vec3 sum{{0, 0, 0}};
    for (Index i = of.offsets[a]; i < of.offsets[a + 1]; ++i) sum += x[of.vertices[i]];
    const Vec3 center = (1 / static_cast<Real>(of.offsets[a + 1] - of.offsets[a])) * sum;
    for (Index i = of.offsets[a]; i < of.offsets[a + 1]; ++i) levers[of.vertices[i]] = x[of.vertices[i]] - center;
  }
};

void aggregate_levers(const AggregateVertices& of, View<const Vec3> x, View<Vec3> levers) {
  for_each_index("aggregate levers", of.count(), Levers{.of = of, .x = x, .levers = levers});
}

struct ComputeCoarseRows {
  AggregateVertices of;
  CoarseVertices at;
  View<const Index> offsets, columns;  // of the matrix
  View<const Block> values;
  CoarseRows rows;
  UNBARRED_FUNCTION void operator()(std::int64_t a) const {
    constexpr int m = coarse_modes;
    const Index begin = rows.offsets[a], end = rows.offsets[a + 1];
    for (Index s = begin * m * m; s < end * m * m; ++s) rows.values[s] = 0;
    for (Index i = of.offsets[a]; i < of.offsets[a + 1]; ++i) {
      const Index v = of.vertices[i];
      for (Index e = offsets[v]; e < offsets[v + 1]; ++e) {
        const Index w = columns[e];
        if (at.aggregate[w] < 0) continue;
        Index s = begin;
        while (rows.columns[s] != at.aggregate[w]) ++s;
        add(v, w, values[e], &rows.values[std::int64_t{s} * m * m]);
      }
    }
  }
  UNBARRED_FUNCTION void add(Index v, Index w, const Block& block, Real* sum) const {
    constexpr int m = coarse_modes;
    const Vec3 lv = at.levers[v], lw = at.levers[w];
    Vec3 image[m];
    for (int j = 0; j < m; ++j) {
      const Vec3 u = free_part(coarse_mode(j, lw), at.fixed[w]);
      Vec3 f{{0, 0, 0}};
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) f[r] += block(r, c) * u[c];
      image[j] = free_part(f, at.fixed[v]);
    }
    for (int j = 0; j < m; ++j) {
      const Vec3 torque = cross(lv, image[j]);
      for (int k = 0; k < 3; ++k) {
        sum[k * m + j] += image[j][k];
        sum[(3 + k) * m + j] += torque[k];
      }
    }
  }
};

void coarse_rows(const AggregateVertices& of, const CoarseVertices& at, const BlockMatrix& matrix,
                 const CoarseRows& rows) {
  for_each_index("coarse rows", of.count(),
                 ComputeCoarseRows{.of = of,
                                   .at = at,
                                   .offsets = matrix.offsets.view(),
                                   .columns = matrix.columns.view(),
                                   .values = matrix.values(),
                                   .rows = rows});
}

struct NameVertex {
  View<const std::int32_t> aggregate;
  View<const AxisMask> fixed;
  View<Vec3> names;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    names[v] = {{static_cast<Real>(aggregate[v]), static_cast<Real>(fixed[v]), 0}};
  }
};

void name_vertices(View<const std::int32_t> aggregate, View<const AxisMask> fixed, View<Vec3> names) {
  for_each_index("name vertices", names.size(), NameVertex{.aggregate = aggregate, .fixed = fixed, .names = names});
}

struct ToAggregates {
  AggregateVertices of;
  View<const Vec3> levers, r;
  View<Real> sums;
  UNBARRED_FUNCTION void operator()(std::int64_t a) const {
    Vec3 force{{0, 0, 0}}, torque{{0, 0, 0}};
    for (Index i = of.offsets[a]; i < of.offsets[a + 1]; ++i) {
      const Vec3 f = r[of.vertices[i]];
      force += f;
      torque += cross(levers[of.vertices[i]], f);
    }
    for (int k = 0; k < 3; ++k) {
      sums[a * coarse_modes + k] = force[k];
      sums[a * coarse_modes + 3 + k] = torque[k];
    }
  }
};

void to_aggregates(const AggregateVertices& of, View<const Vec3> levers, View<const Vec3> r, View<Real> sums) {
  for_each_index("to aggregates", of.count(), ToAggregates{.of = of, .levers = levers, .r = r, .sums = sums});
}

struct FromAggregates {
  CoarseVertices at;
  Index first;
  View<const Real> amplitudes;
  View<Vec3> z;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    if (at.aggregate[v] < 0) return;
    const Real* y = &amplitudes[std::int64_t{at.aggregate[v] - first} * coarse_modes];
    const Vec3 shift{{y[0], y[1], y[2]}}, turn{{y[3], y[4], y[5]}};
    z[v] += free_part(shift + cross(turn, at.levers[v]), at.fixed[v]);
  }
};

void from_aggregates(const CoarseVertices& at, Index first, View<const Real> amplitudes, View<Vec3> z) {
  for_each_index("from aggregates", z.size(),
                 FromAggregates{.at = at, .first = first, .amplitudes = amplitudes, .z = z});
}

}  // namespace unbarred
