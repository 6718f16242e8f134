#pragma once
// Bodies that contact couples, directly or through others: only they share a step length in the line search. Obstacles
// couple nothing: they have no freedom.
#include <vector>

#include "contact/found_pair.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

class Islands {
 public:
  /// Every body alone; from number first_obstacle on they never couple.
  Islands(std::size_t bodies, std::size_t first_obstacle);

  /// touching: bodies of the pairs that any rank knows. @note Collective
  void couple(const std::vector<PairHolders>& touching, const Communicator& communicator);
  /// One island of all.
  void couple_all();

  std::size_t count() const { return count_; }
  /// Whether a pair of its bodies with an obstacle is known.
  bool touches_obstacle(std::size_t island) const { return touches_obstacle_[island] != 0; }
  std::size_t of(std::size_t body) const { return static_cast<std::size_t>(island_[body]); }
  /// Sums over the bodies of every island.
  std::vector<Real> sum(const std::vector<Real>& of_body) const;
  /// The value of its island for every body.
  std::vector<Real> spread(const std::vector<Real>& of_island) const;

 private:
  void number(std::vector<std::int32_t> parent, const std::vector<std::uint8_t>& held);
  std::size_t first_obstacle_, count_ = 0;
  std::vector<std::int32_t> island_;  // of each body
  std::vector<std::uint8_t> touches_obstacle_;
};

}  // namespace unbarred
