#pragma once
// The arrays of a frame, taken from a simulation.
#include "app/simulation.hpp"
#include "io/frame_piece.hpp"

namespace unbarred {

class FrameSource {
 public:
  /// Remembers which cells and vertices this rank writes. fields: the arrays to write; empty: all.
  FrameSource(const Simulation& simulation, std::vector<std::string> fields);

  /// The current state of the bodies, on the host.
  FramePiece piece(int rank) const;
  /// That of the obstacles: triangles, without what only a volume has.
  FramePiece obstacle_piece(int rank) const;

 private:
  bool wanted(const std::string& name) const;
  void add_points(FramePiece& piece, const std::vector<Index>& vertices) const;
  void add_cell_states(FramePiece& piece) const;
  void add_rank(FramePiece& piece, int rank) const;

  const Simulation& simulation_;
  std::vector<std::string> fields_;
  FrameSelection<4> bodies_;
  FrameSelection<3> obstacles_;
};

}  // namespace unbarred
