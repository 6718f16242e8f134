#pragma once
// Far from the origin doubles lose the digits that small bodies need: 1e-10 m at 1e6 m. So positions are kept relative
// to a point of the scene, and everything inside the program, checkpoints included, knows only those. Output adds the
// point again.
#include <memory>
#include <vector>

#include "scene/tetrahedra_source.hpp"

namespace unbarred {

/// Where the first body lies: its `place.translate`, and for a mesh that lies far from its own origin (16 times its
/// size) the center of its box, placed. The same bits on any number of ranks. `first`: source of the first body.
/// @note Collective
Vec3 scene_origin(const Scene& scene, const TetrahedraSource& first, const Communicator& communicator);

/// Subtracts `origin` from every position of the scene - places, selections, centers of motions, springs' points - and
/// adds it to Scene::origin.
void move_to_local_origin(Scene& scene, const Vec3& origin);

}  // namespace unbarred
