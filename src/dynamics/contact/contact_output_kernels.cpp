#include "dynamics/contact/contact_output_kernels.hpp"

#include "contact/pairs/pair_slip.hpp"
#include "core/parallel.hpp"

namespace unbarred {

namespace {

/// The pair with its link at x: that of the active set is of the last solve.
UNBARRED_FUNCTION ActivePair linked_at(ActivePair p, const VertexValues& x) {
  const Vec3 corners[4] = {x[p.pair.v[0]], x[p.pair.v[1]], x[p.pair.v[2]], x[p.pair.v[3]]};
  p.link = pair_distance(p.pair.kind, corners);
  return p;
}

}  // namespace

struct ComputePairForces {
  View<const ActivePair> pairs;
  StepEnd step;
  View<PairForce> forces;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const ActivePair& p = pairs[i];
    PairForce f{};
    for (int k = 0; k < 4; ++k) f.weight[k] = p.link.weight[k];
    f.gap = linked_at(p, step.x).link.distance;
    const Real per = 1 / step.time_step_squared;
    f.normal = (per * p.multiplier) * p.link.normal;
    f.friction = per * p.friction_force;
    const Vec3 error = friction_error(p, step.x, step.start, step.slip_length);
    f.friction_error = per * error;
    f.error_energy = per * squared_norm(error) / (2 * p.penalty);
    forces[i] = f;
  }
};

void pair_forces(View<const ActivePair> pairs, const StepEnd& step, View<PairForce> forces) {
  for_each_index("pair forces", pairs.size(), ComputePairForces{.pairs = pairs, .step = step, .forces = forces});
}

struct ComputePairLines {
  View<const ActivePair> pairs;
  VertexValues x;
  View<PairLine> lines;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const ActivePair p = linked_at(pairs[i], x);
    const int side_a = side_a_size(p.pair.kind);
    PairLine line{{{0, 0, 0}}, {{0, 0, 0}}};
    for (int k = 0; k < 4; ++k) {
      const Vec3 part = p.link.weight[k] * x[p.pair.v[k]];
      if (k < side_a) line.a += part;
      else line.b -= part;
    }
    lines[i] = line;
  }
};

void pair_lines(View<const ActivePair> pairs, const VertexValues& x, View<PairLine> lines) {
  for_each_index("pair lines", pairs.size(), ComputePairLines{.pairs = pairs, .x = x, .lines = lines});
}

struct SumAtVertices {
  PairsOfVertices around;
  View<const PairForce> forces;
  VertexSums sums;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    Vec3 normal{{0, 0, 0}}, friction{{0, 0, 0}};
    Real gap = 1e300;
    for (Index e = around.offsets[i]; e < around.offsets[i + 1]; ++e) {
      const PairForce& f = forces[around.entries[e] / 4];
      const Real weight = f.weight[around.entries[e] % 4];
      normal += weight * f.normal;
      friction += weight * f.friction;
      gap = f.gap < gap ? f.gap : gap;
    }
    const Index v = around.vertices[i];
    sums.normal[v] = normal;
    sums.friction[v] = friction;
    sums.gap[v] = gap;
  }
};

void sum_at_vertices(const PairsOfVertices& around, View<const PairForce> forces, const VertexSums& sums) {
  for_each_index("sum at vertices", around.vertices.size(),
                 SumAtVertices{.around = around, .forces = forces, .sums = sums});
}

struct ShareAreas {
  TrianglesAround around;
  View<const Vec3> x;
  View<Real> areas;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    Real sum = 0;
    for (Index e = around.offsets[v]; e < around.offsets[v + 1]; ++e) {
      const Triangle& t = around.triangles[e];
      sum += sqrt(squared_norm(cross(x[t.v[1]] - x[t.v[0]], x[t.v[2]] - x[t.v[0]]))) / 6;
    }
    areas[v] = sum;
  }
};

void share_areas(const TrianglesAround& around, View<const Vec3> x, View<Real> areas) {
  for_each_index("share areas", areas.size(), ShareAreas{.around = around, .x = x, .areas = areas});
}

struct PressuresOf {
  View<const Vec3> forces;
  View<const Real> areas;
  View<Real> pressures;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    const Real force = sqrt(squared_norm(forces[v]));
    pressures[v] = force > 0 && areas[v] > 0 ? force / areas[v] : 0;
  }
};

void pressures_of(View<const Vec3> forces, View<const Real> areas, View<Real> pressures) {
  for_each_index("pressures", forces.size(), PressuresOf{.forces = forces, .areas = areas, .pressures = pressures});
}

}  // namespace unbarred
