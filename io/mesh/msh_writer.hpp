#pragma once
// Gmsh MSH 4.1, ASCII or binary: vertex tags and element numbers from 1, a physical group a region. Runs on one rank.
#include <filesystem>
#include <span>

#include "io/mesh/mesh_data.hpp"
#include "partitioning/block_mesh.hpp"

namespace unbarred {

/// Coordinates are written with as many digits as they need to read back the same bits. Throws Error(io_failed).
void write_msh(const std::filesystem::path& file, const MeshData& mesh, bool binary = false);
/// ASCII, one volume.
void write_msh(const std::filesystem::path& file, std::span<const Vec3> positions,
               std::span<const GlobalTetrahedron> tetrahedra);

/// `.msh` as above or `.vtu` (appended, compressed; regions as the cell array `region`), by the suffix. Throws
/// Error(bad_input) for other suffixes, Error(io_failed).
void write_mesh(const std::filesystem::path& file, const MeshData& mesh, bool binary);
/// The suffix alone: before anything is read.
void require_writable_format(const std::filesystem::path& file);

}  // namespace unbarred
