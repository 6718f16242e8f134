#pragma once
// From the collisions that a step filter saw to the pairs that become constraints.
#include <vector>

#include "contact/filter/step_filter.hpp"
#include "contact/pairs/active_set.hpp"
#include "contact/pairs/hit_kernels.hpp"
#include "contact/search/broad_phase.hpp"

namespace unbarred {

/// Which hits become constraints: without a selection, fast or crushed scenes collect ten times too many (M16).
class EarliestHits {
 public:
  /// Numbers, ascending, of the candidates to keep. A hit, times[i] <= 1, that is not known is kept if it is the
  /// earliest such hit of at least one of its vertices that are not prescribed; equal times are all kept, so the choice
  /// does not depend on order or partition. Hits of prescribed vertices alone are never kept.
  /// pairs, times: of the last step filter on `mesh`. known: not 0 for pairs that are constraints already and take no
  /// part; empty if there are none. @note Collective
  const DeviceArray<Index>& select(CollisionMesh& mesh, View<const ContactPair> pairs, View<const Real> times,
                                   View<const std::uint8_t> known);

 private:
  DeviceArray<Real> earliest_;  // of each extended vertex
  DeviceArray<Index> keep_, kept_;
  DeviceArray<std::int64_t> places_;
};

class Hits {
 public:
  /// Gathers the candidates of the last filtering of `mesh` that would come too close on the way to the target.
  void collect(const CollisionMesh& mesh, const BroadPhase& broad_phase, const StepFilter& filter);

  /// Of this rank, each hit on one rank.
  const std::vector<Hit>& all() const { return hits_; }

  /// The hits to become constraints: the earliest ones that `known` does not have (EarliestHits), and all that it has
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
  EarliestHits earliest_;
};

}  // namespace unbarred
