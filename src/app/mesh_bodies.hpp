#pragma once
// From the bodies of a scene to those of the mesh: copies of repeated bodies, connected components, obstacles.
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.hpp"

namespace unbarred {

/// What each body of the mesh is called: `ball`, the third copy or component of one `ball[2]`; obstacles after bodies.
std::vector<std::string> mesh_body_names(const Scene& scene, const std::vector<int>& scene_body);

/// Pairs of bodies of the scene (obstacle o: bodies.size() + o) as pairs of bodies of the mesh, copies included.
std::vector<std::pair<std::int32_t, std::int32_t>> mesh_body_pairs(const std::vector<std::array<int, 2>>& scene_pairs,
                                                                   const Scene& scene,
                                                                   const std::vector<int>& scene_body);

}  // namespace unbarred
