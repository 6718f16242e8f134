#include "dynamics/contact/backing_mass.hpp"

#include <algorithm>
#include <numeric>

namespace unbarred {

void BackingMass::begin_step(std::vector<Real> masses, std::vector<std::uint8_t> held) {
  masses_ = std::move(masses);
  held_ = std::move(held);
  by_rank_.resize(masses_.size());
  std::iota(by_rank_.begin(), by_rank_.end(), 0);
  std::stable_sort(by_rank_.begin(), by_rank_.end(), [&](std::int32_t a, std::int32_t b) {
    return masses_[static_cast<std::size_t>(a)] < masses_[static_cast<std::size_t>(b)];
  });
  rank_.assign(masses_.size(), 0);
  for (std::size_t r = 0; r < by_rank_.size(); ++r)
    if (const auto body = static_cast<std::size_t>(by_rank_[r]); held_[body] == 0)
      rank_[body] = static_cast<Real>(r + 1);
  first_.clear();
}

bool BackingMass::update(const std::vector<PairHolders>& touching, const Communicator& communicator) {
  std::vector<Real> first(masses_.size(), 0), second = first, leans = first;
  const auto each = [&](const auto& visit) {
    for (const PairHolders& pair : touching)
      for (const int side : {0, 1})
        if (pair.body[0] != pair.body[1])
          visit(static_cast<std::size_t>(pair.body[side]), static_cast<std::size_t>(pair.body[1 - side]));
  };
  each([&](std::size_t body, std::size_t other) {
    first[body] = std::max(first[body], rank_[other]);
    if (held_[other] != 0) leans[body] = 1;
  });
  communicator.max(std::span<Real>(first));
  communicator.max(std::span<Real>(leans));
  each([&](std::size_t body, std::size_t other) {
    if (rank_[other] < first[body]) second[body] = std::max(second[body], rank_[other]);
  });
  communicator.max(std::span<Real>(second));
  const bool changed = first != first_ || second != second_ || leans != leans_;
  first_ = std::move(first);
  second_ = std::move(second);
  leans_ = std::move(leans);
  return changed;
}

Real BackingMass::inverse(std::int32_t body, std::int32_t other) const {
  const auto b = static_cast<std::size_t>(body), o = static_cast<std::size_t>(other);
  if (held_[b] != 0 || !(masses_[b] > 0)) return 0;
  const Real behind = first_[b] == rank_[o] ? second_[b] : first_[b];
  Real mass = masses_[b];
  if (behind > 0)
    mass = std::max(mass, masses_[static_cast<std::size_t>(by_rank_[static_cast<std::size_t>(behind) - 1])]);
  if (leans_[b] != 0 && held_[o] == 0) mass = std::max(mass, masses_[o]);
  return 1 / mass;
}

}  // namespace unbarred
