#pragma once
// What the user typed.
#include <optional>
#include <string>
#include <vector>

namespace unbarred {

struct CommandLine {
  enum class Command { none, run, resume, check, filter, bench, describe, version };
  Command command = Command::none;
  std::string target;                  ///< scene file, run folder, mesh file or name of a benchmark
  std::vector<std::string> overrides;  ///< key=value
  long long steps = -1;                ///< end after this step; -1: run to the end
  bool overwrite = false;
  bool dry_run = false;
  std::string petsc_options;           ///< everything after `--`
  std::string displacement;            ///< filter: file of the wanted motion
  std::string filter = "lazy";         ///< filter: or global
  std::optional<double> gap;           ///< filter: distance to keep, m
  std::string output;                  ///< filter: file to write; empty: none
};

/// Prints help on `printing` ranks only. `command` is none when all is said (help) or wrong; `exit_code` then tells.
struct ParsedCommandLine {
  CommandLine line;
  int exit_code = 0;
};
ParsedCommandLine parse_command_line(int argc, char** argv, bool printing);

}  // namespace unbarred
