#include "app/outcome.hpp"

#include <new>

#include "core/log.hpp"
#include "io/text/files.hpp"

namespace unbarred {

Error error_in_flight() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ExitCode::out_of_capacity, "out of memory"};
  } catch (const std::exception& error) {
    return {ExitCode::internal, std::string("internal error: ") + error.what()};
  }
}

void write_last_status(const RunFolder& folder, const RunStatus& status, bool together) {
  log_detail("ended with exit code " + std::to_string(static_cast<int>(status.exit_code)) + ": " + status.message);
  try {
    if (together) folder.write_status(status);
    else write_file(folder.status(), to_json(status));
  } catch (const Error& second) {
    log_error(std::string("could not save the state: ") + second.what());
  }
}

}  // namespace unbarred
