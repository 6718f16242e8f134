#pragma once
// Which tetrahedra enter Newton's matrix with exact second derivatives, and which with projected ones. Exact ones
// converge in fewer iterations, but only while the system is positive definite. Bodies in which it turns out not to be
// are projected until the next begin_iteration(): of each iteration without contact, of the step with it, where exact
// ones that failed once fail again (M36). A failed solve is cheap, negative curvature shows early.
#include <vector>

#include "dynamics/bodies/body_sums.hpp"
#include "linear/linear_solver.hpp"
#include "partitioning/local_mesh.hpp"

namespace unbarred {

class HessianChoice {
 public:
  /// Keeps a reference to the communicator and to the map of the mesh. @note Collective
  HessianChoice(const Communicator& communicator, const LocalMesh& mesh);

  /// All exact. Keeps the view, of local vertices.
  void begin_iteration(View<const AxisMask> fixed);
  /// All projected, until the next begin_iteration().
  void project_all() { project(std::vector<std::uint8_t>(bodies_, 1)); }

  /// One flag a local tetrahedron, 0: exact; the same on all ranks that hold it.
  View<const std::uint8_t> projected() const { return flags_.view(); }

  /// Projects the bodies of vertices whose diagonal block is not positive definite; false where there was none to
  /// project. matrix: elastic and inertia, with projected() as it is. @note Collective
  bool project_bad_blocks(const BlockMatrix& matrix);

  /// After a solve that may have failed because of exact second derivatives: projects the bodies that bend the system
  /// down along report.negative; all of them when that names none, or after two such solves in a row. False when the
  /// report is to be taken as it is. matrix: as in the solve. @note Collective
  bool project_after(const SolveReport& report, const BlockMatrix& matrix);

 private:
  bool project(const std::vector<std::uint8_t>& bodies);
  std::vector<std::uint8_t> bent_down(const Field& d, const BlockMatrix& matrix);

  const Communicator& communicator_;
  std::size_t bodies_;
  BodySums vertices_;  // owned ones
  DeviceArray<std::int32_t> tetrahedron_body_;
  std::vector<std::uint8_t> projected_;  // a body
  DeviceArray<std::uint8_t> marks_;      // projected_
  DeviceArray<std::uint8_t> flags_;      // projected_ of each tetrahedron
  bool some_ = false;                    // of projected_
  int failures_ = 0;                     // solves in a row
  View<const AxisMask> fixed_;
  DeviceArray<Real> of_vertex_;
  DeviceArray<Vec3> image_;
};

}  // namespace unbarred
