#pragma once
// Launches for loads. Every sum over triangles around a vertex has a fixed order.
#include "dynamics/loads/loads.hpp"

namespace unbarred {

/// predicted += scale f / m; vertices without mass stay.
void accelerate(Real scale, View<const Vec3> force, View<const Real> mass, View<Vec3> predicted);
/// predicted -= scale p A n / m at the vertices of the surface, a third of every triangle's area vector A n at x.
void accelerate_by_pressure(const PressureSurface& surface, Real scale, View<const Real> mass, View<const Vec3> x,
                            View<Vec3> predicted);

/// gradient += scale p A n; downhill -= the same. For a closed surface this is the derivative of scale p volume.
void add_pressure_gradient(const PressureSurface& surface, Real scale, View<const Vec3> x, View<Vec3> downhill,
                           View<Vec3> gradient);
/// gradient += scale p A n.
void add_pressure_gradient(const PressureSurface& surface, Real scale, View<const Vec3> x, View<Vec3> gradient);
/// p times the volume under the counted triangles.
Real pressure_energy(const PressureSurface& surface, View<const Vec3> x);

/// gradient += scale k (x - point); downhill -= the same; diagonal blocks += scale k.
void add_springs(View<const VertexSpring> springs, Real scale, View<const Vec3> x, BlockMatrix& matrix,
                 View<Vec3> downhill, View<Vec3> gradient);
/// gradient += scale k (x - point).
void add_spring_gradient(View<const VertexSpring> springs, Real scale, View<const Vec3> x, View<Vec3> gradient);
Real spring_energy(View<const VertexSpring> springs, View<const Vec3> x);

/// - sum f . (origin + x)
Real force_energy(View<const Vec3> force, const Vec3& origin, View<const Vec3> x);

}  // namespace unbarred
