#pragma once
// reaction_forces.csv: what motions do to the bodies that they move, one line a step and motion that acts in it,
// appended as the run goes. Columns: step, time (s), motion (its name in the scene), force (N), moment about the origin
// of the scene (N m).
#include <vector>

#include "dynamics/output/reaction.hpp"
#include "io/text/csv_log.hpp"

namespace unbarred {

class ReactionLog {
 public:
  /// motion_names: of all motions of the scene. Otherwise as CsvLog. @note Collective
  ReactionLog(std::filesystem::path file, const Communicator& communicator, std::vector<std::string> motion_names,
              std::optional<std::int64_t> resumed_step = std::nullopt);

  /// reactions: the same on every rank. Otherwise as CsvLog. @note Collective
  void append(std::int64_t step, Real time, const std::vector<Reaction>& reactions) const;

 private:
  CsvLog file_;
  std::vector<std::string> motions_;  // as fields
};

}  // namespace unbarred
