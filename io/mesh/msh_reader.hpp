#pragma once
// Gmsh MSH 2.x and 4.1, ASCII and binary, both byte orders.
#include <filesystem>
#include <memory>

#include "io/mesh/mesh_stream.hpp"

namespace unbarred {

/// Opens the file and reads its format; throws Error(bad_input) for what is no MSH. A file without $MeshFormat is read
/// as ASCII of the version that its $Nodes look like, with a warning in the log. Unknown sections are skipped.
/// Memory: a batch, and at most 16 bytes a vertex (nothing when vertex tags count up by one).
std::unique_ptr<MeshStream> open_msh(const std::filesystem::path& file, ElementKind wanted);

}  // namespace unbarred
