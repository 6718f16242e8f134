// `unbarred check`: everything that `run` would read, without a device and without a step.
#include <fmt/core.h>

#include "app/bench/bench.hpp"
#include "app/commands.hpp"
#include "app/forecast.hpp"
#include "app/simulation.hpp"
#include "app/start_audit.hpp"
#include "core/timer.hpp"
#include "io/run/log.hpp"

namespace unbarred {

namespace {

struct MeshTotals {
  double volume = 0, mass = 0;
};

MeshTotals totals(const LocalMesh& mesh, const Scene& scene, const Communicator& world) {
  MeshTotals local;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    if (!mesh.counted[e]) continue;
    const auto& t = mesh.tetrahedra[e];
    const Vec3 origin = mesh.rest_positions[t[0]];
    const Real volume = dot(mesh.rest_positions[t[1]] - origin,
                            cross(mesh.rest_positions[t[2]] - origin, mesh.rest_positions[t[3]] - origin)) /
                        6;
    local.volume += volume;
    local.mass += volume * scene.materials[mesh.material[e]].density;
  }
  return {world.sum(local.volume), world.sum(local.mass)};
}

/// What loading and checking has cost, and how even the ranks' shares are: largest over mean.
struct Cost {
  double loading = 0, surfaces = 0;  // s, of the slowest rank
  double resident = 0;               // bytes at the peak of the largest rank
  double tetrahedra = 0, vertices = 0;
};

double largest_over_mean(std::size_t count, const Communicator& world) {
  const auto value = static_cast<double>(count);
  return world.max(value) * world.size() / world.sum(value);
}

/// The clocks at the beginning, after loading, and after the audit. @note Collective
Cost cost(const LocalMesh& mesh, const std::array<double, 3>& clocks, const Communicator& world) {
  return {.loading = world.max(clocks[1] - clocks[0]),
          .surfaces = world.max(clocks[2] - clocks[1]),
          .resident = world.max(resident_peak_bytes()),
          .tetrahedra = largest_over_mean(mesh.tetrahedra.size(), world),
          .vertices = largest_over_mean(static_cast<std::size_t>(mesh.map.owned()), world)};
}

/// "850 B", "12.3 MB": at most four digits.
std::string bytes_text(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 5; ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.2g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void print_contact(const Scene& scene, const SurfaceCounts& counts) {
  if (!scene.contact) return fmt::print("  contact      none: bodies pass through each other\n");
  const ContactSpec& contact = *scene.contact;
  fmt::print("  contact      offset {:g} m, friction {:g}{}; surfaces of {} vertices, {} edges, {} triangles\n",
             contact.offset, contact.friction,
             contact.pairs.empty() ? "" : fmt::format(" and {} other values", contact.pairs.size()), counts.vertices,
             counts.edges, counts.triangles);
}

void print_cost(const Cost& cost) {
  fmt::print("  this check   {} to load, {} for the surfaces, at most {} resident on a rank\n",
             seconds_text(cost.loading), seconds_text(cost.surfaces), bytes_text(cost.resident));
  fmt::print("  balance      the largest rank has {:.2f} times the mean's tetrahedra and {:.2f} times its vertices\n",
             cost.tetrahedra, cost.vertices);
}

void print_forecast(const Scene& scene, const Forecast& forecast, const Communicator& world) {
  fmt::print("  steps        {} of {:g} s\n", forecast.steps, scene.time_step);
  fmt::print("  memory       about {} on the largest of {} ranks, beside the program itself\n",
             bytes_text(forecast.memory_bytes), world.size());
  fmt::print("  disk         up to {}: {} frames of {} before compression, two checkpoints of {}\n",
             bytes_text(forecast.disk_bytes()), forecast.frames,
             bytes_text(forecast.frame_bytes + forecast.contact_bytes), bytes_text(forecast.checkpoint_bytes));
  if (scene.contact) fmt::print("               both with a contact pair for each vertex of the surfaces\n");
  if (forecast.seconds > 0)
    fmt::print("  time         in the order of {} on {} ranks, measured on a small box now{}\n",
               seconds_text(forecast.seconds), world.size(),
               scene.contact ? "; what collisions add to it depends on them and is not counted" : "");
  fmt::print("  ranks        {} recommended\n", forecast.ranks);
  if (world.size() > 4 * forecast.ranks)
    fmt::print("               {} are more than this mesh can use\n", world.size());
}

}  // namespace

void check_scene(const Communicator& world, const CommandLine& line) {
  start_log(world);
  const double begin = wall_seconds();
  Scene scene = load_scene(world, line.target, line.overrides);
  const LocalMesh mesh = load_mesh(scene, world);
  const double loaded = wall_seconds();
  const std::vector<int>& bodies = mesh.scene_body;
  select_vertices(scene.motions, mesh, bodies, world);
  plan_loads(scene, mesh, bodies, world);
  const MeshTotals total = totals(mesh, scene, world);
  const SceneAudit scene_audit(scene, mesh, world);
  const DistributedAuditReport audit = scene_audit.of(mesh.rest_positions);
  if (scene.contact) scene_audit.require_clean_start(audit, scene);
  const Cost spent = cost(mesh, {begin, loaded, wall_seconds()}, world);
  const Forecast needs = forecast(scene, mesh, scene_audit.counts().vertices, world);
  if (!world.is_root()) return;
  fmt::print("{}: the scene is sound\n", scene.file.string());
  for (const NotYet& item : scene.not_yet)
    fmt::print("  but `run` refuses it: `{}` ({}) is not supported yet\n", item.key, to_string(item.place));
  fmt::print("  bodies       {} ({} with repeats and components), {} materials, {} motions, {} pressures, {} springs\n",
             scene.bodies.size(), bodies.size() - scene.obstacles.size(), scene.materials.size(), scene.motions.size(),
             scene.pressures.size(), scene.springs.size());
  if (!scene.obstacles.empty())
    fmt::print("  obstacles    {}, {} triangles\n", scene.obstacles.size(), mesh.global_triangles);
  fmt::print("  tetrahedra   {}, vertices {}\n", mesh.global_tetrahedra, mesh.map.global_size());
  fmt::print("  volume       {:.6g} m^3, mass {:.6g} kg\n", total.volume, total.mass);
  // Without contact bodies may go through each other.
  fmt::print("  surfaces     {}{}\n",
             audit.clean() ? "none cross or touch"
                           : describe(audit, scene_audit.body_names()) + " (no matter without contact)",
             scene_audit.unusual());
  print_contact(scene, scene_audit.counts());
  print_cost(spent);
  print_forecast(scene, needs, world);
}

}  // namespace unbarred
