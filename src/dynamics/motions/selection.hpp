#pragma once
// Which vertices of a body a scene's selection means.
#include <vector>

#include "partitioning/local_mesh.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// True when the selection's shape holds the position; regions are not known by position.
bool selects(const Selection& selection, const Vec3& rest_position);

/// Local vertices of scene body `body`, ascending. scene_body[b] is the body in the scene of mesh body b (a copy of a
/// repeated body). A region holds the vertices of its tetrahedra. Throws the same Error(bad_input) at `place` on every
/// rank when the body's mesh has no such region.
std::vector<Index> selected_vertices(const Selection& selection, int body, const Place& place, const LocalMesh& mesh,
                                     const std::vector<int>& scene_body);

}  // namespace unbarred
