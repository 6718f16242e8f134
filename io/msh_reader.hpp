#pragma once
// Gmsh MSH 2.x and 4.1, ASCII.
#include <filesystem>
#include <memory>

#include "io/mesh_stream.hpp"

namespace unbarred {

/// Opens the file and reads its format; throws Error(bad_input) for what is no MSH or a binary one.
std::unique_ptr<MeshStream> open_msh(const std::filesystem::path& file);

}  // namespace unbarred
