#pragma once
// What is audited: the boundary of the tetrahedra and the triangles of obstacles, found here from the elements, so that
// a triangle which the contact surface lacks is not missing here, too.
#include <array>
#include <vector>

#include "partitioning/local_mesh.hpp"

namespace unbarred {

/// Faces that one tetrahedron of the whole mesh has, and triangles of obstacles, each set of vertices once. Local
/// vertex numbers. Of these, those that this rank owns: it owns their smallest global vertex, and so has every element
/// around.
std::vector<std::array<Index, 3>> audited_triangles(const LocalMesh& mesh);

}  // namespace unbarred
