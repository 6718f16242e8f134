#include "dynamics/contact/contact_problem.hpp"

#include <algorithm>

#include "core/log.hpp"

namespace unbarred {

/// Links that stay hold bodies where they no longer are; those that move may go to and fro: the stricter the accuracy,
/// the longer they move.
static int moving_links(const ContactConstants& constants, Real accuracy) {
  const Real most = std::max(constants.link_iterations, constants.most_link_iterations);
  return static_cast<int>(std::clamp(constants.link_growth / accuracy, Real(constants.link_iterations), most));
}

ContactProblem::ContactProblem(const Communicator& communicator, const IndexMap& map, Transport& transport,
                               const Surface& surface, const BroadPhaseOptions& broad_phase,
                               std::function<Real(std::int32_t, std::int32_t)> friction,
                               std::unique_ptr<StepFilter> filter, const InversionGuard* guard,
                               const ContactOptions& options)
    : communicator_(communicator),
      map_(map),
      options_(options),
      state_(communicator, map, transport, surface, broad_phase, std::move(filter), guard,
             {options.constants, options.offset, options.keys.epsilon, options.keys.lagging_fraction}, times_),
      active_(communicator, map, transport, std::move(friction)),
      terms_(communicator, map, active_),
      penalties_(communicator, map, options.constants, active_),
      crossings_(communicator, map, transport, broad_phase),
      hand_over_(communicator, map, surface),
      velocities_(active_),
      prescribed_(map.local(), 0),
      moving_links_(moving_links(options.constants, options.keys.accuracy)) {}

void ContactProblem::begin_step(const Field& x, const Field& v, View<const AxisMask> fixed, const Field& target,
                                Real time, Real time_step) {
  using Constants = ContactConstants;
  times_.clear();
  const ScopedTimer timer(times_, "active_set");
  std::vector<std::uint8_t> prescribed(prescribed_.size());
  if (!prescribed.empty()) memory::copy_to_host(prescribed.data(), fixed.data(), prescribed.size());
  for (std::uint8_t& mask : prescribed) mask = mask == 7 ? 1 : 0;
  if (communicator_.max(prescribed != prescribed_ ? 1 : 0)) set_prescribed(std::move(prescribed));
  state_.begin_step(x);
  start_velocity_ = &v;
  time_step_ = time_step;
  const Constants& c = constants();
  terms_.begin_step({.offset = options_.offset,
                     .decay_factor = c.decay,
                     .weigh_inactive = !predicts(),
                     .inactive_may_rise = c.multiplier_update == Constants::MultiplierUpdate::all,
                     .share_of_search = c.multiplier_share == Constants::MultiplierShare::search,
                     .secant_friction = c.friction_stiffness == Constants::FrictionStiffness::secant,
                     .slip_length = predicts() ? 0 : options_.friction_velocity * time_step});
  least_offset_ = options_.offset;
  restarted_ = false;
  lag_ = true;
  skipped_links_ = 0;
  new_pairs_ = 0;
  const bool motions = communicator_.max(any_differs(x.local(), target.local()) ? 1 : 0) > 0;
  penalties_.begin_step(motions);
  if (motions) crossings_.refuse(x, target, time, options_.body_names);
  renew(active_.pairs());
  terms_.linearize(state_.x(), false);
  set_all_offsets();
}

void ContactProblem::set_prescribed(std::vector<std::uint8_t> prescribed) {
  prescribed_ = std::move(prescribed);
  state_.set_prescribed(prescribed_);
  drop_held_pairs();
  crossings_.set(state_.mesh(), prescribed_);
}

// No force moves a pair of which every vertex is prescribed: its multiplier would grow for as long as that lasts, and
// throw the bodies apart when it ends.
void ContactProblem::drop_held_pairs() {
  Field held(map_);
  std::vector<Vec3> marks;
  for (const std::uint8_t mark : prescribed_) marks.push_back({{static_cast<Real>(mark), 0, 0}});
  const View<Vec3> values = held.write_local();
  if (!marks.empty()) memory::copy_to_device(values.data(), marks.data(), marks.size() * sizeof(Vec3));
  PairValues of_pairs(active_);
  fade_held(active_.pairs(), of_pairs.receive(held));
  active_.update({}, {.least_decay = constants().least_decay});
}

bool ContactProblem::filter_start(Field& target) {
  const bool blocked = state_.cut_from_start(target);
  join(state_.found(active_, false), {.least_decay = 0}, false);
  return blocked;
}

void ContactProblem::prepare(const Field& iterate) {
  const ScopedTimer timer(times_, "active_set");
  // Normal forces that take turns would have their friction act on the other's turn.
  const Real follow = late() ? constants().friction_follow : 1;
  terms_.prepare(iterate, lag_ || options_.lag_each_iteration ? follow : 0);
  lag_ = false;
}

// Of the forces on a body. Ten times as much while motion is still to be done saves no solves, and multipliers remember
// it: a cube slid a third too slow.
bool ContactProblem::revise(const Field& iterate, std::size_t bodies) {
  return terms_.revise(iterate, bodies, options_.keys.accuracy / 15);
}

void ContactProblem::follow(const Field& iterate, const Field& p, bool counts, const std::vector<Real>& step) {
  terms_.update_multipliers(p, step);
  state_.follow(iterate, counts);
  const ScopedTimer timer(times_, "active_set");
  terms_.receive_feasible(state_.x());
}

void ContactProblem::renew_pairs(bool adapt) {
  const ScopedTimer timer(times_, "active_set");
  const bool keep = (late() && state_.finished()) || restarted_;
  const bool restore = constants().rehit == ContactConstants::Rehit::restore;
  if (adapt) adapt_offsets();
  terms_.linearize(state_.x(), keep);
  std::vector<FoundPair> found = state_.found(active_, restore || adapt || keep);
  if (constants().slide_off == ContactConstants::SlideOff::hand_over && !keep) {
    const std::vector<FoundPair> handed = hand_over_.decide(active_, terms_.feasible());
    found.insert(found.end(), handed.begin(), handed.end());
  }
  join(
      found,
      {.least_decay = constants().least_decay, .restore_decay = restore, .adapt = adapt ? constants().stall_factor : 1},
      keep);
  if (predicts()) penalties_.stiffen_what_is_squeezed(state_.fractions().filterings + skipped_links_);
}

void ContactProblem::end_step() {
  const ScopedTimer timer(times_, "active_set");
  join(state_.found(active_, false), {.least_decay = 0}, true);
}

void ContactProblem::restart() {
  const ScopedTimer timer(times_, "active_set");
  state_.restart();
  restarted_ = true;
  skipped_links_ = std::max(0, moving_links_ - state_.fractions().filterings);
  terms_.linearize(state_.x(), false);
}

void ContactProblem::join(const std::vector<FoundPair>& found, const UpdateRule& rule, bool keep) {
  const std::int64_t version = active_.version();
  const GlobalIndex fresh = active_.update(found, rule);
  new_pairs_ += fresh;
  if (active_.version() != version) {
    terms_.linearize(state_.x(), keep);
    terms_.receive_start(state_.start());
    penalties_.update();
  }
  if (fresh > 0 || rule.adapt != 1) set_all_offsets();
#ifdef UNBARRED_CHECKED
  active_.require_equal_copies();
#endif
}

void ContactProblem::set_all_offsets() {
  set_offsets(active_.pairs(), terms_.receive_start(state_.start()), velocities_.receive(*start_velocity_),
              {.offset = options_.offset,
               .share = constants().offset_ramp,
               .time_step = time_step_,
               .speed = time_step_ * options_.gravity});
}

// An offset below the gap that the filter keeps could never be reached.
void ContactProblem::adapt_offsets() {
  least_offset_ /= constants().stall_factor;
  state_.adapt_gap(least_offset_);
  if (communicator_.is_root())
    log_warning("contact stalled for " + std::to_string(constants().stall_iterations) +
                " iterations: for the rest of this step the penalty of the pairs in the way is multiplied and their "
                "contact offset divided by solver.contact.stall_factor");
}

}  // namespace unbarred
