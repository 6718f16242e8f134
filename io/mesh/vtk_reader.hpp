#pragma once
// VTK meshes: legacy .vtk (ASCII and binary, file versions 1 to 5) and .vtu. The calling rank holds the whole file:
// legacy files name the types of their cells only after the cells.
#include <filesystem>

#include "io/mesh/mesh_data.hpp"

namespace unbarred {

/// Vertices and cells are called by their numbers from 0, as ParaView shows them. Throws Error(bad_input), for legacy
/// files with the line. Regions: of .vtu only, from an integer cell array `region` or `gmsh:physical`, each called by
/// its number.
MeshData read_vtk_legacy(const std::filesystem::path& file, ElementKind wanted);
MeshData read_vtu(const std::filesystem::path& file, ElementKind wanted);

/// Points and cells as VTK stores them: cell c has the points connectivity[offsets[c] .. offsets[c + 1]).
struct VtkCells {
  std::vector<Vec3> points;
  std::vector<GlobalIndex> offsets, connectivity;
  std::vector<int> types;
  std::vector<GlobalIndex> regions;  ///< of each cell; or empty
};

/// The wanted cells; larger polygons are cut into triangles around their first corner. Throws Error(bad_input).
MeshData wanted_vtk_cells(VtkCells cells, ElementKind wanted, const std::filesystem::path& file);

}  // namespace unbarred
