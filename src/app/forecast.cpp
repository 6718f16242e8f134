#include "app/forecast.hpp"

#include <algorithm>
#include <cmath>

#include "app/simulation.hpp"
#include "app/version.hpp"
#include "io/frames/frame_piece.hpp"

namespace unbarred {

namespace {

/// Bytes a tetrahedron that a run needs on its rank: measured by `unbarred bench kernels`.
constexpr double bytes_per_tetrahedron = 600;
/// What contact adds, trees, candidates and pairs together: measured with scenes/drop.yaml, 7 cells across a ball.
constexpr double bytes_per_surface_vertex = 1200;
/// A pair in a checkpoint (CheckpointPairs), and as a line of a frame.
constexpr double saved_bytes_per_pair = 88, line_bytes_per_pair = 100;
/// Fewer a rank, and messages and border tetrahedra cost more than the rank saves.
constexpr double tetrahedra_of_a_host_rank = 50000, tetrahedra_of_a_gpu = 2000000;
double newton_iterations(const Scene& scene) {
  return scene.contact ? std::max(3, scene.solver.minimum_iterations) : 3;
}
double linear_iterations(GlobalIndex vertices) { return 2 * std::cbrt(static_cast<double>(vertices)); }

struct Rates {
  double assembly = 0, linear = 0;  // seconds an iteration and a tetrahedron of one rank
};

Scene probe_scene(const Scene& scene, int ranks) {
  Scene probe;
  const Real n = std::round(10 * std::cbrt(Real(ranks)));
  const MaterialSpec& material = scene.materials.front();
  probe.materials = {material};
  probe.time_step = scene.time_step;
  const Real size = 10 * probe.time_step * std::sqrt(material.young / material.density);  // sound needs ten steps
  BodySpec box;
  box.mesh.generator = "box";
  box.mesh.parameters = {{"size", {size, size, size}}, {"cells", {n, n, n}}};
  box.velocity = {{0, 0.01 * size / probe.time_step, 0}};
  probe.bodies = {box};
  MotionSpec clamp;
  clamp.select.shape = Selection::Shape::plane;
  clamp.select.center = {{-0.499 * size, 0, 0}};
  clamp.select.direction = {{1, 0, 0}};
  probe.motions = {clamp};
  return probe;
}

Rates measured_rates(const Scene& scene, const Communicator& communicator) {
  const Scene probe = probe_scene(scene, communicator.size());
  Simulation simulation(probe, communicator);
  simulation.advance();  // the first one touches the memory
  StepRecord record = simulation.advance();
  double linear_iterations = 0;
  for (const LinearSolveRecord& solve : record.solves) linear_iterations += solve.iterations;
  const double tetrahedra =
      static_cast<double>(simulation.mesh().global_tetrahedra) / static_cast<double>(communicator.size());
  const double assembly = record.wall["assembly"] + record.wall["line_search"];
  const double linear = record.wall["linear"] + record.wall["exchange"];
  return {communicator.max(assembly) / std::max(1, record.outer_iterations) / tetrahedra,
          communicator.max(linear) / std::max(1.0, linear_iterations) / tetrahedra};
}

double frame_bytes(const Scene& scene, const LocalMesh& mesh, const Communicator& communicator) {
  const auto& fields = scene.output.fields;
  const auto wanted = [&](const char* name) {
    return fields.empty() || std::find(fields.begin(), fields.end(), name) != fields.end();
  };
  double point = 24, cell = 4 * 8 + 8 + 1;  // position; connectivity, offset, type
  for (const auto& [name, bytes] : {std::pair{"displacement", 24}, {"velocity", 24}, {"global_id", 8}, {"body", 4}})
    point += wanted(name) ? bytes : 0;
  for (const auto& [name, bytes] :
       {std::pair{"contact_force", 24}, {"friction_force", 24}, {"contact_pressure", 8}, {"gap", 8}})
    point += scene.contact && wanted(name) ? bytes : 0;
  for (const auto& [name, bytes] :
       {std::pair{"cauchy_stress", 48}, {"von_mises", 8}, {"deformation_jacobian", 8}, {"material", 4}, {"rank", 4}})
    cell += wanted(name) ? bytes : 0;
  const FrameSelection<4> selection = select_tetrahedra(mesh);
  return communicator.sum(point * static_cast<double>(selection.vertices.size()) +
                          cell * static_cast<double>(selection.cells.size()));
}

}  // namespace

Forecast forecast(const Scene& scene, const LocalMesh& mesh, GlobalIndex surface_vertices,
                  const Communicator& communicator) {
  Forecast result;
  const double tetrahedra = static_cast<double>(mesh.global_tetrahedra);
  const double most = communicator.max(static_cast<double>(mesh.tetrahedra.size()));
  result.steps = static_cast<std::int64_t>(std::ceil(scene.end_time / scene.time_step - 1e-6));
  const int every = scene.output.every;
  if (every > 0) result.frames = 1 + result.steps / every + (result.steps % every > 0 ? 1 : 0);
  result.memory_bytes = bytes_per_tetrahedron * most;
  result.frame_bytes = frame_bytes(scene, mesh, communicator);
  result.checkpoint_bytes = 56.0 * static_cast<double>(mesh.map.global_size()) + 65536;
  if (scene.contact) {
    const auto surface = static_cast<double>(surface_vertices);
    result.memory_bytes += bytes_per_surface_vertex * surface / communicator.size();
    result.checkpoint_bytes += saved_bytes_per_pair * surface;
    if (scene.output.contacts) result.contact_bytes = line_bytes_per_pair * surface;
  }
  const bool on_host = backend_name() == "host";
  const double share = on_host ? tetrahedra_of_a_host_rank : tetrahedra_of_a_gpu;
  result.ranks = static_cast<int>(std::clamp(std::round(tetrahedra / share), 1.0, 1e6));
  if (on_host) {
    const Rates rates = measured_rates(scene, communicator);
    const double step =
        newton_iterations(scene) * most * (rates.assembly + rates.linear * linear_iterations(mesh.map.global_size()));
    result.seconds = static_cast<double>(result.steps) * step;
  }
  return result;
}

}  // namespace unbarred
