#pragma once
// Surfaces of obstacles from files: rank 0 reads and checks, every rank gets the ranges that it asks for.
#include "io/mesh/mesh_file.hpp"

namespace unbarred {

/// The triangles of spec.file (OBJ, STL, PLY, MSH, VTK, VTU), coordinates times spec.scale; larger polygons are cut
/// into triangles; of a file with tetrahedra and no triangles the boundary. Rank 0 holds the surface whole. Vertices
/// that no triangle uses are dropped and counted. Throws the same Error on every rank: bad_input with file and line or
/// element, also for triangles without area and for vertices or triangles that occur twice. The log gets to_string() of
/// the report.
/// @note Collective
std::unique_ptr<SurfaceSource> open_surface_file(const MeshSpec& spec, const Communicator& communicator,
                                                 MeshReport* report = nullptr);

}  // namespace unbarred
