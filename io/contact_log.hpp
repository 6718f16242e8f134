#pragma once
// contact_forces.csv: what bodies do to each other, one line a step and pair of bodies that touch, appended as the run
// goes. Columns: step, time (s), body_a, body_b (numbers as in the array `body` of the frames, body_a < body_b), then
// the normal and the friction force on body_a, N.
#include <filesystem>
#include <optional>
#include <vector>

#include "dynamics/body_force.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

class ContactLog {
 public:
  /// resumed_step: keep what `file` says up to this step; later lines, and a line that was cut off, go. Without it the
  /// file starts with its head alone. The communicator must outlive this. @note Collective
  ContactLog(std::filesystem::path file, const Communicator& communicator,
             std::optional<std::int64_t> resumed_step = std::nullopt);

  /// forces: on rank 0. The lines are in the file when this returns. Throws Error(io_failed) on all ranks.
  /// @note Collective
  void append(std::int64_t step, Real time, const std::vector<BodyForce>& forces) const;

 private:
  std::filesystem::path file_;
  const Communicator& communicator_;
};

}  // namespace unbarred
