#pragma once
// The audit of a surface that lies on many ranks: the same report for any number of ranks and any partition.
//
// Every rank audits what it owns, and what it owns against the triangles of other ranks that come near. It has its own
// exchange, as it has its own tree: the broad phase that it watches takes no part. No rank gathers the surface.
#include "audit/audit.hpp"
#include "partitioning/communicator.hpp"
#include "partitioning/local_mesh.hpp"

namespace unbarred {

struct AuditedTriangle {
  std::array<GlobalIndex, 3> vertices;  ///< global, ascending
  std::array<Vec3, 3> corners;          ///< their positions, m
  std::int32_t body;
};

struct AuditedPair {
  AuditedTriangle a, b;  ///< by their vertices: a before b
  exact::Relation relation;
};

struct DistributedAuditReport {
  /// As in AuditReport, of all ranks together, the same on every rank.
  std::int64_t crossing = 0, touching = 0, zero_area = 0, not_finite = 0;
  /// On rank 0, elsewhere empty; each the first of all, at most options.list_limit. Pairs: crossing before touching,
  /// then by the vertices of a, then of b. Triangles: by their vertices.
  std::vector<AuditedPair> pairs;
  std::vector<AuditedTriangle> zero_area_triangles, not_finite_triangles;
  bool intersects() const { return crossing + touching > 0; }
  bool clean() const { return !intersects() && zero_area == 0 && not_finite == 0; }
};

/// The triangles that all ranks own together, each owned by one rank. vertex_ids are given, and mean the same vertex on
/// every rank. @note Collective
DistributedAuditReport audit_surface(const AuditSurface& owned, const Communicator& communicator,
                                     const AuditOptions& options = {});

/// The surfaces of bodies and obstacles of a mesh, made from its elements (boundary.hpp).
class MeshAudit {
 public:
  /// Keeps references to the mesh and the communicator.
  MeshAudit(const LocalMesh& mesh, const Communicator& communicator, AuditOptions options = {});

  /// With the local vertices at `positions` (m, ghosts up to date). @note Collective
  DistributedAuditReport of(const std::vector<Vec3>& positions) const;

 private:
  const LocalMesh& mesh_;
  const Communicator& communicator_;
  AuditOptions options_;
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<GlobalIndex> ids_;
};

}  // namespace unbarred
