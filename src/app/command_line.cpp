#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "core/error.hpp"

namespace unbarred {

// `--` and what follows goes to PETSc, untouched.
static std::vector<std::string> split_petsc_options(int argc, char** argv, std::string& petsc_options) {
  std::vector<std::string> words;
  bool after = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (after)
      petsc_options += (petsc_options.empty() ? "" : " ") + word;
    else if (word == "--")
      after = true;
    else
      words.push_back(word);
  }
  return words;
}

static void add_run_options(CLI::App& command, CommandLine& line) {
  command.add_option("overrides", line.overrides, "key=value: any scene entry, as in time.step=0.005");
  command.add_option("--steps", line.steps, "End after step N with a checkpoint")->check(CLI::NonNegativeNumber);
}

ParsedCommandLine parse_command_line(int argc, char** argv, bool printing) {
  ParsedCommandLine parsed;
  CommandLine& line = parsed.line;
  std::vector<std::string> words = split_petsc_options(argc, argv, line.petsc_options);
  CLI::App app("unbarred: penetration-free elastodynamics without barriers, on one core or many GPUs");
  app.footer("Exit codes: 0 done, 2 bad scene or file, 3 bad start state, 4 not converged, 5 out of memory,\n"
             "6 input/output failed, 7 checkpoint does not fit, 8 launch or device unusable, 70 internal, 75 stopped.");
  bool version = false, describe = false;
  app.add_flag("--version", version, "Version, git state, libraries and back-ends");
  CLI::App* run = app.add_subcommand("run", "Run a scene. PETSc options may follow after --");
  run->add_option("scene", line.target, "Scene file (YAML)");
  add_run_options(*run, line);
  run->add_flag("--overwrite", line.overwrite, "Replace an earlier run in the same folder");
  run->add_flag("--dry-run", line.dry_run, "Set everything up, take no step");
  run->add_flag("--describe", describe, "Print the scene language with units and defaults");
  CLI::App* resume = app.add_subcommand("resume", "Continue a run from its newest complete checkpoint");
  resume->add_option("run_folder", line.target, "Run folder")->required();
  add_run_options(*resume, line);
  CLI::App* check = app.add_subcommand("check", "Read and check a scene without a time step");
  check->add_option("scene", line.target, "Scene file (YAML)")->required();
  check->add_option("overrides", line.overrides, "key=value");
  CLI::App* bench = app.add_subcommand("bench", "Measure: `kernels`, `contact`, `retention`");
  bench->add_option("name", line.target, "kernels, contact or retention")->required();
  bench->add_option("overrides", line.overrides, "cells=N, triangles=N or draws=N: size of the benchmark named");
  std::reverse(words.begin(), words.end());  // CLI11 takes its words from the back
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    if (printing) std::cout << out.str(), std::cerr << err.str();
    parsed.exit_code = code == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
    return parsed;
  }
  using Command = CommandLine::Command;
  line.command = version            ? Command::version
                 : describe         ? Command::describe
                 : run->parsed()    ? Command::run
                 : resume->parsed() ? Command::resume
                 : check->parsed()  ? Command::check
                 : bench->parsed()  ? Command::bench
                                    : Command::none;
  const bool incomplete = line.command == Command::none || (line.command == Command::run && line.target.empty());
  if (incomplete) {
    line.command = Command::none;
    if (printing) std::cerr << app.help();
    parsed.exit_code = static_cast<int>(ExitCode::bad_input);
  }
  return parsed;
}

}  // namespace unbarred
