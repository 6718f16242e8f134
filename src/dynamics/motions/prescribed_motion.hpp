#pragma once
// Vertices that are told where to go: which coordinates are prescribed during a step, and where they end.
#include <vector>

#include "core/device_array.hpp"
#include "dynamics/motions/selection.hpp"
#include "linear/fixed_axes.hpp"
#include "partitioning/communicator.hpp"
#include "partitioning/local_mesh.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// A map x -> A x + b that carries the prescribed coordinates of a motion over one step.
struct StepMap {
  Mat3 linear;
  Vec3 shift;
  AxisMask axes;  ///< 0: the motion does not act in this step
};

/// The map of `motion` over the part of [time, time + time_step] in its window. Motions compose over steps, so no
/// reference position needs to be kept: rotations and translations exactly, scalings by the ratio of their factors.
StepMap step_map(const MotionSpec& motion, Real time, Real time_step);

/// Local vertices of each motion. scene_body[b] is the body or obstacle, as MotionSpec counts them, of mesh body b (a
/// copy of a repeated body, or an obstacle).
/// Throws Error(bad_input) on all ranks when two motions prescribe the same coordinate of a vertex at the same time,
/// or when a motion selects no vertex. @note Collective
std::vector<std::vector<Index>> select_vertices(const std::vector<MotionSpec>& motions, const LocalMesh& mesh,
                                                const std::vector<int>& scene_body, const Communicator& communicator);

/// The axes of every local vertex that stand still while no motion moves them: all three of an obstacle's vertex, which
/// has neither mass nor stiffness. Obstacles are the bodies from number `first_obstacle` on. Arguments as above.
std::vector<AxisMask> always_prescribed(const LocalMesh& mesh, const std::vector<int>& scene_body, int first_obstacle);

class PrescribedMotion {
 public:
  /// selected[m] holds the local vertices of motion m, from select_vertices(); `always` is from always_prescribed().
  PrescribedMotion(const std::vector<MotionSpec>& motions, const std::vector<std::vector<Index>>& selected,
                   const std::vector<AxisMask>& always);

  /// For the step that starts at `time` with positions x (local vertices): `fixed` gets the prescribed coordinates,
  /// `target` where they end (and x elsewhere).
  void begin_step(Real time, Real time_step, View<const Vec3> x, View<AxisMask> fixed, View<Vec3> target) const;

  std::size_t count() const { return motions_.size(); }
  /// Local vertices of motion m, ascending.
  View<const Index> vertices(std::size_t m) const {
    return vertices_.view().part(offsets_[m], offsets_[m + 1] - offsets_[m]);
  }
  /// Of all motions, one after the other.
  std::vector<Index> all_vertices() const { return vertices_.to_host(); }
  /// What motion m prescribes in the step that starts at `time`; 0: it does not act.
  AxisMask axes(std::size_t m, Real time, Real time_step) const { return step_map(motions_[m], time, time_step).axes; }

 private:
  std::vector<MotionSpec> motions_;
  DeviceArray<Index> vertices_;   ///< local vertices with a motion, ascending by (motion, vertex)
  std::vector<Index> offsets_;    ///< motions + 1, into vertices_
  DeviceArray<AxisMask> always_;  ///< local vertices
};

}  // namespace unbarred
