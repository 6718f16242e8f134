#pragma once
// The text of one piece of a frame, and of the file over the pieces: VTU and PVTU for cells, VTP and PVTP for lines.
#include <string>
#include <vector>

#include "io/frames/frame_piece.hpp"

namespace unbarred {

/// What the pieces of a series are made of.
enum class FrameFormat { cells, lines };

/// VTK XML: appended raw data, zlib, 64-bit headers. Valid without cells, too.
/// Throws Error(internal) when an array does not have its components for every point or cell.
std::string piece_text(const FramePiece& piece, FrameFormat format);
inline std::string vtu_text(const FramePiece& piece) { return piece_text(piece, FrameFormat::cells); }

/// Ending of its file: "vtu" or "vtp"; the file over the pieces has a `p` before it.
const char* piece_suffix(FrameFormat format);

/// The file over the pieces: the arrays of `piece`, which every rank has, and the file names of the pieces.
std::string frame_text(const FramePiece& piece, const std::vector<std::string>& files, FrameFormat format);

/// With the characters that XML reserves escaped.
std::string xml_escaped(const std::string& text);

}  // namespace unbarred
