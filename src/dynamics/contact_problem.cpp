#include "dynamics/contact_problem.hpp"

#include <algorithm>

#include "contact/earliest_pairs.hpp"

namespace unbarred {

ContactProblem::ContactProblem(const Communicator& communicator, const IndexMap& map, Transport& transport,
                               const Surface& surface, const std::vector<std::uint8_t>& prescribed,
                               const BroadPhase::Options& broad_phase,
                               std::function<Real(std::int32_t, std::int32_t)> friction,
                               std::unique_ptr<StepFilter> filter, const InversionGuard* guard,
                               const ContactOptions& options)
    : communicator_(communicator),
      map_(map),
      options_(options),
      mesh_(communicator, map, transport, surface, prescribed),
      broad_phase_(broad_phase),
      filter_(std::move(filter)),
      active_(communicator, map, transport, std::move(friction)),
      feasible_(map),
      step_start_(map),
      remaining_of_(map.local()) {
  filter_options_ = {.minimum_gap = options.gap_of_offset * options.offset, .slack = options.slack, .guard = guard};
}

void ContactProblem::begin_step(const Field& x, Real time_step) {
  feasible_.assign(x);
  step_start_.assign(x);
  settings_ = {.penalty = 0,
               .offset = options_.offset,
               .decay_factor = options_.decay_factor,
               .fade_by_slack = options_.fade_by_slack && calm_,
               .inactive_may_rise = options_.inactive_may_rise,
               .slip_length = options_.friction_velocity * time_step};
  fill(remaining_of_.view(), 1);
  remaining_ = 1;
  lag_ = true;
  stalled_ = iterations_ = doublings_ = 0;
  fraction_sum_ = 0;
  least_fraction_ = 1;
  new_pairs_ = 0;
  set_offsets(active_.pairs(), active_.start(step_start_), settings_.offset, options_.offset_ramp);
}

// Larger than the stiffness of any single coordinate: smaller ones stall (method section 3).
void ContactProblem::set_penalty(const BlockMatrix& matrix, View<const AxisMask> fixed) {
  settings_.penalty = options_.penalty_factor * communicator_.max(largest_diagonal(matrix, fixed));
}

void ContactProblem::filter_start(Field& target) {
  mesh_.set_motion(step_start_, target);
  filter_->filter(mesh_, broad_phase_, filter_options_);
  target.assign(step_start_);
  move_by_fractions(filter_->fractions().part(0, map_.local()), mesh_.target().part(0, map_.local()),
                    target.write_local());
}

void ContactProblem::prepare(const Field& iterate) {
  const VertexValues feasible = active_.feasible(feasible_), at = active_.iterate(iterate);
  linearize(active_.pairs(), feasible);
  settings_.fade_by_slack = options_.fade_by_slack && calm_;
  evaluate(active_.pairs(), feasible, at, settings_, lag_ || options_.lag_each_iteration);
  lag_ = false;
  pair_terms(active_.pairs(), feasible, at, active_.start(step_start_), settings_, active_.terms());
}

void ContactProblem::add_forces(View<Vec3> downhill) const {
  unbarred::add_forces(active_.around(), active_.terms(), downhill);
}

Real ContactProblem::energy(const Field& y) {
  return constraint_energy(active_.pairs(), active_.feasible(feasible_), active_.iterate(y), active_.start(step_start_),
                           settings_);
}

Real ContactProblem::add_product(const Field& x, View<const AxisMask> fixed, View<Vec3> y) {
  pair_images(active_.pairs(), active_.terms(), active_.direction(x), active_.images());
  return add_pair_images(active_.around(), active_.terms(), active_.images(), fixed, x.owned(), y);
}

void ContactProblem::add_diagonal(View<SymmetricBlock> diagonal) {
  add_pair_diagonal(active_.around(), active_.terms(), diagonal);
}

void ContactProblem::update_multipliers(const Field& iterate) {
  unbarred::update_multipliers(active_.pairs(), active_.feasible(feasible_), active_.iterate(iterate), settings_);
}

void ContactProblem::follow(const Field& iterate, bool counts) {
  mesh_.set_motion(feasible_, iterate);
  const FilterReport report = filter_->filter(mesh_, broad_phase_, filter_options_);
  const View<const Real> fractions = filter_->fractions().part(0, map_.local());
  move_by_fractions(fractions, iterate.local(), feasible_.write_local());
  if (counts)
    remaining_ = communicator_.max(
        reduce_remaining(fractions.part(0, map_.owned()), remaining_of_.view().part(0, map_.owned())));
  calm_ = report.mean_fraction > options_.calm_fraction;
  ++iterations_;
  fraction_sum_ += report.mean_fraction;
  least_fraction_ = std::min(least_fraction_, report.least_fraction);
  active_.drop_faded(options_.least_decay);
  const GlobalIndex fresh = active_.add(earliest_new_pairs(), options_.restore_decay);
  new_pairs_ += fresh;
  if (fresh > 0) set_offsets(active_.pairs(), active_.start(step_start_), settings_.offset, options_.offset_ramp);
  adapt_when_stalled(report);
}

// After 50 iterations that hardly move: a stiffer penalty and a smaller offset, for this step (method section 3).
void ContactProblem::adapt_when_stalled(const FilterReport& report) {
  stalled_ = report.least_fraction < 1e-4 && remaining_ >= options_.epsilon ? stalled_ + 1 : 0;
  if (stalled_ < 50) return;
  stalled_ = 0;
  ++doublings_;
  settings_.penalty *= 2;
  settings_.offset /= 2;
  set_offsets(active_.pairs(), active_.start(step_start_), settings_.offset, options_.offset_ramp);
}

void ContactProblem::fill_record(StepRecord& record) const {
  record.step_fraction_mean = iterations_ > 0 ? fraction_sum_ / iterations_ : 1;
  record.step_fraction_min = least_fraction_;
  record.remaining = remaining_;
  record.pairs_new = new_pairs_;
  record.penalty = settings_.penalty;
  record.offset = settings_.offset;
}

}  // namespace unbarred
