#pragma once
// Triangle surfaces of the formats that have no volumes, whole in the memory of the calling rank. Larger polygons are
// cut into triangles around their first corner. All throw Error(bad_input) with file and line.
#include <filesystem>

#include "io/mesh/mesh_data.hpp"

namespace unbarred {

/// Wavefront OBJ: v and f; texture, normals, groups and materials are passed over, lines and points counted as ignored.
/// Vertices and faces are called by their numbers from 1.
MeshData read_obj(const std::filesystem::path& file);

/// STL, ASCII and binary. Its triangles have corners of their own: those with exactly equal coordinates become one
/// vertex. Vertices and facets are called by their numbers from 1, vertices in the order of their first appearance.
MeshData read_stl(const std::filesystem::path& file);

/// PLY, ASCII and binary, both byte orders. Vertices and faces are called by their numbers from 0.
MeshData read_ply(const std::filesystem::path& file);

/// Throws Error(bad_input) when a triangle uses a vertex that is not there.
void check_corners(const MeshData& data, const std::filesystem::path& file);

}  // namespace unbarred
