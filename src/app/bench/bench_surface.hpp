#pragma once
// A surface in motion for benchmarks of collision detection: triangles without volume, dealt out to the ranks.
#include <functional>
#include <memory>

#include "contact/surface/collision_mesh.hpp"
#include "partitioning/partitioner.hpp"

namespace unbarred {

class BenchSurface {
 public:
  /// Triangles and bodies of `mesh`, partitioned by its positions. @note Collective
  BenchSurface(BlockMesh&& mesh, const Communicator& communicator);

  /// A place at rest and a global vertex number; called for local vertices, so it must not depend on the rank.
  using Place = std::function<Vec3(const Vec3&, GlobalIndex)>;
  void set_motion(const Place& start, const Place& target);

  CollisionMesh& collision_mesh() { return collision_mesh_; }
  const SurfaceCounts& counts() const { return surface_.counts; }
  const IndexMap& map() const { return mesh_.map; }

 private:
  LocalMesh mesh_;
  std::unique_ptr<Transport> transport_;
  Surface surface_;
  CollisionMesh collision_mesh_;
  Field start_, target_;
};

/// A number in [-1, 1) that looks random and depends on its arguments alone.
Real noise(GlobalIndex number, int which);

}  // namespace unbarred
