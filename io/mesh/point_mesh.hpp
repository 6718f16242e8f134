#pragma once
// Meshes with vectors at their points, as `unbarred filter` takes them: whole in the memory of the calling rank.
#include <filesystem>
#include <vector>

#include "partitioning/block_mesh.hpp"

namespace unbarred {

struct PointMesh {
  std::vector<Vec3> points;                   ///< m
  std::vector<GlobalTetrahedron> tetrahedra;  ///< positively oriented
  std::vector<GlobalTriangle> triangles;      ///< only where there are no tetrahedra
  std::vector<std::int32_t> body;             ///< the point array `body`, else empty
};

/// VTK, XML (.vtu, .vtp) or legacy (.vtk). Triangles and tetrahedra; points, lines, and triangles beside tetrahedra are
/// passed over. Throws Error(bad_input), for other cells and tetrahedra without volume with the number of the cell.
PointMesh read_point_mesh(const std::filesystem::path& file);

/// `count` vectors: the point array `displacement` of a VTK file (as above), or of any other file its lines `x y z`,
/// with spaces, commas or semicolons between; empty lines, lines that start with #, and one line of titles are passed
/// over. Throws Error(bad_input), of text with the line.
std::vector<Vec3> read_displacements(const std::filesystem::path& file, std::size_t count);

}  // namespace unbarred
