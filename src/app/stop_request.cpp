#include "app/stop_request.hpp"

#include <csignal>

namespace unbarred {

static volatile std::sig_atomic_t signalled = 0;

extern "C" {
static void remember_signal(int) { signalled = 1; }
}

void catch_stop_signals() {
  std::signal(SIGUSR1, remember_signal);
  std::signal(SIGTERM, remember_signal);
}

StopRequest::StopRequest(std::filesystem::path run_folder) : folder_(std::move(run_folder)) { catch_stop_signals(); }

Request StopRequest::asked_by_file() const {
  std::error_code ignored;
  if (std::filesystem::remove(folder_ / "stop", ignored)) return Request::stop;
  if (std::filesystem::remove(folder_ / "checkpoint", ignored)) return Request::checkpoint;
  return Request::none;
}

Request StopRequest::poll(const Communicator& communicator) {
  int asked = signalled ? static_cast<int>(Request::stop) : 0;
  if (communicator.is_root()) asked = std::max(asked, static_cast<int>(asked_by_file()));
  return static_cast<Request>(communicator.max(asked));
}

}  // namespace unbarred
