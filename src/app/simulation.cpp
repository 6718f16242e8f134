#include "app/simulation.hpp"

#include <algorithm>

#include "app/contact_setup.hpp"
#include "app/mesh_bodies.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/mesh/surface_file.hpp"
#include "linear/pcg.hpp"
#include "linear/petsc/petsc_solver.hpp"
#include "partitioning/partitioner.hpp"
#include "scene/local_origin.hpp"
#include "scene/mesh_components.hpp"
#include "scene/mesh_regions.hpp"
#include "scene/tetrahedra_source.hpp"

namespace unbarred {

std::vector<int> scene_bodies(const Scene& scene) {
  std::vector<int> bodies;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const auto& count = scene.bodies[b].repeat.count;
    bodies.insert(bodies.end(), static_cast<std::size_t>(count[0]) * count[1] * count[2], static_cast<int>(b));
  }
  for (std::size_t o = 0; o < scene.obstacles.size(); ++o) bodies.push_back(static_cast<int>(scene.bodies.size() + o));
  return bodies;
}

LocalMesh load_mesh(Scene& scene, const Communicator& communicator) {
  std::vector<std::unique_ptr<TetrahedraSource>> sources;
  for (const BodySpec& body : scene.bodies)
    sources.push_back(body.mesh.file.empty() ? make_generator(body.mesh) : open_mesh_file(body.mesh, communicator));
  std::vector<std::unique_ptr<SurfaceSource>> surfaces;
  for (const ObstacleSpec& obstacle : scene.obstacles)
    surfaces.push_back(obstacle.mesh.file.empty() ? make_surface_generator(obstacle.mesh)
                                                  : open_surface_file(obstacle.mesh, communicator));
  if (!sources.empty()) move_to_local_origin(scene, scene_origin(scene, *sources.front(), communicator));
  BlockMesh blocks = make_block_mesh(scene, sources, surfaces, communicator);
  surfaces.clear();
  if (!uses_regions(scene)) sources.clear();
  const std::vector<int> owners = make_graph_partitioner()->owners(communicator, blocks);
  LocalMesh mesh = distribute(std::move(blocks), owners, communicator);
  add_regions(scene, sources, communicator, mesh);
  mesh.scene_body = scene_bodies(scene);
  split_components(scene, communicator, mesh);
  return mesh;
}

LoadedScene load(Scene scene, const Communicator& communicator) {
  LocalMesh mesh = load_mesh(scene, communicator);
  return {std::move(scene), std::move(mesh)};
}

Simulation::Simulation(LoadedScene loaded, const Communicator& communicator, const std::string& petsc_options)
    : scene_(std::move(loaded.scene)),
      communicator_(communicator),
      mesh_(std::move(loaded.mesh)),
      transport_(make_transport(communicator)),
      halo_(std::make_unique<Halo>(communicator, mesh_.map, *transport_)),
      elastic_(std::make_unique<ElasticMesh>(mesh_, scene_.materials)),
      state_(mesh_.map) {
  if (mesh_.scene_body.empty()) mesh_.scene_body = scene_bodies(scene_);
  const std::vector<int>& bodies = mesh_.scene_body;
  motion_ =
      std::make_unique<PrescribedMotion>(scene_.motions, select_vertices(scene_.motions, mesh_, bodies, communicator),
                                         always_prescribed(mesh_, bodies, static_cast<int>(scene_.bodies.size())));
  loads_ = std::make_unique<Loads>(plan_loads(scene_, mesh_, bodies, communicator), scene_.time_step);
  const auto first = static_cast<int>(scene_.bodies.size());
  const auto first_obstacle = static_cast<std::size_t>(std::ranges::count_if(bodies, [&](int b) { return b < first; }));
  energy_ = std::make_unique<StepEnergy>(communicator, *elastic_, *loads_, mesh_, first_obstacle, scene_.time_step);
  {
    const BlockPattern pattern = vertex_graph_pattern(mesh_.map.owned(), mesh_.map.local(), mesh_.tetrahedra);
    plan_ = std::make_unique<AssemblyPlan>(mesh_, elastic_->runs, pattern);
    matrix_ = std::make_unique<BlockMatrix>(pattern);
    make_solver(communicator, pattern, petsc_options);
  }
  memory::copy_on_device(state_.x.write_local().data(), elastic_->rest_positions.data(),
                         mesh_.rest_positions.size() * sizeof(Vec3));
  set_start_velocities();
  const SolverSpec& solver = scene_.solver;
  stepper_ = std::make_unique<TimeStepper>(
      communicator, mesh_.map, *halo_, *elastic_, *plan_, *matrix_, *motion_, *loads_, *energy_, *solver_,
      TimeStepper::Options{.time_step = scene_.time_step,
                           .gravity = scene_.gravity,
                           .origin = scene_.origin,
                           .keys = solver,
                           .constants = solver.contact,
                           .body_names = mesh_body_names(scene_, mesh_.scene_body)});
  if (solver.hessian == SolverKeys::Hessian::exact) {
    hessian_ = std::make_unique<HessianChoice>(communicator, mesh_);
    stepper_->set_hessian(*hessian_);
  }
  if (two_level_) stepper_->set_two_level(*two_level_, solver.linear.preconditioner == PreconditionerKind::two_level);
  if (scene_.contact) set_up_contact();
}

