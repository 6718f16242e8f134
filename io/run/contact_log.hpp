#pragma once
// contact_forces.csv: what bodies do to each other, one line a step and pair of bodies that touch, appended as the run
// goes. Columns: step, time (s), body_a, body_b (names as in messages: `ball`, a copy of a repeated body or a component
// `ball[2]`, an obstacle; body_a has the lower number in the array `body` of the frames), then the normal and the
// friction force on body_a, N.
#include <vector>

#include "dynamics/loads/body_force.hpp"
#include "io/text/csv_log.hpp"

namespace unbarred {

class ContactLog {
 public:
  /// body_names: of the bodies of the mesh, needed on rank 0. Otherwise as CsvLog. @note Collective
  ContactLog(std::filesystem::path file, const Communicator& communicator, std::vector<std::string> body_names,
             std::optional<std::int64_t> resumed_step = std::nullopt);

  /// forces: on rank 0; elsewhere empty. Otherwise as CsvLog. @note Collective
  void append(std::int64_t step, Real time, const std::vector<BodyForce>& forces) const;

 private:
  CsvLog file_;
  std::vector<std::string> bodies_;  // as fields
};

}  // namespace unbarred
