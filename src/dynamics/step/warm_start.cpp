#include "dynamics/step/warm_start.hpp"

#include <algorithm>

#include "dynamics/motions/prescribed_kernels.hpp"
#include "dynamics/vertex_kernels.hpp"

namespace unbarred {

/// Adds the energy of contact to those of marked bodies.
static void add_contact(ContactProblem* contact, const Field& y, const std::vector<std::uint8_t>& to,
                        std::vector<Real>& energies) {
  if (std::ranges::find(to, 1) == to.end()) return;
  const std::vector<Real> touch = contact->terms().energies_on(y, energies.size());
  for (std::size_t b = 0; b < energies.size(); ++b) energies[b] += to[b] != 0 ? touch[b] : 0;
}

std::vector<std::uint8_t> WarmStart::resting(const Step& step) {
  constexpr Real share = 1e-4;
  const std::vector<Real> flight = energy_.products(way_.owned(), way_.owned()),
                          squared = energy_.products(step.v.owned(), step.v.owned());
  std::vector<std::uint8_t> rests;
  for (std::size_t b = 0; b < flight.size(); ++b)
    rests.push_back(time_step_ * time_step_ * squared[b] < share * flight[b] ? 1 : 0);
  return rests;
}

// Each body for itself, or one that sticks would hold all others back. For what rests contact counts too, or it would
// start each step sliding, and creep. Prescribed coordinates go along: neighbors that fly on while these wait crush the
// elements between. Energy alone does not refuse crushed elements (log J is mild), but Newton takes many iterations to
// open them, and their stiffness spoils the penalty.
void WarmStart::improve(const Step& step, ContactProblem* contact, const std::vector<Real>& at_start, Field& y) {
  way_.assign(step.predicted);
  add_scaled(-1, step.x.local(), way_.write_local());
  least_ = at_start;
  rests_.clear();
  if (contact && contact_holds_rest_) rests_ = resting(step);
  add_contact(contact, y, rests_, least_);
  settled_.assign(least_.size(), 0);
  bool blocked = true;
  motion_.set_turns(step.x, way_);
  for (const Real part : {1.0, 0.5, 0.25}) {
    move_free_along(step.fixed, step.x.local(), part, way_.local(), trial_.write_local());
    motion_.bend(step.x, part, trial_);
    take_prescribed(step.fixed, step.target.local(), trial_.write_local());
    const std::vector<std::uint8_t> crushed = energy_.crushed(step.x, trial_);
    // A filter is dear, and what it would leave of a crushed body is not much of a start. Nor is it asked again where
    // nothing is in the way.
    bool wanted = false;
    for (std::size_t b = 0; b < least_.size(); ++b) wanted |= crushed[b] == 0 && settled_[b] == 0 && least_[b] > 0;
    if (!wanted) continue;
    if (contact && blocked) blocked = contact->filter_start(trial_);
    take_better(step, contact, crushed, y);
    if (std::ranges::find(settled_, 0) == settled_.end()) break;
  }
}

void WarmStart::take_better(const Step& step, ContactProblem* contact, std::vector<std::uint8_t> crushed, Field& y) {
  std::vector<Real> candidate = energy_.of_bodies(trial_);
  add_contact(contact, trial_, rests_, candidate);
  if (contact) crushed = energy_.crushed(step.x, trial_);
  std::vector<std::uint8_t> taken(least_.size());
  for (std::size_t b = 0; b < least_.size(); ++b) {
    const bool fits = crushed[b] == 0;
    taken[b] = fits && candidate[b] < least_[b] ? 1 : 0;
    settled_[b] |= fits && candidate[b] <= least_[b] ? 1 : 0;
    if (taken[b] != 0) least_[b] = candidate[b];
  }
  motion_.take(taken, trial_, y);
}

}  // namespace unbarred
