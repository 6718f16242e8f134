#include "dynamics/time_stepper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "dynamics/prescribed_kernels.hpp"
#include "dynamics/vertex_kernels.hpp"

namespace unbarred {

TimeStepper::TimeStepper(const Communicator& communicator, const IndexMap& map, Halo& halo, const ElasticMesh& mesh,
                         const AssemblyPlan& plan, BlockMatrix& matrix, const PrescribedMotion& motion,
                         const Loads& loads, StepEnergy& energy, LinearSolver& solver, const Options& options)
    : communicator_(communicator),
      map_(map),
      halo_(halo),
      mesh_(mesh),
      plan_(plan),
      matrix_(matrix),
      motion_(motion),
      loads_(loads),
      energy_(energy),
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
    assemble_system(record, iteration);
    energy_.group();
    at_iterate_ = energy_.again(iterate_);
    if (!contact_ && converged(iteration)) break;
    if (iteration == options_.maximum_iterations || !finite()) fail(state, iteration);
    solve(record);
    const std::vector<Real> step = line_search();
    ++iteration;
    if (contact_) contact_->follow(iterate_, iteration >= options_.minimum_iterations && lift_ == 0, step);
    if (contact_ && contact_resolved(iteration)) break;
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
  if (contact_) contact_->begin_step(state.x, state.v, fixed_.view(), target_, state.time, options_.time_step);
  energy_.begin_step(end_time_, fixed_.view(), predicted_);
  if (!loads_.in_prediction()) return;
  loads_.add_to_prediction(end_time_, mesh_.mass.view(), state.x.local(), predicted_.write_owned());
  predicted_.forward(halo_);
}

// Free flight is a better start than rest for a body that it costs less energy, once it is cut to what nothing blocks:
// prototype section 1; each body for itself, or one that sticks would hold all others back. Prescribed coordinates go
// along: neighbors that fly on while these wait crush the elements between. Energy alone does not refuse crushed
// elements (log J is mild), but Newton takes many iterations to open them, and their stiffness spoils the penalty.
void TimeStepper::warm_start(const State& state) {
  iterate_.assign(state.x);
  finished_at_ = 0;
  std::vector<Real> least = energy_.of_bodies(iterate_);
  start_energy_ = std::accumulate(least.begin(), least.end(), Real(0));
  if (!contact_ || contact_->filters_start()) {
    std::vector<std::uint8_t> settled(least.size(), 0), taken(least.size());
    for (const Real part : {1.0, 0.5, 0.25}) {
      move_free_along(fixed_.view(), state.x.local(), part * options_.time_step, state.v.local(), trial_.write_local());
      take_prescribed(fixed_.view(), target_.local(), trial_.write_local());
      std::vector<std::uint8_t> crushed = energy_.crushed(state.x, trial_);
      // A filter is dear, and what it would leave of a crushed body is not much of a start.
      bool wanted = false;
      for (std::size_t b = 0; b < least.size(); ++b) wanted |= crushed[b] == 0 && settled[b] == 0 && least[b] > 0;
      if (!wanted) continue;
      if (contact_) contact_->filter_start(trial_);
      const std::vector<Real> candidate = energy_.of_bodies(trial_);
      if (contact_) crushed = energy_.crushed(state.x, trial_);
      for (std::size_t b = 0; b < least.size(); ++b) {
        const bool fits = crushed[b] == 0;
        taken[b] = fits && candidate[b] < least[b] ? 1 : 0;
        settled[b] |= fits && candidate[b] <= least[b] ? 1 : 0;
        if (taken[b] != 0) least[b] = candidate[b];
      }
      energy_.take(taken, trial_, iterate_);
      if (std::ranges::find(settled, 0) == settled.end()) break;
    }
    energy_.of_bodies(iterate_);  // for again()
  }
}

// Again while diagonal blocks are not definite: neither preconditioners nor the penalty of contact could use them.
void TimeStepper::assemble_matrix(StepRecord& record, Field& downhill) {
  const ScopedTimer timer(times_, "assembly");
  while (true) {
    const auto projected = hessian_ ? hessian_->projected() : View<const std::uint8_t>();
    assemble(mesh_, plan_, options_.time_step, iterate_.local(), predicted_.local(), projected, window_, matrix_,
             downhill.write_owned());
    if (loads_.in_system())
      loads_.add_to_system(end_time_, iterate_.local(), matrix_, downhill.write_owned(), load_gradient_.view());
    if (!hessian_ || !hessian_->project_bad_blocks(matrix_)) return;
    record.solves.push_back({0, to_string(SolveReason::indefinite), 1, 0});
  }
}

void TimeStepper::assemble_system(StepRecord& record, int iteration) {
  if (hessian_) hessian_->begin_iteration(fixed_.view());
  assemble_matrix(record, downhill_);
  const ScopedTimer timer(times_, "assembly");
  lift_ =
      communicator_.max(prescribed_lift(fixed_.view(), target_.local(), iterate_.local(), direction_.write_local()));
  if (!contact_) return;
  if (iteration == 0) contact_->set_penalty(matrix_, fixed_.view());
  contact_->prepare(iterate_);
  contact_->add_forces(downhill_.write_owned());
}

