// How stiff the pairs of ContactProblem are in a step, and how far apart they shall be.
#include <algorithm>

#include "dynamics/contact/contact_problem.hpp"

namespace unbarred {

void ContactProblem::set_penalties(Field compliance, Real largest, const std::vector<Real>& masses,
                                   const std::vector<std::uint8_t>& held) {
  compliance_ = std::move(compliance);
  largest_penalty_ = options_.penalty_factor * largest;
  backing_.begin_step(masses, held);
  set_penalties_of(true);
}

// Redundant pairs of a stiff free body switch in turn when their penalty is far above what its mass resists: a share of
// the mass in series keeps them from it. A few hundredths were best, 0.1 and 0.01 are much alike.
void ContactProblem::set_penalties_of(bool known) {
  constexpr Real share_of_mass = 0.03;
  if (!(largest_penalty_ > 0)) return;  // the step has none yet
  const bool changed = backing_.update(active_.holders(), communicator_);
  std::vector<Real> rigid;
  for (const PairHolders& pair : active_.holders()) {
    const auto [a, b] = pair.body;
    rigid.push_back(share_of_mass * (backing_.inverse(a, b) + backing_.inverse(b, a)));
  }
  rigid_.assign_host(rigid);
  unbarred::set_penalties(active_.pairs(), {.compliance = active_.update_other(compliance_),
                                            .rigid = rigid_.view(),
                                            .factor = squeezed_ * options_.penalty_factor,
                                            .largest = largest_penalty_,
                                            .known = known || changed});
}

// Whether some body presses against two bodies that are held.
bool ContactProblem::squeezes() const {
  const std::vector<std::uint8_t>& held = backing_.held();
  std::vector<Real> first(held.size(), static_cast<Real>(held.size())), last(held.size(), -1);
  const std::vector<ActivePair> pairs = active_.to_host();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!(pairs[i].multiplier > 0)) continue;
    const auto& body = active_.holders()[i].body;
    for (int side = 0; side < 2; ++side) {
      const auto of = static_cast<std::size_t>(body[side]);
      const std::int32_t other = body[1 - side];
      if (held[of] != 0 || held[static_cast<std::size_t>(other)] == 0) continue;
      first[of] = std::min(first[of], static_cast<Real>(other));
      last[of] = std::max(last[of], static_cast<Real>(other));
    }
  }
  communicator_.min(std::span<Real>(first));
  communicator_.max(std::span<Real>(last));
  bool any = false;
  for (std::size_t b = 0; b < held.size(); ++b) any = any || first[b] < last[b];
  return any;
}

// Forces between walls know no limit by the mass of what is in between: with penalties of that size multipliers hardly
// grow, and the body turns about for ever.
void ContactProblem::stiffen_what_is_squeezed() {
  constexpr int often = 20;
  constexpr Real factor = 10, most = 1e4;
  if (iterations_ % often != 0 || squeezed_ >= most || !(motions_ || squeezes())) return;
  squeezed_ *= factor;
  set_penalties_of(true);
}

void ContactProblem::set_all_offsets() {
  const VertexValues start = active_.update_start(step_start_);
  set_offsets(active_.pairs(), start, active_.update_other(*start_velocity_),
              {.offset = settings_.offset,
               .share = options_.offset_ramp,
               .time_step = time_step_,
               .speed = time_step_ * options_.gravity});
}

}  // namespace unbarred
