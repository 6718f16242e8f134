#include "app/restore.hpp"

#include "app/contact_checkpoint.hpp"
#include "app/run.hpp"
#include "core/log.hpp"
#include "partitioning/partitioner.hpp"

namespace unbarred {

namespace {

/// Checks that a checkpoint belongs to this mesh; throws Error(checkpoint_mismatch) on all ranks.
void require_same_mesh(const CheckpointData& data, const Simulation& simulation, const Communicator& world) {
  const auto refuse = [](const std::string& what) {
    throw Error(ExitCode::checkpoint_mismatch,
                "the checkpoint does not fit the scene: " + what + "; mesh and rest shape must stay as they were");
  };
  if (data.vertex_count != simulation.map().global_size())
    refuse("it has " + std::to_string(data.vertex_count) + " vertices, the scene " +
           std::to_string(simulation.map().global_size()));
  if (data.tetrahedron_count != simulation.mesh().global_tetrahedra)
    refuse("it has " + std::to_string(data.tetrahedron_count) + " tetrahedra, the scene " +
           std::to_string(simulation.mesh().global_tetrahedra));
  if (data.mesh_hash != mesh_hash(simulation, world)) refuse("rest positions, connectivity or body numbers differ");
}

std::vector<Vec3> rows_for(const std::vector<Real>& rows, const CheckpointData& data, const IndexMap& map,
                           const Communicator& world) {
  const std::vector<GlobalIndex> wanted(map.global_ids().begin(), map.global_ids().begin() + map.owned());
  const std::vector<Real> values = fetch_rows(world, map.global_size(), data.ids, rows, 3, wanted);
  std::vector<Vec3> vectors(wanted.size());
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = {{values[3 * i], values[3 * i + 1], values[3 * i + 2]}};
  return vectors;
}

}  // namespace

void restore(Simulation& simulation, const CheckpointData& data, const Communicator& world) {
  require_same_mesh(data, simulation, world);
  State& state = simulation.state();
  state.x.set_owned_from_host(rows_for(data.positions, data, simulation.map(), world));
  state.v.set_owned_from_host(rows_for(data.velocities, data, simulation.map(), world));
  state.x.forward(simulation.halo());
  state.v.forward(simulation.halo());
  state.time = state.origin_time = data.time;
  state.step = state.origin_step = data.step;
  if (data.time_step == simulation.scene().time_step) {
    state.origin_time = data.numbers.at("origin_time");
    state.origin_step = static_cast<std::int64_t>(data.numbers.at("origin_step"));
  } else if (world.is_root()) {
    log_info("time.step is " + std::to_string(simulation.scene().time_step) + " s from here, it was " +
             std::to_string(data.time_step) + " s");
  }
  restore_contact(simulation, data, world);
}

}  // namespace unbarred
