#include "dynamics/time_stepper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "dynamics/prescribed_kernels.hpp"
#include "dynamics/vertex_kernels.hpp"

namespace unbarred {

TimeStepper::TimeStepper(const Communicator& communicator, const IndexMap& map, Halo& halo, const ElasticMesh& mesh,
                         const AssemblyPlan& plan, BlockMatrix& matrix, const PrescribedMotion& motion,
                         const Loads& loads, LinearSolver& solver, const Options& options)
    : communicator_(communicator),
      map_(map),
      halo_(halo),
      mesh_(mesh),
      plan_(plan),
      matrix_(matrix),
      motion_(motion),
      loads_(loads),
      solver_(solver),
      options_(options),
      predicted_(map),
      iterate_(map),
      trial_(map),
      downhill_(map),
      direction_(map),
      target_(map),
      load_gradient_(loads.in_system() ? map.owned() : 0),
      fixed_(DeviceArray<AxisMask>::zeros(map.local())),
      window_(plan.largest_tile) {}

StepRecord TimeStepper::advance(State& state) {
  const double start = wall_seconds();
  times_.clear();
  StepRecord record;
  begin_step(state);
  warm_start(state);
  int iteration = 0;
  while (true) {
    assemble_system(iteration);
    if (!contact_ && converged(iteration)) break;
    if (iteration == options_.maximum_iterations || !finite()) fail(state, iteration);
    solve(record);
    line_search();
    ++iteration;
    if (contact_) contact_->follow(iterate_, iteration >= options_.minimum_iterations && lift_ == 0);
    if (contact_ && contact_->finished()) break;
  }
  finish(state, record, iteration);
  times_.add("total", wall_seconds() - start);
  record.wall = times_.all();
  return record;
}

void TimeStepper::begin_step(const State& state) {
  motion_.begin_step(state.time, options_.time_step, state.x.local(), fixed_.view(), target_.write_local());
  predict(options_.time_step, options_.gravity, state.x.local(), state.v.local(), predicted_.write_local());
  end_time_ = state.time + options_.time_step;
  if (contact_) contact_->begin_step(state.x, fixed_.view(), target_, state.time, options_.time_step);
  if (!loads_.in_prediction()) return;
  loads_.add_to_prediction(end_time_, mesh_.mass.view(), state.x.local(), predicted_.write_owned());
  predicted_.forward(halo_);
}

// Free flight is a better start than rest when it costs less energy, once it is cut to what nothing blocks: prototype
// section 1. Prescribed coordinates wait at x: the first solve carries them along.
void TimeStepper::warm_start(const State& state) {
  iterate_.assign(state.x);
  energy_ = energy(iterate_);
  if (contact_ && !contact_->filters_start()) return;
  for (const Real part : {1.0, 0.5, 0.25}) {
    move_free_along(fixed_.view(), state.x.local(), part * options_.time_step, state.v.local(), trial_.write_local());
    if (contact_) contact_->filter_start(trial_);
    const Energy candidate = energy(trial_);
    if (!(candidate.total() < energy_.total())) continue;
    iterate_.assign(trial_);
    energy_ = candidate;
    if (part == 1.0) break;
  }
}

void TimeStepper::assemble_system(int iteration) {
  const ScopedTimer timer(times_, "assembly");
  assemble(mesh_, plan_, options_.time_step, iterate_.local(), predicted_.local(), window_, matrix_,
           downhill_.write_owned());
  if (loads_.in_system())
    loads_.add_to_system(end_time_, iterate_.local(), matrix_, downhill_.write_owned(), load_gradient_.view());
  lift_ =
      communicator_.max(prescribed_lift(fixed_.view(), target_.local(), iterate_.local(), direction_.write_local()));
  if (!contact_) return;
  if (iteration == 0) contact_->set_penalty(matrix_, fixed_.view());
  contact_->prepare(iterate_);
  contact_->add_forces(downhill_.write_owned());
  energy_.contact = communicator_.sum(contact_->energy(iterate_));
}

bool TimeStepper::converged(int iteration) {
  const ScopedTimer timer(times_, "assembly");
  const ResidualSizes local = residual_sizes(matrix_, mesh_.mass.view(), fixed_.view(), downhill_.owned(),
                                             iterate_.local(), predicted_.local(), load_gradient_.view());
  std::array<Real, 3> sizes{local.residual, local.terms, local.rounding};
  communicator_.sum(sizes);
  const Real residual = std::sqrt(sizes[0]), terms = std::sqrt(sizes[1]);
  const Real rounding = 8 * std::numeric_limits<Real>::epsilon() * std::sqrt(sizes[2]);
  residual_ = terms > 0 ? residual / terms : 0;
  // Once a coordinate overflows nothing below holds, and advance() fails.
  if (!std::isfinite(residual + terms + rounding)) residual_ = std::numeric_limits<Real>::quiet_NaN();
  if (std::isnan(residual_)) return false;
  if (lift_ > 0) return false;
  // Nothing is left that Newton could reduce: bodies at rest and in free flight end here at once.
  if (residual <= rounding) return true;
  return iteration >= options_.minimum_iterations && residual <= options_.newton_tolerance * terms;
}

void TimeStepper::solve(StepRecord& record) {
  const double start = wall_seconds(), exchanged = halo_.seconds();
  const LinearSystem system{communicator_, map_, halo_, matrix_, fixed_, contact_};
  const SolveReport report = solver_.solve(system, downhill_, direction_);
  const double exchange = halo_.seconds() - exchanged;
  times_.add("exchange", exchange);
  times_.add("linear", wall_seconds() - start - exchange);
  const Real step = communicator_.max(largest_free(fixed_.view(), direction_.owned()));
  record.solves.push_back({report.iterations, to_string(report.reason), report.residual, step / options_.time_step});
}

TimeStepper::Energy TimeStepper::energy(const Field& y) {
  const ScopedTimer timer(times_, "line_search");
  std::array<Real, 3> sums{inertia_energy(mesh_.mass.view(), fixed_.view(), y.local(), predicted_.local()),
                           elastic_energy(mesh_, y.local()), loads_.energy(end_time_, y.local())};
  communicator_.sum(sums);
  const Real scale = options_.time_step * options_.time_step;
  return {sums[0], scale * sums[1], scale * sums[2]};
}

TimeStepper::Energy TimeStepper::energy_with_contact(const Field& y) {
  Energy sum = energy(y);
  if (contact_) sum.contact = communicator_.sum(contact_->energy(y));
  return sum;
}

// Halves the step until the energy falls. The tolerance is relative to the terms of the energy, never absolute
// (method section 8.5). While prescribed coordinates move, energy may rise: only inversion is refused.
void TimeStepper::line_search() {
  constexpr int most_halvings = 30;
  Real step = 1;
  if (mesh_.may_not_invert) {
    const Real safe = inversion_free_step(mesh_, iterate_.local(), direction_.local());
    if (safe < 1) step = 0.9 * safe;
  }
  std::array<Real, 1> least{step};
  communicator_.min(least);
  step = least[0];
  const Real slope = -communicator_.sum(free_dot(fixed_.view(), downhill_.owned(), direction_.local()));
  const Real noise = 1e-12 * energy_.size();
  for (int halving = 0;; ++halving, step /= 2) {
    move_along(iterate_.local(), step, direction_.local(), trial_.write_local());
    const Energy candidate = energy_with_contact(trial_);
    const bool finite = std::isfinite(candidate.total());
    const Real limit = energy_.total() + 1e-4 * step * std::min(Real(0), slope) + noise;
    const bool enough = lift_ > 0 || candidate.total() <= limit;
    if ((finite && enough) || halving == most_halvings) {
      energy_ = candidate;
      break;
    }
  }
  std::swap(iterate_, trial_);
  if (step != 1) return;
  take_prescribed(fixed_.view(), target_.local(), iterate_.write_local());
  lift_ = 0;
}

void TimeStepper::finish(State& state, StepRecord& record, int iterations) {
  if (contact_) iterate_.assign(contact_->feasible());
  velocity_from(options_.time_step, iterate_.local(), state.x.local(), state.v.write_local());
  std::swap(state.x, iterate_);
  ++state.step;
  state.time = state.origin_time + static_cast<Real>(state.step - state.origin_step) * options_.time_step;
  record.step = state.step;
  record.time = state.time;
  record.outer_iterations = iterations;
  measure(state, record);
  if (!contact_) return;
  contact_->fill_record(record, options_.time_step);
  for (const auto& [phase, seconds] : contact_->times().all()) times_.add(phase, seconds);
}

void TimeStepper::measure(const State& state, StepRecord& record) const {
  const Invariants local =
      invariants(mesh_.mass.view(), options_.gravity, options_.origin, state.x.local(), state.v.local());
  std::array<Real, 10> sums{local.kinetic, elastic_energy(mesh_, state.x.local()), local.gravity};
  for (int k = 0; k < 3; ++k) {
    sums[3 + k] = local.momentum[k];
    sums[6 + k] = local.angular_momentum[k];
  }
  sums[9] = loads_.energy(state.time, state.x.local()) + loads_.body_force_energy(options_.origin, state.x.local());
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
  if (contact_ && finite())
    throw Error(ExitCode::not_converged,
                when + "contact is not resolved after " + count + "; in the way: " + contact_->describe_blocking() +
                    ". Do motions crush something that cannot give way? Else reduce time.step, or look at "
                    "solver.maximum_iterations");
  std::snprintf(number, sizeof number, "%.3g", residual_);
  throw Error(ExitCode::not_converged,
              when + "not converged after " + count + " (relative residual " + number +
                  "); reduce time.step, or look at solver.maximum_iterations, solver.newton_tolerance and "
                  "solver.linear.maximum_iterations");
}

}  // namespace unbarred
