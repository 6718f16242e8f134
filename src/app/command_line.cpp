#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "app/bench/accuracy_request.hpp"
#include "core/error.hpp"
#include "scene/choices.hpp"

namespace unbarred {

// `--` and what follows goes to PETSc, untouched.
static std::vector<std::string> split_petsc_options(int argc, char** argv, std::string& petsc_options) {
  std::vector<std::string> words;
  bool after = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (after) petsc_options += (petsc_options.empty() ? "" : " ") + word;
    else if (word == "--") after = true;
    else words.push_back(word);
  }
  return words;
}

static void add_run_options(CLI::App& command, CommandLine& line) {
  command.add_option("overrides", line.overrides, "key=value: any scene entry, as in time.step=0.005");
  command.add_option("--steps", line.steps, "End after step N with a checkpoint")
      ->check(CLI::Range(0LL, 1000000000000LL));
}

static void add_mesh_options(CLI::App& mesh, CommandLine& line) {
  mesh.require_subcommand(1);
  CLI::App* make = mesh.add_subcommand("make", "Write the mesh of a generator; without a name: lists them");
  make->add_option("generator", line.target, "box, ball, cylinder, ...");
  make->add_option("parameters", line.overrides, "key=value, as in size=1,1,2 cells=4");
  make->add_flag("--surface", line.surface, "The surface of that name (box)");
  make->add_option("-o,--output", line.output, "Mesh file: .msh or .vtu");
  const auto from_to = [&](const char* name, const char* description) {
    CLI::App* command = mesh.add_subcommand(name, description);
    command->add_option("input", line.target, "Mesh file: .msh, .vtk, .vtu, .obj, .stl, .ply")->required();
    command->add_option("output", line.output, "Mesh file: .msh or .vtu")->required();
    return command;
  };
  CLI::App* convert = from_to("convert", "Read a mesh and write it as it is");
  CLI::App* weld = from_to("weld", "Merge vertices at one place; drop collapsed and duplicate elements");
  weld->add_option("--tolerance", line.tolerance, "Largest distance merged, relative to the bounding box's diagonal")
      ->check(CLI::Range(0.0, 0.1));
  CLI::App* orient = from_to("orient", "Turn mirrored tetrahedra; orient surfaces, closed ones outwards");
  for (CLI::App* command : {make, convert, weld, orient})
    command->add_flag("--binary", line.binary, "Write MSH as binary");
  mesh.add_subcommand("report", "Sizes, shape, duplicates, surface")
      ->add_option("input", line.target, "Mesh file")
      ->required();
}

static CLI::App* add_filter_command(CLI::App& app, CommandLine& line) {
  CLI::App* filter = app.add_subcommand("filter", "The part of a motion in which no surface goes through another");
  filter->add_option("mesh", line.target, "Surface or volume mesh: .vtu, .vtp, .vtk or .msh")->required();
  filter
      ->add_option("displacement", line.displacement,
                   "Wanted motion, m: VTK file with a point array `displacement`, or text, `x y z` a line")
      ->required();
  filter->add_option("--filter", line.filter, "lazy: a fraction a vertex; global: one for all")
      ->check(CLI::IsMember(CLI::detail::split(std::string(step_filter_words), '|')))
      ->capture_default_str();
  filter->add_option("--gap", line.gap, "Distance to keep, m; default 1e-6 of the size of the mesh")
      ->check(CLI::NonNegativeNumber);
  filter->add_flag("--no-inversion", line.no_inversion, "Keep tetrahedra from inverting, too");
  filter->add_option("-o,--output", line.output, "VTU file for the filtered displacement and the fraction");
  return filter;
}

static CLI::App* add_bench_command(CLI::App& app, CommandLine& line) {
  CLI::App* bench = app.add_subcommand("bench", "Measure: `kernels`, `contact`, `retention`, `accuracy`");
  bench->add_option("name", line.target, "kernels, contact, retention or accuracy")->required();
  bench->add_option("words", line.overrides, "cells=N, triangles=N or draws=N: size of the benchmark named; see below");
  bench->footer(accuracy_usage());
  return bench;
}

ParsedCommandLine parse_command_line(int argc, char** argv, bool printing) {
  ParsedCommandLine parsed;
  CommandLine& line = parsed.line;
  std::vector<std::string> words = split_petsc_options(argc, argv, line.petsc_options);
  CLI::App app("unbarred: penetration-free elastodynamics without barriers, on one core or many GPUs", "unbarred");
  app.footer(
      "Exit codes: 0 done, 2 bad scene or file, 3 bad start state, 4 not converged, 5 out of memory,\n"
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
  const CLI::App* filter = add_filter_command(app, line);
  const CLI::App* bench = add_bench_command(app, line);
  CLI::App* info = app.add_subcommand("info", "Tell what a scene, mesh, checkpoint, frame or run folder holds");
  info->add_option("file", line.target, "File or run folder")->required();
  CLI::App* mesh = app.add_subcommand("mesh", "Make, convert, repair and report on meshes");
  add_mesh_options(*mesh, line);
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
                 : filter->parsed() ? Command::filter
                 : bench->parsed()  ? Command::bench
                 : info->parsed()   ? Command::info
                 : mesh->parsed()   ? Command::mesh
                                    : Command::none;
  if (mesh->parsed()) line.mesh_action = mesh->get_subcommands()[0]->get_name();
  const bool incomplete = line.command == Command::none || (line.command == Command::run && line.target.empty());
  if (incomplete) {
    line.command = Command::none;
    if (printing) std::cerr << app.help();
    parsed.exit_code = static_cast<int>(ExitCode::bad_input);
  }
  return parsed;
}

}  // namespace unbarred
