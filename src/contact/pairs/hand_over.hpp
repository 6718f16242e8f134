#pragma once
// A pair whose closest point leaves the inside of its triangle or edge is no longer the one that holds the bodies
// apart: its normal tilts, and would drive or brake what slides. Its multiplier goes to the vertex and triangle that
// are closer (M15).
#include <vector>

#include "contact/pairs/active_set.hpp"
#include "contact/pairs/hand_over_kernels.hpp"

namespace unbarred {

class HandOver {
 public:
  /// Keeps references to the first two. @note Collective
  HandOver(const Communicator& communicator, const IndexMap& map, const Surface& surface);

  /// What this rank decides for the pairs of `active`, linearized at `positions`: the pairs that lose their multiplier,
  /// and those that gain it. Each pair is decided on by one rank.
  std::vector<FoundPair> decide(const ActiveSet& active, const VertexValues& positions);

  TrianglesAround triangles_around() const { return neighbours_.around(); }

 private:
  const Communicator& communicator_;
  const IndexMap& map_;
  SurfaceNeighbours neighbours_;
  DeviceArray<GlobalIndex> ids_;    // of local vertices
  std::vector<std::int32_t> body_;  // of local vertices
  DeviceArray<Successor> successors_;
};

}  // namespace unbarred
