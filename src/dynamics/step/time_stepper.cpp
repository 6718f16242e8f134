#include "dynamics/step/time_stepper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "dynamics/motions/prescribed_kernels.hpp"
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
      before_(map),
      without_contact_(map),
      newton_step_(map),
      rigid_(communicator, map, energy),
      balance_({.accuracy = options.keys.accuracy,
                .time_step = options.time_step,
                .gravity = std::sqrt(squared_norm(options.gravity)),
                .forces = !loads.in_system(),
                .body_names = options.body_names}),
      body_motion_(energy, options.constants.rotation == ContactConstants::Rotation::turn),
      warm_start_(energy, body_motion_, direction_, trial_, options.time_step,
                  options.keys.step_end == SolverKeys::StepEnd::balance),
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
    if (!finite() || (!contact_ && iteration == options_.keys.maximum_iterations)) fail(state, iteration);
    solve(record);
    const std::vector<Real> step = line_search(iteration);
    ++iteration;
    if (contact_ && contact_ends(state, record, iteration, step)) break;
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

void TimeStepper::warm_start(const State& state) {
  iterate_.assign(state.x);
  const std::vector<Real> start = energy_.of_bodies(iterate_);
  balance_.begin_step(start, 0);
  unfinished_ = "";
  first_residual_ = 0;
  stiff_ = always_stiff_;
  care_ = 1;
  if (!contact_ || contact_->filters_start())
    warm_start_.improve({state.x, state.v, predicted_, target_, fixed_.view()}, contact_, start, iterate_);
  energy_.remember(iterate_);
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
  // With contact, exact ones that failed once in a step fail again, and bodies hop between two states.
  if (hessian_ && (iteration == 0 || !contact_)) hessian_->begin_iteration(fixed_.view());
  // Nor do steps come to an end with them that take many iterations: stones of an arch rock for ever.
  if (hessian_ && contact_ && iteration == options_.constants.exact_iterations) hessian_->project_all();
  assemble_matrix(record, downhill_);
  const ScopedTimer timer(times_, "assembly");
  lift_ =
      communicator_.max(prescribed_lift(fixed_.view(), target_.local(), iterate_.local(), direction_.write_local()));
  if (!contact_) return;
  if (iteration == 0) set_penalties();
  contact_->prepare(iterate_);
  without_contact_.assign(downhill_);
  contact_->terms().add_forces(downhill_.write_owned());
}

void TimeStepper::set_penalties() {
  Field compliance(map_);
  compliances(matrix_, fixed_.view(), compliance.write_owned());
  compliance.forward(halo_);
  const Real largest = communicator_.max(largest_diagonal(matrix_, fixed_.view()));
  contact_->set_penalties(std::move(compliance), largest, energy_.masses(), energy_.held());
  constexpr Real rounding = 3e-15;
  const DeviceArray<AxisMask> none = DeviceArray<AxisMask>::zeros(map_.owned());
  const Real far = rounding * communicator_.max(largest_free(none.view(), iterate_.owned()));
  balance_.begin_step(balance_.start(), static_cast<Real>(map_.global_size()) * largest * far * far);
}

bool TimeStepper::finite() const {
  if (!contact_) return std::isfinite(residual_);
  return std::ranges::all_of(at_iterate_, [](const auto& island) { return std::isfinite(island.energy); });
}

// Without contact.
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
  return iteration >= options_.keys.minimum_iterations && whole_ && balance_.settled(energy_);
}

void TimeStepper::solve_once(StepRecord& record, const LinearSystem& system) {
  NewtonStep::Report report;
  if (contact_)
    report = newton_step_.solve(system, solver_, energy_, *contact_, corrects() && rigid_.some() ? &rigid_ : nullptr,
                                iterate_, without_contact_, lift_ > 0, direction_);
  else report.take(solver_.solve(system, downhill_, direction_));
  minimal_ = report.minimal;
  if (report.strengthened) {
    stiff_ = true;
    first_residual_ = 0;  // in another norm
  }
  for (const SolveReport& solve : report.solves)
    record.solves.push_back({solve.iterations, to_string(solve.reason), solve.residual, 0});
  last_solve_ = report.solves.back();
  first_residual_ = std::max(first_residual_, report.first);
}