bool TimeStepper::finite() const {
  if (!contact_) return std::isfinite(residual_);
  return std::ranges::all_of(at_iterate_, [](const auto& island) { return std::isfinite(island.energy); });
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

// Exact second derivatives until the system turns out not to be positive definite; then it is assembled with more of
// them projected, at the same iterate, and solved again from the same start.
SolveReport TimeStepper::solve_definite(StepRecord& record) {
  const LinearSystem system{communicator_, map_, halo_, matrix_, fixed_, contact_};
  while (true) {
    const SolveReport report = solver_.solve(system, downhill_, direction_);
    if (!hessian_ || !hessian_->project_after(report, matrix_)) return report;
    record.solves.push_back({report.iterations, to_string(report.reason), report.residual, 0});
    assemble_matrix(record, trial_);
    prescribed_lift(fixed_.view(), target_.local(), iterate_.local(), direction_.write_local());
  }
}

void TimeStepper::solve(StepRecord& record) {
  const double start = wall_seconds(), exchanged = halo_.seconds();
  const SolveReport report = solve_definite(record);
  energy_.translate(downhill_.owned(), direction_);
  const double exchange = halo_.seconds() - exchanged;
  times_.add("exchange", exchange);
  times_.add("linear", wall_seconds() - start - exchange);
  const Real step = communicator_.max(largest_free(fixed_.view(), direction_.owned()));
  record.solves.push_back({report.iterations, to_string(report.reason), report.residual, step / options_.time_step});
}

Real TimeStepper::step_without_inversion() {
  const Real safe = mesh_.may_not_invert ? inversion_free_step(mesh_, iterate_.local(), direction_.local()) : 1;
  return communicator_.min(safe < 1 ? 0.9 * safe : 1);
}

// Halves the step of an island until its energy falls. The tolerance is relative to the terms of the energy, never
// absolute (method section 8.5). While prescribed coordinates move, energy may rise: only inversion is refused. Returns
// the steps by body.
std::vector<Real> TimeStepper::line_search() {
  const ScopedTimer timer(times_, "line_search");
  constexpr int most_halvings = 30;
  const Real most = step_without_inversion();
  const std::vector<Real> rise = energy_.products(downhill_.owned(), direction_.owned());
  std::vector<Real> step(energy_.islands(), most);
  for (int halving = 0;; ++halving) {
    energy_.move(iterate_, step, direction_, trial_);
    const std::vector<StepEnergy::Island> candidate = energy_.at(trial_);
    bool enough = true;
    for (std::size_t i = 0; i < step.size(); ++i) {
      const Real limit =
          at_iterate_[i].energy + 1e-4 * step[i] * std::min(Real(0), -rise[i]) + 1e-12 * at_iterate_[i].size;
      if (std::isfinite(candidate[i].energy) && (lift_ > 0 || candidate[i].energy <= limit)) continue;
      enough = false;
      if (halving < most_halvings) step[i] /= 2;
    }
    if (enough || halving == most_halvings) break;
  }
  std::swap(iterate_, trial_);
  if (std::ranges::all_of(step, [](Real s) { return s == 1; })) {
    take_prescribed(fixed_.view(), target_.local(), iterate_.write_local());
    lift_ = 0;
  }
  return energy_.by_body(step);
}

// What is left of the motion, epsilon of it, differs from vertex to vertex: in stiff bodies at high speed that is
// strain, and energy out of nowhere. Iterations go on until the feasible state costs hardly more than the iterate.
bool TimeStepper::contact_resolved(int iteration) {
  constexpr int most_more = 20;
  if (!contact_->finished()) return false;
  if (!std::isfinite(options_.largest_excess)) return true;
  if (finished_at_ == 0) finished_at_ = iteration;
  if (iteration >= finished_at_ + most_more) return true;
  const ScopedTimer timer(times_, "line_search");
  const std::vector<Real> feasible = energy_.of_bodies(contact_->feasible()), iterate = energy_.of_bodies(iterate_);
  Real excess = 0;
  for (std::size_t b = 0; b < feasible.size(); ++b) excess += std::max(Real(0), feasible[b] - iterate[b]);
  return excess <= options_.largest_excess * start_energy_;
}

void TimeStepper::finish(State& state, StepRecord& record, int iterations) {
  if (contact_) iterate_.assign(contact_->feasible());
  velocity_from(options_.time_step, iterate_.local(), state.x.local(), trial_.write_local());
  move_along(trial_.local(), -1, state.v.local(), direction_.write_local());
  std::swap(state.v, trial_);
  std::swap(state.x, iterate_);
  ++state.step;
  state.time = state.origin_time + static_cast<Real>(state.step - state.origin_step) * options_.time_step;
  record.step = state.step;
  record.time = state.time;
  record.outer_iterations = iterations;
  measure(state, record);
  if (!contact_) return;
  contact_->fill_record(record, options_.time_step);
  if (!contact_->keeps_impacts()) {
    inverse_masses(mesh_.mass.view(), fixed_.view(), trial_.write_owned());
    trial_.forward(halo_);
    contact_->measure_impacts(direction_, trial_, options_.time_step);
  }
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
  if (contact_ && finite()) {
    const std::string blocking = contact_->describe_blocking();
    throw Error(ExitCode::not_converged,
                when + "contact is not resolved after " + count + (blocking.empty() ? "" : "; in the way: ") +
                    blocking +
                    ". Do motions crush something that cannot give way? Else reduce time.step, or look at "
                    "solver.maximum_iterations");
  }
  std::snprintf(number, sizeof number, "%.3g", residual_);
  throw Error(ExitCode::not_converged,
              when + "not converged after " + count + " (relative residual " + number +
                  "); reduce time.step, or look at solver.maximum_iterations, solver.newton_tolerance and "
                  "solver.linear.maximum_iterations");
}

}  // namespace unbarred
