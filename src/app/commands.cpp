#include "app/commands.hpp"

#include <fmt/core.h>

#include "app/bench.hpp"
#include "app/version.hpp"
#include "core/log.hpp"
#include "io/motion_table.hpp"
#include "io/scene_reader.hpp"

namespace unbarred {

void print_version(const Communicator& world) {
  if (!world.is_root()) return;
  fmt::print("unbarred {}, {} flavour\n", version_text(), backend_name());
  for (const auto& [name, version] : all_library_versions()) fmt::print("  {:<10} {}\n", name, version);
}

void print_scene_language(const Communicator& world) {
  if (world.is_root()) fmt::print("{}", describe_scene_schema());
}

Scene load_scene(const Communicator& world, const std::string& file, const std::vector<std::string>& overrides) {
  std::string text;
  world.agree([&] {
    if (world.is_root()) text = read_text(file);
  });
  text = world.broadcast(text, 0);
  Scene scene;
  world.agree([&] { scene = parse_scene(text, file, overrides); });
  read_motion_tables(scene, world);
  return scene;
}

// cells=N is the only setting so far.
static int cells_of(const std::vector<std::string>& settings) {
  int cells = 32;
  for (const std::string& setting : settings) {
    char end = 0;
    if (std::sscanf(setting.c_str(), "cells=%d%c", &cells, &end) != 1 || cells < 1 || cells > 300)
      throw Error(ExitCode::bad_input, "bench: `" + setting + "` is not understood; use cells=N with 1 <= N <= 300");
  }
  return cells;
}

void run_benchmark(const Communicator& world, const CommandLine& line) {
  if (line.target != "kernels")
    throw Error(ExitCode::bad_input, "there is no benchmark `" + line.target + "`; there is: kernels");
  bench_kernels(world, cells_of(line.overrides));
}

}  // namespace unbarred
