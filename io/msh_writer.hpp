#pragma once
// Gmsh MSH 4.1, ASCII: one volume, vertex tags and element numbers from 1. For small meshes; runs on one rank.
#include <filesystem>
#include <span>

#include "partitioning/block_mesh.hpp"

namespace unbarred {

/// Coordinates are written with as many digits as they need to read back the same bits. Throws Error(io_failed).
void write_msh(const std::filesystem::path& file, std::span<const Vec3> positions,
               std::span<const GlobalTetrahedron> tetrahedra);

}  // namespace unbarred
