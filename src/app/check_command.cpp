// `unbarred check`: everything that `run` would read, without a device and without a step.
#include <fmt/core.h>

#include <cmath>

#include "app/commands.hpp"
#include "app/simulation.hpp"
#include "io/log.hpp"

namespace unbarred {

namespace {

/// Bytes a tetrahedron that a run needs on its rank beside the program itself: measured by `unbarred bench kernels`.
constexpr double bytes_per_tetrahedron = 600;

struct MeshTotals {
  double volume = 0, mass = 0;
};

MeshTotals totals(const LocalMesh& mesh, const Scene& scene, const Communicator& world) {
  MeshTotals local;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    if (!mesh.counted[e]) continue;
    const auto& t = mesh.tetrahedra[e];
    const Vec3 origin = mesh.rest_positions[t[0]];
    const Real volume = dot(mesh.rest_positions[t[1]] - origin, cross(mesh.rest_positions[t[2]] - origin,
                                                                      mesh.rest_positions[t[3]] - origin)) / 6;
    local.volume += volume;
    local.mass += volume * scene.materials[mesh.material[e]].density;
  }
  return {world.sum(local.volume), world.sum(local.mass)};
}

}  // namespace

void check_scene(const Communicator& world, const CommandLine& line) {
  start_log(world);
  const Scene scene = load_scene(world, line.target, line.overrides);
  const LocalMesh mesh = load_mesh(scene, world);
  select_vertices(scene.motions, mesh, scene_bodies(scene), world);
  const MeshTotals total = totals(mesh, scene, world);
  const GlobalIndex most = world.max(static_cast<GlobalIndex>(mesh.tetrahedra.size()));
  if (!world.is_root()) return;
  const double steps = std::ceil(scene.end_time / scene.time_step - 1e-6);
  fmt::print("{}: the scene is sound\n", scene.file.string());
  fmt::print("  bodies       {} ({} with repeats), {} materials, {} motions\n", scene.bodies.size(),
             scene_bodies(scene).size() - scene.obstacles.size(), scene.materials.size(), scene.motions.size());
  if (!scene.obstacles.empty())
    fmt::print("  obstacles    {}, {} triangles\n", scene.obstacles.size(), mesh.global_triangles);
  fmt::print("  tetrahedra   {}, vertices {}\n", mesh.global_tetrahedra, mesh.map.global_size());
  fmt::print("  volume       {:.6g} m^3, mass {:.6g} kg\n", total.volume, total.mass);
  fmt::print("  steps        {:.0f} of {:g} s\n", steps, scene.time_step);
  fmt::print("  memory       about {:.0f} MB on the largest of {} ranks, beside the program itself\n",
             bytes_per_tetrahedron * static_cast<double>(most) / 1e6, world.size());
}

}  // namespace unbarred
