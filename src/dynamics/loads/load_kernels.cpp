#include "dynamics/loads/load_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct Accelerate {
  Real scale;
  View<const Vec3> force;
  View<const Real> mass;
  View<Vec3> predicted;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    if (mass[i] > 0) predicted[i] += (scale / mass[i]) * force[i];
  }
};

void accelerate(Real scale, View<const Vec3> force, View<const Real> mass, View<Vec3> predicted) {
  for_each_index("accelerate", force.size(),
                 Accelerate{.scale = scale, .force = force, .mass = mass, .predicted = predicted});
}

/// Sum of a third of the area vectors of the triangles around a vertex of the surface.
struct AreaAround {
  View<const SurfaceTriangle> triangles;
  View<const Index> offsets, around;
  View<const Vec3> x;
  UNBARRED_FUNCTION Vec3 operator()(std::int64_t i) const {
    Vec3 sum{{0, 0, 0}};
    for (Index k = offsets[i]; k < offsets[i + 1]; ++k) {
      const SurfaceTriangle t = triangles[around[k]];
      const Vec3 a = x[t.v[0]];
      sum += cross(x[t.v[1]] - a, x[t.v[2]] - a);
    }
    return Real(1.0 / 6.0) * sum;
  }
};

static AreaAround area_around(const PressureSurface& surface, View<const Vec3> x) {
  return {.triangles = surface.triangles.view(),
          .offsets = surface.offsets.view(),
          .around = surface.around.view(),
          .x = x};
}

struct AccelerateByPressure {
  Real scale;
  AreaAround area;
  View<const Index> vertices;
  View<const Real> mass;
  View<Vec3> predicted;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Index v = vertices[i];
    predicted[v] -= (scale / mass[v]) * area(i);
  }
};

void accelerate_by_pressure(const PressureSurface& surface, Real scale, View<const Real> mass, View<const Vec3> x,
                            View<Vec3> predicted) {
  for_each_index("accelerate by pressure", surface.vertices.size(),
                 AccelerateByPressure{.scale = scale * surface.pressure,
                                      .area = area_around(surface, x),
                                      .vertices = surface.vertices.view(),
                                      .mass = mass,
                                      .predicted = predicted});
}

struct AddPressureGradient {
  Real scale;
  AreaAround area;
  View<const Index> vertices;
  View<Vec3> downhill, gradient;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Index v = vertices[i];
    const Vec3 g = scale * area(i);
    gradient[v] += g;
    downhill[v] -= g;
  }
};

void add_pressure_gradient(const PressureSurface& surface, Real scale, View<const Vec3> x, View<Vec3> downhill,
                           View<Vec3> gradient) {
  for_each_index("add pressure gradient", surface.vertices.size(),
                 AddPressureGradient{.scale = scale * surface.pressure,
                                     .area = area_around(surface, x),
                                     .vertices = surface.vertices.view(),
                                     .downhill = downhill,
                                     .gradient = gradient});
}

struct AddPressure {
  Real scale;
  AreaAround area;
  View<const Index> vertices;
  View<Vec3> gradient;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { gradient[vertices[i]] += scale * area(i); }
};

void add_pressure_gradient(const PressureSurface& surface, Real scale, View<const Vec3> x, View<Vec3> gradient) {
  for_each_index("add pressure", surface.vertices.size(),
                 AddPressure{.scale = scale * surface.pressure,
                             .area = area_around(surface, x),
                             .vertices = surface.vertices.view(),
                             .gradient = gradient});
}

struct VolumeUnder {
  View<const SurfaceTriangle> triangles;
  View<const Vec3> x;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    const SurfaceTriangle t = triangles[i];
    const Vec3 a = x[t.v[0]];
    terms[0] = dot(a, cross(x[t.v[1]] - a, x[t.v[2]] - a)) / 6;
  }
};

Real pressure_energy(const PressureSurface& surface, View<const Vec3> x) {
  return surface.pressure *
         sums<1>("volume", surface.counted, VolumeUnder{.triangles = surface.triangles.view(), .x = x})[0];
}

struct AddSprings {
  Real scale;
  View<const VertexSpring> springs;
  View<const Index> diagonal;
  View<const Vec3> x;
  View<Block> values;
  View<Vec3> downhill, gradient;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const VertexSpring s = springs[i];
    const Real k = scale * s.stiffness;
    const Vec3 g = k * (x[s.vertex] - s.point);
    gradient[s.vertex] += g;
    downhill[s.vertex] -= g;
    Block& block = values[diagonal[s.vertex]];
    for (int axis = 0; axis < 3; ++axis) block(axis, axis) += k;
  }
};

void add_springs(View<const VertexSpring> springs, Real scale, View<const Vec3> x, BlockMatrix& matrix,
                 View<Vec3> downhill, View<Vec3> gradient) {
  for_each_index("add springs", springs.size(),
                 AddSprings{.scale = scale,
                            .springs = springs,
                            .diagonal = matrix.diagonal.view(),
                            .x = x,
                            .values = matrix.values(),
                            .downhill = downhill,
                            .gradient = gradient});
}

struct AddSpringForces {
  Real scale;
  View<const VertexSpring> springs;
  View<const Vec3> x;
  View<Vec3> gradient;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const VertexSpring s = springs[i];
    gradient[s.vertex] += (scale * s.stiffness) * (x[s.vertex] - s.point);
  }
};

void add_spring_gradient(View<const VertexSpring> springs, Real scale, View<const Vec3> x, View<Vec3> gradient) {
  for_each_index("add spring forces", springs.size(),
                 AddSpringForces{.scale = scale, .springs = springs, .x = x, .gradient = gradient});
}

struct SpringEnergy {
  View<const VertexSpring> springs;
  View<const Vec3> x;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    const VertexSpring s = springs[i];
    terms[0] = 0.5 * s.stiffness * squared_norm(x[s.vertex] - s.point);
  }
};

Real spring_energy(View<const VertexSpring> springs, View<const Vec3> x) {
  return sums<1>("spring energy", springs.size(), SpringEnergy{.springs = springs, .x = x})[0];
}

struct ForceEnergy {
  View<const Vec3> force;
  Vec3 origin;
  View<const Vec3> x;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = -dot(force[i], origin + x[i]);
  }
};

Real force_energy(View<const Vec3> force, const Vec3& origin, View<const Vec3> x) {
  return sums<1>("force energy", force.size(), ForceEnergy{.force = force, .origin = origin, .x = x})[0];
}

}  // namespace unbarred
