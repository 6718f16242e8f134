#include "dynamics/loads/loads.hpp"

#include "dynamics/loads/load_kernels.hpp"

namespace unbarred {

PressureSurface::PressureSurface(const PressurePlan& plan)
    : pressure(plan.pressure),
      from(plan.from),
      to(plan.to),
      closed(plan.closed),
      counted(plan.counted),
      triangles(plan.triangles),
      vertices(plan.vertices),
      offsets(plan.offsets),
      around(plan.around) {}

Loads::Loads(const LoadPlan& plan, Real time_step)
    : time_step_(time_step),
      in_prediction_(plan.has_body_force),
      in_system_(!plan.springs.empty()),
      body_force_(plan.body_force) {
  for (const PressurePlan& pressure : plan.pressures) {
    (pressure.closed ? in_system_ : in_prediction_) = true;
    pressures_.emplace_back(pressure);
  }
  for (const std::vector<VertexSpring>& springs : plan.springs) springs_.emplace_back(springs);
}

// A millionth of a step is rounding, as in the windows of motions.
bool Loads::acts(const PressureSurface& surface, Real end_time) const {
  const Real slack = 1e-6 * time_step_;
  return end_time > surface.from + slack && end_time <= surface.to + slack;
}

void Loads::add_to_prediction(Real end_time, View<const Real> mass, View<const Vec3> x, View<Vec3> predicted) const {
  const Real scale = time_step_ * time_step_;
  accelerate(scale, body_force_.view(), mass, predicted);
  for (const PressureSurface& surface : pressures_)
    if (!surface.closed && acts(surface, end_time)) accelerate_by_pressure(surface, scale, mass, x, predicted);
}

void Loads::add_to_system(Real end_time, View<const Vec3> x, BlockMatrix& matrix, View<Vec3> downhill,
                          View<Vec3> gradient) const {
  const Real scale = time_step_ * time_step_;
  memory::zero(gradient.data(), static_cast<std::size_t>(gradient.size()) * sizeof(Vec3));
  for (const PressureSurface& surface : pressures_)
    if (surface.closed && acts(surface, end_time)) add_pressure_gradient(surface, scale, x, downhill, gradient);
  for (const DeviceArray<VertexSpring>& springs : springs_)
    add_springs(springs.view(), scale, x, matrix, downhill, gradient);
}

void Loads::add_gradient(Real end_time, View<const Vec3> x, View<Vec3> gradient) const {
  const Real scale = time_step_ * time_step_;
  for (const PressureSurface& surface : pressures_)
    if (surface.closed && acts(surface, end_time)) add_pressure_gradient(surface, scale, x, gradient);
  for (const DeviceArray<VertexSpring>& springs : springs_) add_spring_gradient(springs.view(), scale, x, gradient);
}

Real Loads::energy(Real time, View<const Vec3> x) const {
  Real sum = 0;
  for (const PressureSurface& surface : pressures_)
    if (surface.closed && acts(surface, time)) sum += pressure_energy(surface, x);
  for (const DeviceArray<VertexSpring>& springs : springs_) sum += spring_energy(springs.view(), x);
  return sum;
}

Real Loads::body_force_energy(const Vec3& origin, View<const Vec3> x) const {
  return force_energy(body_force_.view(), origin, x);
}

}  // namespace unbarred
