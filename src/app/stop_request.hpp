#pragma once
// Requests from outside: signals USR1 and TERM, and files named `stop` or `checkpoint` in the run folder.
#include <filesystem>

#include "partitioning/communicator.hpp"

namespace unbarred {

enum class Request { none, checkpoint, stop };

/// From now on USR1 and TERM no longer end the process: the first poll() learns of them.
void catch_stop_signals();

class StopRequest {
 public:
  /// Catches USR1 and TERM from now on, as catch_stop_signals() does.
  explicit StopRequest(std::filesystem::path run_folder);
  /// What any rank was asked for since the last call; the same on every rank. The file is removed. @note Collective
  Request poll(const Communicator& communicator);

 private:
  Request asked_by_file() const;
  std::filesystem::path folder_;
};

}  // namespace unbarred
