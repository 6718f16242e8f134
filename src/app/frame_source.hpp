#pragma once
// The arrays of a frame, taken from a simulation.
#include "app/simulation.hpp"
#include "io/frame_piece.hpp"

namespace unbarred {

class FrameSource {
 public:
  /// Remembers which cells and vertices this rank writes. fields: the arrays to write; empty: all.
  FrameSource(const Simulation& simulation, std::vector<std::string> fields);

  /// The current state, on the host.
  FramePiece piece(int rank) const;

 private:
  bool wanted(const std::string& name) const;
  void add_point_arrays(FramePiece& piece) const;
  void add_cell_arrays(FramePiece& piece, int rank) const;

  const Simulation& simulation_;
  std::vector<std::string> fields_;
  FrameSelection selection_;
};

}  // namespace unbarred
