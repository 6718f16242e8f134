#pragma once
// The arrays of a frame, taken from a simulation.
#include "app/simulation.hpp"
#include "dynamics/output/contact_output.hpp"
#include "io/frames/frame_piece.hpp"

namespace unbarred {

class FrameSource {
 public:
  /// Remembers which cells and vertices this rank writes. fields: the arrays to write; empty: all. contact: null
  /// without contact; then the arrays of contact are left out.
  FrameSource(const Simulation& simulation, std::vector<std::string> fields, const ContactOutput* contact);

  /// Before the pieces of a new state: what these show of contact. @note Collective
  void update();
  /// The current state of the bodies, on the host.
  FramePiece piece(int rank) const;
  /// That of the obstacles: triangles, without what only a volume has.
  FramePiece obstacle_piece(int rank) const;
  /// A line a pair of the contact problem, which must be there.
  FramePiece contact_piece() const;

 private:
  bool wanted(const std::string& name) const;
  void add_points(FramePiece& piece, const std::vector<Index>& vertices) const;
  void add_contact(FramePiece& piece, const std::vector<Index>& vertices) const;
  void add_cell_states(FramePiece& piece) const;
  void add_rank(FramePiece& piece, int rank) const;

  const Simulation& simulation_;
  std::vector<std::string> fields_;
  FrameSelection<4> bodies_;
  FrameSelection<3> obstacles_;
  const ContactOutput* contact_;
  VertexContact vertex_contact_;  ///< empty when no array of it is wanted
};

}  // namespace unbarred
