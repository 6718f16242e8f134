// `unbarred mesh`: on rank 0 alone; the other ranks wait.
#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "app/commands.hpp"
#include "io/mesh/mesh_quality.hpp"
#include "io/mesh/mesh_repair.hpp"
#include "io/mesh/msh_writer.hpp"
#include "scene/generator_list.hpp"
#include "scene/tetrahedra_source.hpp"

namespace unbarred {

namespace {

Error command_error(const std::string& message) { return Error(ExitCode::bad_input, "mesh: " + message); }

/// "size=1,2,3" or "size=[1, 2, 3]".
void add_parameter(const std::string& setting, MeshSpec& spec) {
  const auto equal = setting.find('=');
  if (equal == std::string::npos || equal == 0)
    throw command_error("`" + setting + "` is not understood: parameters are key=value, as in size=1,1,2 cells=4");
  std::vector<Real>& values = spec.parameters[setting.substr(0, equal)];
  values.clear();
  const char* at = setting.data() + equal + 1;
  const char* const last = setting.data() + setting.size();
  const auto skip = [&](std::string_view letters) {
    while (at < last && letters.find(*at) != std::string_view::npos) ++at;
  };
  for (skip("[ "); at < last; skip(",] ")) {
    Real value = 0;
    const auto [end, status] = std::from_chars(at, last, value);
    if (status != std::errc() || !std::isfinite(value))
      throw command_error("`" + setting + "`: numbers expected after `=`, as in size=1,1,2");
    values.push_back(value);
    at = end;
  }
}

bool has_generator(const std::vector<GeneratorKeys>& list, const std::string& name) {
  for (const GeneratorKeys& generator : list)
    if (generator.name == name) return true;
  return false;
}

MeshData make(const CommandLine& line, const Communicator& alone) {
  MeshSpec spec;
  spec.generator = line.target;
  spec.place.file = "mesh make";
  for (const std::string& setting : line.overrides) add_parameter(setting, spec);
  for (const auto& [key, values] : spec.parameters)
    for (const Real value : values)
      if (key.starts_with("cells") && value != std::floor(value))
        throw command_error("`" + key + "` is a whole number");
  MeshData mesh;
  const bool surface = line.surface || !has_generator(volume_generators(), line.target);
  if (surface && has_generator(surface_generators(), line.target)) {
    const auto source = make_surface_generator(spec);
    mesh.kind = ElementKind::triangles;
    mesh.positions = source->vertices(alone, 0, source->vertex_count());
    for (const GlobalTriangle& t : source->triangles(alone, 0, source->triangle_count()))
      mesh.elements.push_back({{t.v[0], t.v[1], t.v[2], -1}, 0, -1});
    return mesh;
  }
  const auto source = make_generator(spec);
  mesh.positions = source->vertices(alone, 0, source->vertex_count());
  for (const GlobalTetrahedron& t : source->tetrahedra(alone, 0, source->tetrahedron_count()))
    mesh.elements.push_back({{t.v[0], t.v[1], t.v[2], t.v[3]}, 0, -1});
  return mesh;
}

void list_generators() {
  fmt::print("Volumes (bodies):\n");
  for (const GeneratorKeys& generator : volume_generators())
    fmt::print("  {:<16} {}\n", generator.name, generator.keys);
  fmt::print("Surfaces (obstacles; `box` with --surface):\n");
  for (const GeneratorKeys& generator : surface_generators())
    fmt::print("  {:<16} {}\n", generator.name, generator.keys);
}

void print_sizes(const std::string& file, const MeshData& mesh) {
  fmt::print("{}: {} vertices, {} {}\n", file, mesh.positions.size(), mesh.elements.size(),
             mesh.kind == ElementKind::tetrahedra ? "tetrahedra" : "triangles");
}

void repair(const CommandLine& line, MeshData& mesh) {
  if (line.mesh_action == "weld") {
    if (!(line.tolerance >= 0)) throw command_error("--tolerance must be a number");
    const WeldReport done = weld(mesh, line.tolerance);
    fmt::print("{} vertices merged; {} collapsed and {} duplicate elements dropped; {} unused vertices dropped\n",
               done.merged_vertices, done.collapsed_elements, done.duplicate_elements, done.unused_vertices);
  } else if (line.mesh_action == "orient") {
    const OrientReport done = orient(mesh);
    fmt::print("{} of {} elements turned\n", done.turned, mesh.elements.size());
    if (done.conflicts > 0)
      fmt::print("{} edges lie between triangles that cannot be turned alike: the surface has one side only\n",
                 done.conflicts);
  }
}

void work_alone(const CommandLine& line, const Communicator& alone) {
  if (line.mesh_action == "report") {
    const MeshData mesh = read_mesh_data(line.target);
    fmt::print("{}\n{}", line.target, to_string(measure_quality(mesh), mesh));
    return;
  }
  if (line.mesh_action == "make" && line.target.empty()) return list_generators();
  if (line.output.empty()) throw command_error("where to? Give a file: -o mesh.msh");
  require_writable_format(line.output);
  MeshData mesh = line.mesh_action == "make" ? make(line, alone) : read_mesh_data(line.target);
  repair(line, mesh);
  if (mesh.elements.empty()) throw command_error("no element is left: a smaller tolerance keeps more");
  if (mesh.ignored_elements > 0) fmt::print("{} elements of other kinds left out\n", mesh.ignored_elements);
  write_mesh(line.output, mesh, line.binary);
  print_sizes(line.output, mesh);
}

}  // namespace

void work_on_mesh(const Communicator& world, const CommandLine& line) {
  const Communicator alone = world.split(world.rank());
  world.agree([&] {
    if (world.is_root()) work_alone(line, alone);
  });
}

}  // namespace unbarred
