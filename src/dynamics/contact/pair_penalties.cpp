#include "dynamics/contact/pair_penalties.hpp"

#include <algorithm>

namespace unbarred {

PairPenalties::PairPenalties(const Communicator& communicator, const IndexMap& map, const ContactConstants& constants,
                             ActiveSet& active)
    : communicator_(communicator), constants_(constants), active_(active), compliance_(map), compliances_(active) {}

void PairPenalties::begin_step(bool motions) {
  largest_ = 0;
  squeezed_ = 1;
  motions_ = motions;
}

void PairPenalties::set(Field compliance, Real largest, const std::vector<Real>& masses,
                        const std::vector<std::uint8_t>& held) {
  compliance_ = std::move(compliance);
  largest_ = constants_.penalty_factor * largest;
  backing_.begin_step(masses, held);
  apply(true);
}

// Redundant pairs of a stiff free body switch in turn when their penalty is far above what its mass resists: a share of
// the mass in series keeps them from it. A few hundredths were best, 0.1 and 0.01 are much alike.
void PairPenalties::apply(bool known) {
  constexpr Real share_of_mass = 0.03;
  if (!(largest_ > 0)) return;  // the step has none yet
  const bool changed = backing_.update(active_.holders(), communicator_);
  std::vector<Real> rigid;
  for (const PairHolders& pair : active_.holders()) {
    const auto [a, b] = pair.body;
    rigid.push_back(share_of_mass * (backing_.inverse(a, b) + backing_.inverse(b, a)));
  }
  rigid_.assign_host(rigid);
  set_penalties(active_.pairs(), {.compliance = compliances_.receive(compliance_),
                                  .rigid = rigid_.view(),
                                  .factor = squeezed_ * constants_.penalty_factor,
                                  .largest = largest_,
                                  .known = known || changed});
}

// Whether some body presses against two bodies that are held.
bool PairPenalties::squeezes() const {
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
void PairPenalties::stiffen_what_is_squeezed(int iterations) {
  if (iterations % constants_.squeeze_iterations != 0 || squeezed_ >= constants_.squeeze_limit) return;
  if (!motions_ && !squeezes()) return;
  squeezed_ *= constants_.squeeze_factor;
  apply(true);
}

}  // namespace unbarred
