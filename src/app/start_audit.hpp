#pragma once
// Is a state one that contact can start from? Surfaces that cross or touch have no side on which to stay.
#include <filesystem>
#include <string>
#include <vector>

#include "app/mesh_bodies.hpp"
#include "audit/distributed_audit.hpp"
#include "contact/surface/surface.hpp"
#include "partitioning/local_mesh.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// Audits of the surfaces of all bodies and obstacles; what `contact.pairs.none` lists may meet, copies included.
class SceneAudit {
 public:
  /// Keeps references to the mesh and the communicator. @note Collective
  SceneAudit(const Scene& scene, const LocalMesh& mesh, const Communicator& communicator);

  /// With the local vertices at `positions` (m, ghosts up to date). @note Collective
  DistributedAuditReport of(const std::vector<Vec3>& positions) const { return audit_.of(positions); }
  /// As the function of that name, before the first step: diagnostics/start.vtu in the output folder of the scene.
  /// @note Collective
  void require_clean_start(const DistributedAuditReport& report, const Scene& scene) const;

  /// Of the surface that contact would have.
  const SurfaceCounts& counts() const { return counts_; }
  const std::vector<std::string>& body_names() const { return body_names_; }
  /// "; 3 edges of three or more triangles": what contact takes as it is, but may not be meant; "" without any.
  std::string unusual() const;

 private:
  const Communicator& communicator_;
  SurfaceCounts counts_;
  MeshAudit audit_;
  std::vector<std::string> body_names_;
};

/// "2 pairs of triangles cross, 1 touches: `ball` crosses `floor` (triangles 0 4 9 and 80 81 82); ...": the counts, and
/// an example for each pair of bodies, five at most. Triangles are named by their global vertices. "" of a clean
/// report. On rank 0.
std::string describe(const DistributedAuditReport& report, const std::vector<std::string>& body_names);

/// Returns when the report is clean. Otherwise writes `diagnostics` (VTU: the triangles of the listed pairs, cell
/// arrays `pair`, `crossing` and `body`, point array `global_id`; triangles without area are pair -1) and throws
/// Error(bad_start_state), which ends with `remedy`, on all ranks. `origin` is added to the positions in the file.
/// @note Collective
void require_clean_start(const DistributedAuditReport& report, const std::vector<std::string>& body_names,
                         const std::filesystem::path& diagnostics, const std::string& remedy, const Vec3& origin,
                         const Communicator& communicator);

}  // namespace unbarred
