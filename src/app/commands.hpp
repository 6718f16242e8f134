#pragma once
// The subcommands. All are collective and throw Error; the program turns that into an exit code.
#include "app/command_line.hpp"
#include "partitioning/communicator.hpp"
#include "scene/scene.hpp"

namespace unbarred {

void print_version(const Communicator& world);
void print_scene_language(const Communicator& world);
void run_scene(const Communicator& world, const CommandLine& line);
void resume_run(const Communicator& world, const CommandLine& line);
void check_scene(const Communicator& world, const CommandLine& line);
void tell_about(const Communicator& world, const CommandLine& line);
void work_on_mesh(const Communicator& world, const CommandLine& line);
void filter_file(const Communicator& world, const CommandLine& line);
void run_benchmark(const Communicator& world, const CommandLine& line);

/// Root reads the file, every rank parses the same text. @note Collective
Scene load_scene(const Communicator& world, const std::string& file, const std::vector<std::string>& overrides);

}  // namespace unbarred
