#pragma once
// steps.jsonl: one JSON object a step, appended as the run goes.
#include <filesystem>
#include <optional>
#include <string>

#include "dynamics/step_record.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// The line of a step, without its end.
std::string step_line(const StepRecord& record);

class StepLog {
 public:
  /// resumed_step: keep what `file` says up to this step; later lines, and a line that was cut off, go. Without it
  /// the file starts empty. The communicator must outlive this. @note Collective
  StepLog(std::filesystem::path file, const Communicator& communicator,
          std::optional<std::int64_t> resumed_step = std::nullopt);

  /// The line is in the file when this returns. Throws Error(io_failed) on all ranks. @note Collective
  void append(const StepRecord& record);

  /// Steps in the file that were accepted unfinished; the same on every rank.
  std::int64_t unfinished() const { return unfinished_; }

 private:
  std::filesystem::path file_;
  const Communicator& communicator_;
  std::int64_t unfinished_ = 0;
};

}  // namespace unbarred
