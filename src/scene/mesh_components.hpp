#pragma once
// Connected components of bodies: a file that holds 25 stones is one body of the scene and 25 bodies of the mesh.
#include "partitioning/communicator.hpp"
#include "partitioning/local_mesh.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// Gives every connected component (vertices joined by tetrahedra) of the bodies that ask for it a body number of its
/// own in mesh.vertex_body, and extends mesh.scene_body accordingly. Components of a body are numbered in the order of
/// their smallest global vertices, the same on any number of ranks; bodies keep their order. Throws Error(bad_input) on
/// all ranks for more than 2^31 bodies. @note Collective
void split_components(const Scene& scene, const Communicator& communicator, LocalMesh& mesh);

}  // namespace unbarred
