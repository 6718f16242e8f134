#pragma once
// The text of one VTU piece and of the PVTU file over the pieces.
#include <string>
#include <vector>

#include "io/frame_piece.hpp"

namespace unbarred {

/// VTK XML unstructured grid: appended raw data, zlib, 64-bit headers. Valid without cells, too.
/// Throws Error(internal) when an array does not have its components for every point or cell.
std::string vtu_text(const FramePiece& piece);

/// The PVTU file: the arrays of `piece`, which every rank has, and the file names of the pieces.
std::string pvtu_text(const FramePiece& piece, const std::vector<std::string>& files);

/// With the characters that XML reserves escaped.
std::string xml_escaped(const std::string& text);

}  // namespace unbarred
