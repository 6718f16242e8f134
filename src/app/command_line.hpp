#pragma once
// What the user typed.
#include <optional>
#include <string>
#include <vector>

namespace unbarred {

struct CommandLine {
  enum class Command { none, run, resume, check, filter, bench, info, mesh, describe, version };
  Command command = Command::none;
  std::string target;                  ///< scene file, run folder, mesh file or name of a benchmark
  std::vector<std::string> overrides;  ///< key=value
  long long steps = -1;                ///< end after this step; -1: run to the end
  bool overwrite = false;
  bool dry_run = false;
  std::string petsc_options;  ///< everything after `--`

  std::string mesh_action;      ///< make, convert, weld, orient or report; target: the generator or the file read
  std::string output;           ///< mesh, filter: file to write; empty: none
  double tolerance = 1e-9;      ///< of weld, relative to the bounding box
  bool binary = false;          ///< of MSH files written
  bool surface = false;         ///< make: a surface where there is a volume of that name, too
  std::string displacement;     ///< filter: file of the wanted motion
  std::string filter = "lazy";  ///< filter: or global
  std::optional<double> gap;    ///< filter: distance to keep, m
  bool no_inversion = false;    ///< filter: tetrahedra keep their orientation
};

/// Prints help on `printing` ranks only. `command` is none when all is said (help) or wrong; `exit_code` then tells.
struct ParsedCommandLine {
  CommandLine line;
  int exit_code = 0;
};
ParsedCommandLine parse_command_line(int argc, char** argv, bool printing);

}  // namespace unbarred
