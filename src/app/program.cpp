#include "app/program.hpp"

#include <cstdio>
#include <cstdlib>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/outcome.hpp"

namespace unbarred {

namespace {

// A launcher started several tasks but MPI sees one: every task would run the whole scene into the same folder.
void refuse_lonely_ranks(const Communicator& world) {
  for (const char* variable : {"SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* tasks = std::getenv(variable);
    if (world.size() == 1 && tasks && std::atoi(tasks) > 1)
      throw Error(ExitCode::launch_unusable,
                  std::string(variable) + " says " + tasks +
                      " tasks, but MPI sees one: the launcher and this MPI do not speak the same PMI. With SLURM try "
                      "`srun --mpi=pmix`, or start with mpirun");
  }
}

void execute(const Communicator& world, const CommandLine& line) {
  using Command = CommandLine::Command;
  switch (line.command) {
    case Command::none:
      return;
    case Command::version:
      return print_version(world);
    case Command::describe:
      return print_scene_language(world);
    case Command::run:
      return run_scene(world, line);
    case Command::resume:
      return resume_run(world, line);
    case Command::check:
      return check_scene(world, line);
    case Command::filter:
      return filter_file(world, line);
    case Command::bench:
      return run_benchmark(world, line);
    case Command::info:
      return tell_about(world, line);
    case Command::mesh:
      return work_on_mesh(world, line);
  }
}

int report(const Communicator& world, const Error& failure) {
  const int code = static_cast<int>(failure.code());
  if (!world.all_arrive(failure_patience)) {
    std::fprintf(stderr, "unbarred: rank %d: %s\n", world.rank(), failure.what());
    std::fflush(stderr);
    MPI_Abort(world.handle(), code);
  }
  // Ranks may have met different faces of one trouble: the highest code and the lowest rank's words are given.
  const int agreed = world.max(code);
  const int speaker = world.min(code == agreed ? world.rank() : world.size());
  if (world.rank() == speaker) std::fprintf(stderr, "unbarred: %s\n", failure.what());
  return agreed;
}

}  // namespace

int run_program(const Communicator& world, int argc, char** argv) {
  const ParsedCommandLine parsed = parse_command_line(argc, argv, world.is_root());
  if (parsed.line.command == CommandLine::Command::none) return parsed.exit_code;
  try {
    refuse_lonely_ranks(world);
    execute(world, parsed.line);
    return static_cast<int>(ExitCode::done);
  } catch (const std::exception&) {
    return report(world, error_in_flight());
  }
}

}  // namespace unbarred
