#pragma once
// What no step filter can hold: two bodies that both go where the scene tells them (M31).
#include <memory>
#include <string>
#include <vector>

#include "contact/search/broad_phase.hpp"
#include "contact/surface/collision_mesh.hpp"

namespace unbarred {

class PrescribedCrossings {
 public:
  /// Keeps references to the first three.
  PrescribedCrossings(const Communicator& communicator, const IndexMap& map, Transport& transport,
                      const BroadPhaseOptions& search);

  /// Vertices that are prescribed from now on; the mesh is that of all bodies, for its primitives. @note Collective
  void set(const CollisionMesh& mesh, const std::vector<std::uint8_t>& prescribed);
  /// Throws Error(bad_input) on all ranks when prescribed primitives cross prescribed ones on the way from x to target
  /// in the step after `time`. @note Collective
  void refuse(const Field& x, const Field& target, Real time, const std::vector<std::string>& body_names);

 private:
  const Communicator& communicator_;
  const IndexMap& map_;
  Transport& transport_;
  std::unique_ptr<CollisionMesh> mesh_;  ///< of primitives that are prescribed as a whole
  std::unique_ptr<BroadPhase> search_;
};

}  // namespace unbarred
