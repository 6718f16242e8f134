#pragma once
// Mesh files on many ranks: rank 0 reads in batches and sends every block to the rank that holds it.
#include <memory>
#include <string>
#include <vector>

#include "scene/tetrahedra_source.hpp"

namespace unbarred {

/// What was read, and what was changed on the way. The same on every rank.
struct MeshReport {
  GlobalIndex vertices = 0, tetrahedra = 0;  ///< kept
  GlobalIndex reoriented = 0;                ///< mirrored tetrahedra, turned round
  GlobalIndex dropped_vertices = 0;          ///< that no tetrahedron uses
  GlobalIndex ignored_elements = 0;          ///< points, lines, surfaces
};

/// One line for the log: "bar.msh: 496 vertices, 1620 tetrahedra; 3 tetrahedra reoriented, ...".
std::string to_string(const MeshReport& report, const std::filesystem::path& file);

/// The tetrahedra of spec.file (Gmsh MSH 2.2 and 4.1 ASCII), coordinates times spec.scale. Each rank keeps about its
/// share of them; rank 0 beside that a batch and at most 16 bytes a vertex of the file (nothing when vertex tags
/// count up by one). Throws the same Error on every rank: bad_input with file and line or element.
/// @note Collective
std::unique_ptr<TetrahedraSource> open_mesh_file(const MeshSpec& spec, const Communicator& communicator,
                                                 MeshReport* report = nullptr);

}  // namespace unbarred
