#pragma once
// The boundary of the tetrahedra, as far as the rows of owned vertices need it.
#include <array>
#include <vector>

#include "partitioning/local_mesh.hpp"

namespace unbarred {

/// Local vertices of a triangle, counter-clockwise seen from outside.
using BoundaryFace = std::array<Index, 3>;

/// Every boundary triangle that touches an owned vertex, each once, in the order of their smallest global vertices:
/// all tetrahedra around owned vertices are here, so a face that occurs once is on the boundary of the whole mesh.
std::vector<BoundaryFace> boundary_faces(const LocalMesh& mesh);

/// True on the one rank that counts the face: the owner of its smallest global vertex.
bool counts_here(const BoundaryFace& face, const IndexMap& map);

}  // namespace unbarred
