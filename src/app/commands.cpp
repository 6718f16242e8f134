#include "app/commands.hpp"

#include <fmt/core.h>

#include "app/bench/bench.hpp"
#include "app/version.hpp"
#include "core/log.hpp"
#include "io/scene/motion_table.hpp"
#include "io/scene/scene_reader.hpp"

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

/// The value of the only setting of a benchmark, name=N.
static long long number_of(const std::vector<std::string>& settings, const std::string& name, long long usual,
                           long long most) {
  for (const std::string& setting : settings) {
    char end = 0;
    if (std::sscanf(setting.c_str(), (name + "=%lld%c").c_str(), &usual, &end) != 1 || usual < 1 || usual > most)
      throw Error(ExitCode::bad_input, "bench: `" + setting + "` is not understood; use " + name +
                                           "=N with 1 <= N <= " + std::to_string(most));
  }
  return usual;
}

static void run_contact_benchmark(const Communicator& world, const std::vector<std::string>& settings) {
  constexpr long long most = 100'000'000;
  if (!settings.empty()) return bench_contact(world, number_of(settings, "triangles", 0, most));
  for (const long long triangles : {20'000, 200'000, 1'000'000}) bench_contact(world, triangles);
}

void run_benchmark(const Communicator& world, const CommandLine& line) {
  const std::vector<std::string>& settings = line.overrides;
  if (line.target == "kernels") bench_kernels(world, static_cast<int>(number_of(settings, "cells", 32, 300)));
  else if (line.target == "contact") run_contact_benchmark(world, settings);
  else if (line.target == "retention") bench_retention(world, static_cast<int>(number_of(settings, "draws", 10, 1000)));
  else if (line.target == "accuracy") bench_accuracy(world, settings);
  else
    throw Error(ExitCode::bad_input,
                "there is no benchmark `" + line.target + "`; there are: kernels, contact, retention, accuracy");
}

}  // namespace unbarred
