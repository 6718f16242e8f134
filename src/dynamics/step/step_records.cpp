// The part of TimeStepper that says what a step did, or why it did not end.
#include <array>
#include <cstdio>
#include <numeric>

#include "dynamics/contact/contact_kernels.hpp"
#include "dynamics/step/time_stepper.hpp"
#include "dynamics/vertex_kernels.hpp"

namespace unbarred {

void TimeStepper::gradient_at_end(const State& state, std::span<const Index> tiles, View<Vec3> gradient) {
  elastic_gradient(mesh_, plan_, tiles, options_.time_step, state.x.local(), predicted_.local(), window_, gradient);
  if (loads_.in_system()) loads_.add_gradient(end_time_, state.x.local(), gradient);
}

// As the step before left it; measured where there was none.
EnergyRecord TimeStepper::energy_before(const State& state) const {
  if (state.step == stored_at_) return stored_;
  StepRecord record;
  measure(state, record);
  return record.energy;
}

// In a step that is long beside bodies one may come to rest behind another, and be driven on: pressed from the side
// where its way ended. Contact may lift what lies below its offset. The record takes what is measured at the end.
bool TimeStepper::gains_energy(const State& state, StepRecord& record) {
  constexpr Real most = 0.01;
  const Field& end = contact_->feasible();
  velocity_from(options_.time_step, end.local(), state.x.local(), trial_.write_local());
  measure(end_time_, end, trial_, record);
  const bool closed = ends_in_balance() && !loads_.in_system() &&
                      communicator_.max(any_differs(state.x.local(), target_.local()) ? 1 : 0) == 0;
  if (!closed) return false;
  const EnergyRecord before = energy_before(state), &after = record.energy;
  const std::vector<Real>& masses = energy_.masses();
  const Real weight =
      std::accumulate(masses.begin(), masses.end(), Real(0)) * std::sqrt(squared_norm(options_.gravity));
  return after.stored() - before.stored() >
         most * std::max(before.moving(), after.moving()) + weight * contact_->terms().settings().offset;
}

void TimeStepper::measure(Real time, const Field& x, const Field& v, StepRecord& record) const {
  const Invariants local = invariants(mesh_.mass.view(), options_.gravity, options_.origin, x.local(), v.local());
  std::array<Real, 10> sums{local.kinetic, elastic_energy(mesh_, x.local()), local.gravity};
  for (int k = 0; k < 3; ++k) {
    sums[3 + k] = local.momentum[k];
    sums[6 + k] = local.angular_momentum[k];
  }
  sums[9] = loads_.energy(time, x.local()) + loads_.body_force_energy(options_.origin, x.local());
  communicator_.sum(sums);
  record.energy.kinetic = sums[0];
  record.energy.elastic = sums[1];
  record.energy.gravity = sums[2];
  record.energy.loads = sums[9];
  for (int k = 0; k < 3; ++k) {
    record.momentum[k] = sums[3 + k];
    record.angular_momentum[k] = sums[6 + k];
  }
}

void TimeStepper::fail(const State& state, int iterations) const {
  const std::string when = "step " + std::to_string(state.step + 1) + ": ";
  const std::string count = std::to_string(iterations) + " Newton iterations";
  char number[32];
  if (contact_ && finite()) {
    const std::string blocking = contact_->describe_blocking();
    throw Error(ExitCode::not_converged,
                when + "contact is not resolved after " + count + (unfinished_.empty() ? "" : ": ") + unfinished_ +
                    (blocking.empty() ? "" : "; in the way: ") + blocking +
                    ". Do motions crush something that cannot give way? Else reduce time.step, or look at "
                    "solver.maximum_iterations");
  }
  std::snprintf(number, sizeof number, "%.3g", residual_);
  throw Error(ExitCode::not_converged,
              when + "not converged after " + count + " (relative residual " + number +
                  "); reduce time.step, or look at solver.maximum_iterations, solver.accuracy and "
                  "solver.linear.maximum_iterations");
}

}  // namespace unbarred
