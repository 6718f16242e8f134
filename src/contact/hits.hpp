#pragma once
// From the collisions that a step filter saw to the pairs that become constraints.
#include <vector>

#include "contact/active_set.hpp"
#include "contact/broad_phase.hpp"
#include "contact/earliest_pairs.hpp"
#include "contact/hit_kernels.hpp"
#include "contact/step_filter.hpp"

namespace unbarred {

class Hits {
 public:
  /// Gathers the candidates of the last filtering of `mesh` that would come too close on the way to the target.
  void collect(const CollisionMesh& mesh, const BroadPhase& broad_phase, const StepFilter& filter);

  /// Of this rank, each hit on one rank.
  const std::vector<Hit>& all() const { return hits_; }

  /// The hits to become constraints: the earliest ones that `known` does not have (EarliestPairs), and all that it has
  /// when `also_known`. @note Collective
  std::vector<FoundPair> constraints(CollisionMesh& mesh, const ActiveSet& known, bool also_known);

 private:
  std::vector<Hit> hits_;
  DeviceArray<Index> marks_;
  DeviceArray<std::int64_t> places_;
  DeviceArray<Hit> gathered_;
  DeviceArray<ContactPair> pairs_;  // of the hits
  DeviceArray<Real> times_;
  DeviceArray<std::uint8_t> known_;
  EarliestPairs earliest_;
};

}  // namespace unbarred
