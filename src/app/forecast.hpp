#pragma once
// What a run of a scene will need, told from its counts: for people who have to ask a queue for nodes and hours.
#include "partitioning/local_mesh.hpp"
#include "scene/scene.hpp"

namespace unbarred {

struct Forecast {
  std::int64_t steps = 0, frames = 0;
  double memory_bytes = 0;      ///< on the largest rank, beside the program itself
  double frame_bytes = 0;       ///< one frame, before compression
  double contact_bytes = 0;     ///< of contact pairs in one frame, when these are written; before compression
  double checkpoint_bytes = 0;  ///< one; two are kept
  double seconds = 0;           ///< wall time on these ranks, a rough guess; 0: not known
  int ranks = 1;                ///< recommended
  double disk_bytes() const {
    return static_cast<double>(frames) * (frame_bytes + contact_bytes) + 2 * checkpoint_bytes;
  }
};

/// Time comes from a short run of a box of some thousand tetrahedra a rank, of the scene's first material, on these
/// ranks (host flavor only): seconds a tetrahedron of assembly and of an iteration of the linear solver, times an
/// assumed three Newton iterations a step (with contact at least solver.minimum_iterations) of 2 (vertices)^(1/3)
/// iterations each. Detection of collisions is not in it. Memory and disk are for a contact pair for each of the
/// `surface_vertices` of all ranks. @note Collective
Forecast forecast(const Scene& scene, const LocalMesh& mesh, GlobalIndex surface_vertices,
                  const Communicator& communicator);

}  // namespace unbarred
