#pragma once
// One error type. Bad input, a full disk, a failed solve: what happened, where, and with which exit code.
#include <stdexcept>
#include <string>

namespace unbarred {

/// Exit codes of the program, the same on every rank and in every launcher (README, "Exit codes").
enum class ExitCode : int {
  done = 0,
  bad_input = 2,
  bad_start_state = 3,
  not_converged = 4,
  out_of_capacity = 5,
  io_failed = 6,
  checkpoint_mismatch = 7,
  launch_unusable = 8,
  internal = 70,
  stopped = 75,
};

/// A place in a text file; line and column count from 1, 0 when unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// "file:line:column" with the unknown parts left out; "" when nothing is known.
std::string to_string(const Place& place);

/// The message says what is wrong and what to do about it; the place is put in front of it.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Error(ExitCode code, const Place& place, const std::string& message);
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// Bad scene or file: exit code 2.
inline Error bad_input(const Place& place, const std::string& message) {
  return Error(ExitCode::bad_input, place, message);
}

}  // namespace unbarred
