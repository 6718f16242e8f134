#pragma once
// Frames for ParaView: <name>.pvd lists the times, <name>_<step>.pvtu the pieces, <name>_<step>_<rank>.vtu holds
// the cells that a rank counts; frames of lines are .pvtp and .vtp. ParaView opens the .pvd.
#include <filesystem>
#include <optional>
#include <string>

#include "io/frames/frame_piece.hpp"
#include "io/frames/frame_series.hpp"
#include "io/frames/vtu.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

class FrameWriter {
 public:
  /// folder: exists already. resumed_step: continue the series that is there, up to and including this step; later
  /// frames and their files go. The communicator must outlive the writer. @note Collective
  FrameWriter(std::filesystem::path folder, std::string name, const Communicator& communicator,
              std::optional<std::int64_t> resumed_step = std::nullopt, FrameFormat format = FrameFormat::cells);

  /// Writes one frame, replacing that of the same step. The arrays have the same names, types and components in the
  /// same order on every rank; a rank without cells writes no file, and a frame without any cell is one empty piece.
  /// Returns the bytes written, all ranks together. Throws Error(io_failed), with path and bytes, on all ranks; the
  /// series then still lists the frames before. @note Collective
  std::int64_t write(std::int64_t step, Real time, const FramePiece& piece);

 private:
  void remove_later_frames(std::int64_t last_step) const;

  std::filesystem::path folder_;
  std::string name_;
  const Communicator& communicator_;
  FrameFormat format_;
  FrameSeries series_;  // kept on rank 0
};

}  // namespace unbarred
