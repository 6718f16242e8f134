#pragma once
// Everything that one rank holds for a run, built from a scene in the order of the data flow:
// scene -> blocks -> partition -> local mesh -> device arrays -> time stepper.
#include <memory>
#include <string>

#include "dynamics/elastic/inversion_guard.hpp"
#include "dynamics/step/time_stepper.hpp"
#include "linear/petsc/petsc_session.hpp"
#include "partitioning/local_mesh.hpp"
#include "partitioning/transport.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// LocalMesh::scene_body before components become bodies: one mesh body a copy of a repeated body, then the obstacles.
std::vector<int> scene_bodies(const Scene& scene);

/// Reads or generates, partitions and distributes the mesh of a scene, and moves the scene to its local origin, to
/// which all positions of the mesh are relative; host memory only. @note Collective
LocalMesh load_mesh(Scene& scene, const Communicator& communicator);

/// A scene with its mesh.
struct LoadedScene {
  Scene scene;
  LocalMesh mesh;
};
/// @note Collective
LoadedScene load(Scene scene, const Communicator& communicator);

class Simulation {
 public:
  /// Works on a copy of the scene at its local origin: scene().origin. `petsc_options` come from the command line,
  /// after `--`. @note Collective
  Simulation(const Scene& scene, const Communicator& communicator, const std::string& petsc_options = "")
      : Simulation(load(scene, communicator), communicator, petsc_options) {}
  /// With a mesh of the caller's, whose bodies and materials are those of the scene (scene_body may be left empty).
  /// @note Collective
  Simulation(LoadedScene loaded, const Communicator& communicator, const std::string& petsc_options = "");

  StepRecord advance() { return stepper_->advance(state_); }
  /// The record of the state as it is: step 0, or after a resume. @note Collective
  StepRecord measure() const;

  /// Frees what only set-up and output plans need: rest positions and elements on the host.
  void release_host_mesh();

  const Scene& scene() const { return scene_; }
  const IndexMap& map() const { return mesh_.map; }
  const LocalMesh& mesh() const { return mesh_; }
  const ElasticMesh& elastic() const { return *elastic_; }
  const AssemblyPlan& plan() const { return *plan_; }
  const PrescribedMotion& motion() const { return *motion_; }
  const Loads& loads() const { return *loads_; }
  StepEnergy& energy() { return *energy_; }
  Halo& halo() { return *halo_; }
  BlockMatrix& matrix() { return *matrix_; }
  State& state() { return state_; }
  const State& state() const { return state_; }
  TimeStepper& stepper() { return *stepper_; }
  /// Null when the scene has no contact section.
  ContactProblem* contact() { return contact_.get(); }
  const ContactProblem* contact() const { return contact_.get(); }
  const char* transport_name() const { return transport_->name(); }
  /// In words: the solver and its preconditioner.
  std::string solver_name() const;

 private:
  void set_start_velocities();
  void set_up_contact();
  void make_solver(const Communicator& communicator, const BlockPattern& pattern, const std::string& petsc_options);

  Scene scene_;
  const Communicator& communicator_;
  LocalMesh mesh_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Halo> halo_;
  std::unique_ptr<ElasticMesh> elastic_;
  std::unique_ptr<PrescribedMotion> motion_;
  std::unique_ptr<Loads> loads_;
  std::unique_ptr<StepEnergy> energy_;
  std::unique_ptr<HessianChoice> hessian_;
  std::unique_ptr<AssemblyPlan> plan_;
  std::unique_ptr<BlockMatrix> matrix_;
  std::unique_ptr<PetscSession> petsc_;
  std::unique_ptr<LinearSolver> solver_;
  std::unique_ptr<TwoLevel> two_level_;
  State state_;
  std::unique_ptr<ElementGuard> guard_;
  std::unique_ptr<ContactProblem> contact_;
  std::unique_ptr<TimeStepper> stepper_;
};

}  // namespace unbarred
