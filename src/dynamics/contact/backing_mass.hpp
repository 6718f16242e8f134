#pragma once
// What a pair presses against: the mass of a body, or of what stands behind it. A light body between a heavy one and
// the floor carries the heavy one's load on both sides; a penalty by its own mass alone would need as many iterations
// as the heavy one is heavier.
#include <vector>

#include "contact/found_pair.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

class BackingMass {
 public:
  /// For a step. masses, kg; held: bodies that are not free to move, obstacles among them.
  void begin_step(std::vector<Real> masses, std::vector<std::uint8_t> held);
  /// From the bodies of all pairs. Whether anything changed. @note Collective
  bool update(const std::vector<PairHolders>& touching, const Communicator& communicator);
  /// Inverse of the mass that `body` presses `other` with: of the body, of the heaviest other that it touches, or of
  /// `other` itself where it leans on something that is held. 1/kg; 0: held.
  Real inverse(std::int32_t body, std::int32_t other) const;
  const std::vector<std::uint8_t>& held() const { return held_; }

 private:
  std::vector<Real> masses_;
  std::vector<std::uint8_t> held_;
  std::vector<Real> rank_;                    // of each body in the order of masses, from 1; those that are held: 0
  std::vector<std::int32_t> by_rank_;         // the body of each rank
  std::vector<Real> first_, second_, leans_;  // ranks of the two heaviest that a body touches, 0: none
};

}  // namespace unbarred
