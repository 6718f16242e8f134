// `unbarred info`: what a file or a run folder holds, without running anything.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "app/commands.hpp"
#include "core/log.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/frames/frame_series.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/mesh/mesh_formats.hpp"
#include "io/mesh/mesh_quality.hpp"
#include "io/text/files.hpp"
#include "scene/tetrahedra_source.hpp"

namespace unbarred {

namespace {

namespace fs = std::filesystem;

void tell_mesh(const fs::path& file) {
  const MeshData mesh = read_mesh_data(file);
  const MeshQuality q = measure_quality(mesh);
  fmt::print("{}: mesh of {} vertices, {} {}\n", file.string(), q.vertices, q.elements,
             q.kind == ElementKind::tetrahedra ? "tetrahedra" : "triangles");
  fmt::print("  box         [{:.6g}, {:.6g}, {:.6g}] .. [{:.6g}, {:.6g}, {:.6g}]\n", q.lower[0], q.lower[1], q.lower[2],
             q.upper[0], q.upper[1], q.upper[2]);
  for (const std::string& region : mesh.region_names) fmt::print("  region      `{}`\n", region);
  if (lower_suffix(file) != ".vtu") return;
  // Names of the arrays: attributes of the head, before the appended data.
  const std::string text = read_file(file), head = text.substr(0, text.find("<AppendedData"));
  static const std::regex name("<DataArray[^>]* Name=\"([^\"]*)\"");
  std::string names;
  for (std::sregex_iterator match(head.begin(), head.end(), name), end; match != end; ++match)
    names += (names.empty() ? "" : ", ") + (*match)[1].str();
  fmt::print("  arrays      {}\n", names);
}

void tell_checkpoint(const fs::path& file) {
  const CheckpointHeader header = read_checkpoint_header(file);
  fmt::print("{}: checkpoint of step {}, time {:g} s, time step {:g} s\n", file.string(), header.step, header.time,
             header.time_step);
  fmt::print("  size        {} vertices, {} tetrahedra, {} bytes\n", header.vertex_count, header.tetrahedron_count,
             fs::file_size(file));
  if (header.pair_count) fmt::print("  contact     {} pairs\n", *header.pair_count);
  fmt::print("  scene       {}\n  mesh        {}\n", header.scene_hash, header.mesh_hash);
  for (const auto& [name, value] : header.numbers) fmt::print("  {:<11} {:.17g}\n", name, value);
}

void tell_series(const fs::path& file) {
  if (!fs::exists(file)) throw bad_input({file.string(), 0, 0}, "cannot open this file: check the path");
  const FrameSeries series = FrameSeries::reopen(file, std::numeric_limits<std::int64_t>::max());
  const auto& entries = series.entries();
  fmt::print("{}: {} frames\n", file.string(), entries.size());
  if (entries.empty()) return;
  fmt::print("  times       {:g} .. {:g} s, steps {} .. {}\n", entries.begin()->second.time,
             entries.rbegin()->second.time, entries.begin()->first, entries.rbegin()->first);
  for (const auto& [step, entry] : entries)
    if (!fs::exists(file.parent_path() / entry.frame)) fmt::print("  missing     {}\n", entry.frame);
}

/// "key: value" of a JSON file of ours, a line each.
void print_json(const fs::path& file, std::initializer_list<std::string_view> keys) {
  if (!fs::exists(file)) return;
  const std::string text = read_file(file);
  static const std::regex entry("\"(\\w+)\": (\"([^\"]*)\"|[-+.0-9eE]+|null|true|false)");
  for (std::sregex_iterator match(text.begin(), text.end(), entry), end; match != end; ++match)
    if (std::find(keys.begin(), keys.end(), (*match)[1].str()) != keys.end())
      fmt::print("  {:<11} {}\n", (*match)[1].str(), (*match)[3].matched ? (*match)[3].str() : (*match)[2].str());
}

void tell_run(const fs::path& folder) {
  if (!fs::exists(folder / "run_status.json"))
    throw bad_input({folder.string(), 0, 0}, "this folder holds no run: it has no run_status.json");
  fmt::print("{}: run\n", folder.string());
  print_json(folder / "run_status.json",
             {"state", "exit_code", "message", "step", "time", "end_time", "ranks", "backend", "checkpoint"});
  print_json(folder / "provenance.json", {"version", "git", "compiler"});
  std::int64_t last_good = -1;
  for (const FoundCheckpoint& found : list_checkpoints(folder / "checkpoints")) {
    if (found.problem.empty()) last_good = std::max(last_good, found.step);
    fmt::print("  checkpoint  step {}{}\n", found.step, found.problem.empty() ? "" : ": " + found.problem);
  }
  if (last_good >= 0) fmt::print("  last good   step {}: `unbarred resume {}`\n", last_good, folder.string());
  else fmt::print("  last good   none: nothing to resume from\n");
  if (!fs::exists(folder / "frames")) return;
  for (const auto& entry : fs::directory_iterator(folder / "frames"))
    if (entry.path().extension() == ".pvd") tell_series(entry.path());
}

void tell_body(const BodySpec& body, const Communicator& world) {
  std::unique_ptr<TetrahedraSource> source;
  if (body.mesh.file.empty()) source = make_generator(body.mesh);
  else source = open_mesh_file(body.mesh, world);
  const auto& count = body.repeat.count;
  if (world.is_root())
    fmt::print("  body        {}: {}, {} copies of {} vertices, {} tetrahedra\n", body.name,
               body.mesh.file.empty() ? body.mesh.generator : body.mesh.file.string(),
               GlobalIndex{1} * count[0] * count[1] * count[2], source->vertex_count(), source->tetrahedron_count());
}

void tell_scene(const std::string& file, const Communicator& world) {
  const Scene scene = load_scene(world, file, {});
  if (world.is_root()) {
    fmt::print("{}: scene `{}`\n", file, scene.name);
    fmt::print("  time        {:g} s in steps of {:g} s\n", scene.end_time, scene.time_step);
    fmt::print("  contents    {} materials, {} bodies, {} obstacles, {} motions\n", scene.materials.size(),
               scene.bodies.size(), scene.obstacles.size(), scene.motions.size());
    if (scene.contact)
      fmt::print("  contact     offset {:g} m, friction {:g}\n", scene.contact->offset, scene.contact->friction);
    fmt::print("  output      {}\n", scene.output.directory.string());
  }
  for (const BodySpec& body : scene.bodies) tell_body(body, world);
}

}  // namespace

void tell_about(const Communicator& world, const CommandLine& line) {
  const fs::path path = line.target;
  const std::string suffix = lower_suffix(path);
  if (suffix == ".yaml" || suffix == ".yml") return tell_scene(line.target, world);
  world.agree([&] {
    if (!world.is_root()) return;
    std::error_code error;
    if (fs::is_directory(path, error)) tell_run(path);
    else if (suffix == ".h5") tell_checkpoint(path);
    else if (suffix == ".pvd") tell_series(path);
    else tell_mesh(path);
  });
}

}  // namespace unbarred
