// `unbarred run` and `unbarred resume`.
#include <algorithm>
#include <set>

#include "app/commands.hpp"
#include "app/outcome.hpp"
#include "app/restore.hpp"
#include "app/run.hpp"
#include "app/start_audit.hpp"
#include "app/supported.hpp"
#include "app/version.hpp"
#include "core/device.hpp"
#include "core/log.hpp"
#include "core/sha256.hpp"
#include "io/run/log.hpp"
#include "io/text/files.hpp"
#include "partitioning/distinct_devices.hpp"

namespace unbarred {

namespace {

DeviceInfo take_device(const Communicator& world) {
  DeviceInfo device;
  world.agree([&] { device = choose_device(world.node_rank(), world.node_size()); });
  require_distinct_devices(world, device);
  return device;
}

std::set<std::filesystem::path> mesh_files(const Scene& scene) {
  std::set<std::filesystem::path> files;
  for (const BodySpec& body : scene.bodies) files.insert(body.mesh.file);
  for (const ObstacleSpec& obstacle : scene.obstacles) files.insert(obstacle.mesh.file);
  files.erase(std::filesystem::path());  // generated meshes
  return files;
}

void write_provenance(const RunFolder& folder, const Scene& scene, const CommandLine& line, const DeviceInfo& device,
                      const Communicator& world) {
  Provenance provenance;
  provenance.version = version_text();
  provenance.git = git_commit();
  provenance.compiler = compiler_version();
  provenance.libraries = all_library_versions();
  provenance.options = line.overrides;
  if (!line.petsc_options.empty()) provenance.options.push_back("-- " + line.petsc_options);
  provenance.ranks = gather_rank_places(this_rank_place(device.uuid), world);
  provenance.scene_sha256 = sha256(scene.resolved_yaml);
  world.agree([&] {
    if (!world.is_root()) return;
    for (const auto& file : mesh_files(scene)) provenance.mesh_sha256[file.string()] = sha256_of_file(file);
  });
  folder.write_provenance(provenance);
}

void log_start(const Simulation& simulation, const DeviceInfo& device, const Communicator& world) {
  const Index owned = simulation.map().owned();
  const GlobalIndex most = world.max(static_cast<GlobalIndex>(owned)),
                    least = world.min(static_cast<GlobalIndex>(owned));
  const GlobalIndex ghosts = world.sum(static_cast<GlobalIndex>(simulation.map().ghosts()));
  if (!world.is_root()) return;
  log_info("unbarred " + version_text() + ", " + backend_name() + " on " + device.name);
  log_info(std::to_string(world.size()) + " ranks, transport " + simulation.transport_name() + ", solver " +
           simulation.solver_name());
  log_info(std::to_string(simulation.mesh().global_tetrahedra) + " tetrahedra, " +
           std::to_string(simulation.map().global_size()) + " vertices; " + std::to_string(least) + " to " +
           std::to_string(most) + " a rank, " + std::to_string(ghosts) + " ghosts in all");
  if (world.size() > 1 && (least == 0 || simulation.mesh().global_tetrahedra < world.size()))
    log_info("more ranks than the mesh has work for; " +
             std::to_string(std::max<GlobalIndex>(1, simulation.map().global_size() / 1000)) +
             " ranks or fewer would do for this mesh");
}

/// Contact keeps apart what is apart, and nothing else; a run without contact may have left anything to resume.
void audit_start(const Simulation& simulation, const Communicator& world) {
  const Scene& scene = simulation.scene();
  if (!scene.contact) return;
  const SceneAudit audit(scene, simulation.mesh(), world);
  audit.require_clean_start(audit.of(simulation.state().x.to_host()), scene);
  if (world.is_root()) log_info("surfaces: none cross or touch" + audit.unusual());
}

/// What comes before the first step; when it fails, the folder says so and where an earlier run stands.
template <class F>
void prepare(const RunFolder& folder, const Scene& scene, const Communicator& world, F&& work) {
  try {
    work();
  } catch (const std::exception&) {
    const Error error = error_in_flight();
    RunStatus status;
    status.state = RunState::failed;
    status.exit_code = error.code();
    status.message = error.what();
    status.end_time = scene.end_time;
    status.started = utc_time();
    status.ranks = world.size();
    status.backend = backend_name();
    const std::vector<FoundCheckpoint> found = list_checkpoints(folder.checkpoints());
    const auto newest = std::ranges::find(found, "", &FoundCheckpoint::problem);
    if (newest != found.end()) {
      const CheckpointHeader header = read_checkpoint_header(newest->path);
      status.step = header.step;
      status.time = header.time;
      status.checkpoint = newest->path.lexically_relative(folder.path()).string();
    }
    write_last_status(folder, status, world.all_arrive(failure_patience));
    throw;
  }
}

}  // namespace

void run_scene(const Communicator& world, const CommandLine& line) {
  catch_stop_signals();
  start_log(world);
  const Scene scene = load_scene(world, line.target, line.overrides);
  refuse_what_is_not_yet(scene);
  const DeviceInfo device = take_device(world);
  if (line.dry_run) {
    const Simulation simulation(scene, world, line.petsc_options);
    return log_start(simulation, device, world);
  }
  const RunFolder folder = RunFolder::create(scene.output.directory, line.overwrite, world);
  add_log_file(folder.log(), false, world);
  std::unique_ptr<Simulation> simulation;
  prepare(folder, scene, world, [&] {
    folder.write_used_scene(scene.resolved_yaml);
    simulation = std::make_unique<Simulation>(scene, world, line.petsc_options);
    log_start(*simulation, device, world);
    audit_start(*simulation, world);
    write_provenance(folder, scene, line, device, world);
  });
  Run(folder, *simulation, world, {.last_step = line.steps, .resumed_step = {}}).go();
  stop_log();
}

void resume_run(const Communicator& world, const CommandLine& line) {
  catch_stop_signals();
  start_log(world);
  const RunFolder folder = RunFolder::reopen(line.target, world);
  Scene scene = load_scene(world, folder.used_scene().string(), line.overrides);
  refuse_what_is_not_yet(scene);
  scene.output.directory = folder.path();
  const DeviceInfo device = take_device(world);
  add_log_file(folder.log(), true, world);
  std::unique_ptr<Simulation> simulation;
  prepare(folder, scene, world, [&] {
    const CheckpointData data = read_newest_checkpoint(folder.checkpoints(), world);
    simulation = std::make_unique<Simulation>(scene, world, line.petsc_options);
    log_start(*simulation, device, world);
    restore(*simulation, data, world);
    audit_start(*simulation, world);
    if (world.is_root())
      log_info("resumed after step " + std::to_string(data.step) + ", t = " + std::to_string(data.time) + " s");
    folder.write_used_scene(scene.resolved_yaml);
    write_provenance(folder, scene, line, device, world);
  });
  Run(folder, *simulation, world, {.last_step = line.steps, .resumed_step = simulation->state().step}).go();
  stop_log();
}

}  // namespace unbarred