// Exact second derivatives until the system turns out not to be positive definite; then it is assembled with more of
// them projected, at the same iterate, and solved again from the same start.
void TimeStepper::solve(StepRecord& record) {
  const double start = wall_seconds(), exchanged = halo_.seconds();
  LinearSystem system{communicator_, map_, halo_, matrix_, fixed_, contact_ ? &contact_->terms() : nullptr};
  if (contact_) {
    system.goal.least_reduction *= care_;
    system.goal.rounding = std::sqrt(balance_.noise());
  }
  while (true) {
    if (corrects()) rigid_.linearize(system, iterate_);
    if (two_level_) two_level_->linearize(matrix_, fixed_.view(), iterate_);
    system.coarse = stiff_ ? two_level_ : nullptr;
    system.stronger = stiff_ ? nullptr : two_level_;
    if (contact_) system.goal.reference = care_ * first_residual_;
    solve_once(record, system);
    if (!hessian_ || !hessian_->project_after(last_solve_, matrix_)) break;
    assemble_matrix(record, trial_);
    prescribed_lift(fixed_.view(), target_.local(), iterate_.local(), direction_.write_local());
    if (contact_) contact_->prepare(iterate_);
  }
  if (options_.constants.translation == ContactConstants::Translation::exact)
    body_motion_.translate(contact_ ? newton_step_.model().owned() : downhill_.owned(), direction_);
  const double exchange = halo_.seconds() - exchanged;
  times_.add("exchange", exchange);
  times_.add("linear", wall_seconds() - start - exchange);
  const Real step = communicator_.max(largest_free(fixed_.view(), direction_.owned()));
  newton_speed_ = step / options_.time_step;
  record.solves.back().newton_speed = newton_speed_;
}

Real TimeStepper::step_without_inversion() {
  const Real safe = mesh_.may_not_invert ? inversion_free_step(mesh_, iterate_.local(), direction_.local()) : 1;
  return communicator_.min(safe < 1 ? 0.9 * safe : 1);
}

// Stones that are jammed swing between two states for ever, each of which pushes them to the other: pairs of corners
// take turns, and friction follows one iteration later. They meet in the middle.
Real TimeStepper::whole_step(int iteration) const {
  const bool late =
      contact_ && ends_in_balance() && iteration >= options_.constants.swing_iterations && contact_->state().finished();
  return late && whole_ && balance_.swings() ? 0.5 : 1;
}

// Halves the step of an island until its energy falls. The tolerance is relative to the terms of the energy, never
// absolute (M30). While prescribed coordinates move, energy may rise: only inversion is refused. Returns the steps by
// body.
std::vector<Real> TimeStepper::line_search(int iteration) {
  const ScopedTimer timer(times_, "line_search");
  constexpr int most_halvings = 30;
  const std::vector<Real> products = energy_.products(downhill_.owned(), direction_.owned()),
                          rise = energy_.island_sums(products), start = energy_.island_sums(balance_.start());
  balance_.after_solve(
      products, contact_ && iteration > 0 ? energy_.products(downhill_.owned(), before_.owned()) : std::vector<Real>{});
  before_.assign(direction_);
  const Real whole = whole_step(iteration), most = std::min(step_without_inversion(), whole);
  std::vector<Real> step(energy_.islands(), most);
  body_motion_.set_turns(iterate_, direction_);
  for (int halving = 0;; ++halving) {
    body_motion_.move(iterate_, step, direction_, trial_);
    const std::vector<StepEnergy::Island> candidate = energy_.at(trial_);
    bool enough = true;
    for (std::size_t i = 0; i < step.size(); ++i) {
      const Real limit =
          at_iterate_[i].energy + 1e-4 * step[i] * std::min(Real(0), -rise[i]) + 1e-12 * at_iterate_[i].size;
      const Real rounding = 1e-12 * (start[i] + candidate[i].size) + balance_.noise();
      const bool fine = lift_ > 0 || candidate[i].energy <= limit || std::abs(rise[i]) <= rounding;
      if (std::isfinite(candidate[i].energy) && fine) continue;
      enough = false;
      if (halving < most_halvings) step[i] /= 2;
    }
    if (enough || halving == most_halvings) break;
  }
  // A small island may see little of a residual that is small beside others: its step is then none downhill.
  if (std::ranges::any_of(step, [](Real s) { return s < 1e-2; })) care_ = std::max(1e-3, 0.1 * care_);
  std::swap(iterate_, trial_);
  whole_ = lift_ == 0 && std::ranges::all_of(step, [&](Real s) { return s >= whole; });
  if (std::ranges::all_of(step, [](Real s) { return s == 1; })) {
    take_prescribed(fixed_.view(), target_.local(), iterate_.write_local());
    lift_ = 0;
  }
  return energy_.by_body(step);
}

