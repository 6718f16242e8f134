#pragma once
// Which newly found hits become constraints: without a selection, fast or crushed scenes collect ten times too many
// (method sections 4.1 and 8.13).
#include "contact/collision_mesh.hpp"
#include "contact/pair.hpp"

namespace unbarred {

class EarliestPairs {
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

}  // namespace unbarred
