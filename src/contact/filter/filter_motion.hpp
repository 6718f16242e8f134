#pragma once
// The step filters for any solver: positions, triangles and wanted displacements of vertices in, displacements that
// never make the surface go through itself out. Host arrays; one rank or many, a GPU where the program is built for
// one.
//
//   const Communicator self(MPI_COMM_SELF);                        // or the communicator of a parallel solver
//   MotionFilter filter({.positions = x, .triangles = faces}, self);
//   if (filter.audit(x).intersects()) ...                          // not a start that anything is promised for
//   for (;;) {
//     ... the solver wants to move from x by u ...
//     const MotionFilter::Result safe = filter.filter(x, u);
//     for (std::size_t v = 0; v < x.size(); ++v) x[v] += safe.displacements[v];
//   }
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "audit/distributed_audit.hpp"
#include "contact/filter/step_filter.hpp"
#include "contact/search/broad_phase.hpp"
#include "partitioning/block_mesh.hpp"

namespace unbarred {

/// What one rank knows of a mesh. Vertices are numbered through the parts of ranks 0, 1, ...; an element, given by one
/// rank, may use any of them. Parts may be of any size, also empty: they are dealt out anew inside.
struct MotionMesh {
  std::span<const Vec3> positions;                  ///< of this rank's vertices, m
  std::span<const GlobalTriangle> triangles{};      ///< they collide from both sides
  std::span<const GlobalTetrahedron> tetrahedra{};  ///< positively oriented; their boundary collides
  std::span<const std::int32_t> vertex_body{};      ///< from 0; empty: one body
};

class MotionFilter {
 public:
  struct Options {
    StepFilterKind kind = StepFilterKind::lazy;
    /// Distance that is kept between surfaces, m, or 0.9 of a smaller one; default: 1e-6 of the diagonal of the mesh's
    /// bounding box.
    std::optional<Real> gap{};
    /// Pairs of bodies that may go through each other, in either order; {b, b}: body b through itself.
    std::vector<std::pair<std::int32_t, std::int32_t>> excluded_bodies{};
    /// Makes what keeps the tetrahedra of this rank from inverting; empty: nothing does. The mesh lives as long as the
    /// filter.
    std::function<std::unique_ptr<InversionGuard>(const LocalMesh& mesh)> make_guard{};
  };
  /// Of this rank's vertices.
  struct Result {
    std::vector<Vec3> displacements;  ///< m; fraction times the wanted one
    std::vector<Real> fractions;      ///< in [0, 1]; the same bits for any number of ranks
    FilterReport report;              ///< the same on every rank
    Real retained = 1;                ///< sum of the lengths of the filtered displacements over that of the wanted ones
  };

  /// Keeps a reference to the communicator, and nothing of the arrays. Throws Error(bad_input) on all ranks for sizes
  /// that do not fit, numbers that are not finite and vertices that are not there. @note Collective
  MotionFilter(const MotionMesh& mesh, const Communicator& communicator, const Options& options);
  MotionFilter(const MotionMesh& mesh, const Communicator& communicator) : MotionFilter(mesh, communicator, {}) {}
  MotionFilter(const MotionFilter&) = delete;
  MotionFilter& operator=(const MotionFilter&) = delete;

  /// The safe part of the straight motion from `positions` by `displacements` (m, this rank's vertices). Where the
  /// start is free of intersections so is every state on the way, start + t * filtered displacement for t in [0, 1].
  /// Throws Error(bad_input) as the constructor. @note Collective
  Result filter(std::span<const Vec3> positions, std::span<const Vec3> displacements);

  /// What crosses or touches at `positions` (m, this rank's vertices); bodies that may meet are left out. Vertices have
  /// their numbers in the mesh as it was given. @note Collective
  DistributedAuditReport audit(std::span<const Vec3> positions) const;

  const SurfaceCounts& counts() const { return surface_.counts; }
  Real gap() const { return gap_; }

 private:
  /// Values of this rank's part brought to those who hold the vertices: local ones.
  std::vector<Vec3> to_local(std::span<const Vec3> part, const char* what) const;
  /// One value an owned vertex brought to the parts.
  std::vector<Real> to_part(const std::vector<Real>& owned) const;

  const Communicator& communicator_;
  Options options_;
  std::vector<GlobalIndex> part_ids_;  // of this rank's part
  LocalMesh mesh_;
  Surface surface_;
  Real gap_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<CollisionMesh> collision_;
  std::unique_ptr<BroadPhase> broad_phase_;
  std::unique_ptr<StepFilter> filter_;
  std::unique_ptr<InversionGuard> guard_;
  Field start_, target_;
};

}  // namespace unbarred
