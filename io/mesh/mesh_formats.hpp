#pragma once
// Mesh files of every known format, told apart by their suffix.
#include <filesystem>
#include <memory>

#include "io/mesh/mesh_stream.hpp"

namespace unbarred {

/// ".msh" for "Bar.MSH".
std::string lower_suffix(const std::filesystem::path& file);

/// OBJ, STL and PLY, which have no volumes.
bool is_surface_format(const std::filesystem::path& file);

/// MSH (streamed), VTK, VTU, OBJ, STL, PLY (read whole into the memory of the calling rank). Throws Error(bad_input)
/// for a suffix that is not known or has no elements of this kind, and for what is wrong in the file's head.
std::unique_ptr<MeshStream> open_mesh_stream(const std::filesystem::path& file, ElementKind wanted);

}  // namespace unbarred
