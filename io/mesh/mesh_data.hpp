#pragma once
// A whole mesh in the memory of one rank: for the formats that cannot be read in one pass, for surfaces, and for
// `unbarred mesh`.
#include <filesystem>
#include <memory>

#include "io/mesh/mesh_stream.hpp"

namespace unbarred {

struct MeshData {
  ElementKind kind = ElementKind::tetrahedra;
  std::vector<Vec3> positions;
  std::vector<FileElement> elements;
  std::vector<GlobalIndex> vertex_ids;  ///< as the file calls them
  std::vector<std::string> region_names;
  GlobalIndex ignored_elements = 0;
};

/// Corners of an element of this kind.
inline int corners_of(ElementKind kind) { return kind == ElementKind::tetrahedra ? 4 : 3; }

/// Vertex ids first, first + 1, ...: of formats that only count.
void count_vertices_from(GlobalIndex first, MeshData& data);

std::unique_ptr<MeshStream> make_mesh_stream(MeshData data);

/// Everything that the stream has; nothing is dropped or changed.
MeshData read_whole(MeshStream& stream, ElementKind kind);

/// The tetrahedra of a file, or its triangles when it has none. Throws Error(bad_input).
MeshData read_mesh_data(const std::filesystem::path& file);

}  // namespace unbarred