// Only materials whose energy has no limit where an element inverts need a guard (M19).
void Simulation::set_up_contact() {
  guard_ = std::make_unique<ElementGuard>(*elastic_, ElementGuard::Scope::where_inversion_is_infinite);
  const bool guarded = communicator_.max(guard_->guards_any() ? 1 : 0) > 0;
  contact_ = make_contact(scene_, mesh_, communicator_, *transport_, guarded ? guard_.get() : nullptr);
  stepper_->set_contact(*contact_);
}

// The device holds these; ids, bodies and materials stay for output.
void Simulation::release_host_mesh() {
  mesh_.rest_positions = {};
  mesh_.tetrahedra = {};
  mesh_.tetrahedron_ids = {};
  mesh_.counted = {};
  mesh_.triangles = {};
  mesh_.triangle_ids = {};
  mesh_.triangle_counted = {};
}

void Simulation::set_start_velocities() {
  const std::vector<int>& bodies = mesh_.scene_body;
  std::vector<Vec3> velocities(mesh_.vertex_body.size(), Vec3{{0, 0, 0}});  // obstacles start at rest
  for (std::size_t v = 0; v < velocities.size(); ++v) {
    const auto body = static_cast<std::size_t>(bodies[mesh_.vertex_body[v]]);
    if (body < scene_.bodies.size()) velocities[v] = scene_.bodies[body].velocity;
  }
  memory::copy_to_device(state_.v.write_local().data(), velocities.data(), velocities.size() * sizeof(Vec3));
}

void Simulation::make_solver(const Communicator& communicator, const BlockPattern& pattern,
                             const std::string& petsc_options) {
  const LinearSpec& spec = scene_.solver.linear;
  if (spec.method == LinearSpec::Method::pcg) {
    if (!petsc_options.empty())
      throw Error(ExitCode::bad_input, "PETSc options after -- are used only with solver.linear.method: ksp");
    solver_ = std::make_unique<Pcg>(mesh_.map, Pcg::Options{spec.tolerance, spec.maximum_iterations});
    if (spec.preconditioner != PreconditionerKind::block_jacobi)
      two_level_ =
          std::make_unique<TwoLevel>(communicator, mesh_.map, *halo_, pattern, mesh_.vertex_body, TwoLevel::Options{});
    return;
  }
  petsc_ = std::make_unique<PetscSession>(communicator, spec.options, petsc_options);
  const std::vector<Vec3> owned(mesh_.rest_positions.begin(), mesh_.rest_positions.begin() + mesh_.map.owned());
  solver_ = make_petsc_solver(communicator, mesh_.map, *halo_, pattern, owned, spec.tolerance, spec.maximum_iterations);
}

std::string Simulation::solver_name() const {
  const std::string name = solver_->name();
  switch (scene_.solver.linear.preconditioner) {
    case PreconditionerKind::block_jacobi:
      return name + ", block_jacobi";
    case PreconditionerKind::two_level:
      return name + ", two_level";
    case PreconditionerKind::automatic:
      return name + ", block_jacobi or two_level";
    case PreconditionerKind::petsc:
      break;
  }
  return name;
}

StepRecord Simulation::measure() const {
  StepRecord record;
  record.step = state_.step;
  record.time = state_.time;
  stepper_->measure(state_, record);
  return record;
}

}  // namespace unbarred