StepProgress TimeStepper::progress(const State& state, StepRecord& record, int iteration) {
  return {.iteration = iteration,
          .targets_reached = lift_ == 0,
          .whole = whole_ && minimal_,
          .finished = contact_->state().finished(),
          .balanced = unfinished_.empty(),
          .at_rest = balance_.done(),
          .restarted = contact_->restarted(),
          .blocked = contact_->state().blocked(),
          .stalled = contact_->state().stalled(),
          .fair = [&] { return whole_ && balance_.fair(energy_, *contact_); },
          .keeps_energy = [&] { return keeps_energy(); },
          .gains_energy = [&] { return gains_energy(state, record); }};
}

// The feasible state follows the iterate; then whether the step ends (step_end.hpp), and if not, from where it goes on.
bool TimeStepper::contact_ends(const State& state, StepRecord& record, int iteration, const std::vector<Real>& step) {
  contact_->follow(iterate_, direction_,
                   reduces_remaining(progress(state, record, iteration), options_.keys, options_.constants), step);
  {
    const ScopedTimer timer(times_, "line_search");
    unfinished_ = balance_.failing(energy_, *contact_);
  }
  contact_->state().count_stalled();
  const StepDecision end = decide(progress(state, record, iteration), options_.keys, options_.constants);
  switch (end) {
    case StepDecision::done_with_gain:
      unfinished_ = "the scene gains energy";
      [[fallthrough]];
    case StepDecision::done:
      contact_->end_step();
      return true;
    case StepDecision::begin_again:
      // From the start of the step all that is in the way is in front: seen from there nothing drives a body on.
      contact_->restart();
      start_again();
      return false;
    case StepDecision::fail:
      fail(state, iteration);
    default:
      break;
  }
  if (watch_) watch_(iteration, contact_->state().finished() ? unfinished_ : "motion is still to be done");
  contact_->renew_pairs(end == StepDecision::adapt);
  if (end == StepDecision::start_at_feasible) {
    contact_->state().unblock();
    start_again();
  }
  return false;
}

void TimeStepper::start_again() {
  iterate_.assign(contact_->feasible());
  energy_.remember(iterate_);
}

bool TimeStepper::keeps_energy() {
  constexpr Real most = 1e-2;
  const std::vector<Real> end = energy_.of_bodies(contact_->feasible());
  Real rise = 0, start = 0;
  for (std::size_t b = 0; b < end.size(); ++b) {
    rise += end[b] - balance_.start_of(b);
    start += balance_.start_of(b);
  }
  return rise <= most * start;
}

void TimeStepper::finish(State& state, StepRecord& record, int iterations) {
  const Real stored_before = energy_before(state).stored();
  if (contact_) iterate_.assign(contact_->feasible());
  velocity_from(options_.time_step, iterate_.local(), state.x.local(), trial_.write_local());
  std::swap(state.v, trial_);
  std::swap(state.x, iterate_);
  ++state.step;
  state.time = state.origin_time + static_cast<Real>(state.step - state.origin_step) * options_.time_step;
  record.step = state.step;
  record.time = state.time;
  record.outer_iterations = iterations;
  if (!contact_) measure(state, record);  // gains_energy() has
  stored_ = record.energy;
  stored_at_ = state.step;
  record.energy_change = stored_.stored() - stored_before;
  if (!record.solves.empty()) record.residual_speed = newton_speed_;
  record.residual_relative = balance_.relative();
  record.momentum_defect = balance_.momentum_defect();
  record.converged = unfinished_.empty();
  record.unfinished = unfinished_;
  if (!contact_) return;
  contact_->fill_record(record, options_.time_step);
  for (const auto& [phase, seconds] : contact_->times().all()) times_.add(phase, seconds);
}

}  // namespace unbarred
