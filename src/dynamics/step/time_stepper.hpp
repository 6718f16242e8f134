#pragma once
// Implicit Euler, one step at a time: the new positions minimise
//   E(y) = 1/2 (y - predicted)^T M (y - predicted) + h^2 (sum V psi(F(y)) + loads(y)),
//   predicted = x + h v + h^2 (g + f / m), f the constant part of the loads
// (M1, M2) over the coordinates that are not prescribed; v = (y - x) / h. Newton with the Hessian that
// HessianChoice chooses (projected without one), PCG and an energy line search.
//
// With contact two states live side by side: the iterate, which Newton moves and which may intersect, and the feasible
// state of ContactProblem, which follows it, never intersects, and is where the step ends.
#include <functional>
#include <limits>
#include <string>

#include "core/timer.hpp"
#include "dynamics/contact/contact_problem.hpp"
#include "dynamics/elastic/assembly_plan.hpp"
#include "dynamics/elastic/elastic_kernels.hpp"
#include "dynamics/elastic/hessian_choice.hpp"
#include "dynamics/loads/loads.hpp"
#include "dynamics/motions/prescribed_motion.hpp"
#include "dynamics/step/body_motion.hpp"
#include "dynamics/step/newton_step.hpp"
#include "dynamics/step/step_balance.hpp"
#include "dynamics/step/step_end.hpp"
#include "dynamics/step/step_energy.hpp"
#include "dynamics/step/warm_start.hpp"
#include "dynamics/step_record.hpp"
#include "linear/linear_solver.hpp"
#include "linear/two_level.hpp"

namespace unbarred {

/// What moves. Positions and velocities of local vertices, ghosts up to date between steps.
struct State {
  explicit State(const IndexMap& map) : x(map), v(map) {}
  Field x;        ///< m
  Field v;        ///< m/s
  Real time = 0;  ///< s
  std::int64_t step = 0;
  /// time = origin_time + (step - origin_step) h: products keep frame times exact, and a resumed run has the same.
  Real origin_time = 0;
  std::int64_t origin_step = 0;
};

class TimeStepper {
 public:
  struct Options {
    Real time_step = 0;                     ///< h, s
    Vec3 gravity{{0, 0, 0}};                ///< m/s^2
    Vec3 origin{{0, 0, 0}};                 ///< of the positions, for energies and momenta: Scene::origin, m
    SolverKeys keys{};                      ///< `solver`
    ContactConstants constants{};           ///< `solver.contact`
    std::vector<std::string> body_names{};  ///< of the mesh, for messages
  };

  /// Keeps references to all of its arguments. @note Collective
  TimeStepper(const Communicator& communicator, const IndexMap& map, Halo& halo, const ElasticMesh& mesh,
              const AssemblyPlan& plan, BlockMatrix& matrix, const PrescribedMotion& motion, const Loads& loads,
              StepEnergy& energy, LinearSolver& solver, const Options& options);

  /// From now on bodies touch; `contact` is kept by reference.
  void set_contact(ContactProblem& contact) {
    contact_ = &contact;
    energy_.set_contact(contact);
  }

  /// From now on the matrix has exact second derivatives where `hessian`, kept by reference, says so.
  void set_hessian(HessianChoice& hessian) { hessian_ = &hessian; }

  /// From now on our solver has `two_level`, kept by reference, too: always, or in steps in which block-Jacobi takes
  /// many iterations.
  void set_two_level(TwoLevel& two_level, bool always) {
    two_level_ = &two_level;
    always_stiff_ = always;
  }

  /// Called after every iteration of a step with contact that does not end there, with its number and what is missing;
  /// what it throws, on all ranks, ends the step, and the state stays that at its start.
  using Watch = std::function<void(int iteration, const std::string& unfinished)>;
  void set_watch(Watch watch) { watch_ = std::move(watch); }

  /// One step. Throws Error(not_converged) on all ranks when the iteration limit is reached; `state` is then still
  /// the one at the start of the step. @note Collective
  StepRecord advance(State& state);

  /// Of E at the end of the step that has just led to `state`, in the owned rows of those tiles of the assembly:
  /// without contact, prescribed coordinates as any others, N s^2. gradient: zero before.
  void gradient_at_end(const State& state, std::span<const Index> tiles, View<Vec3> gradient);

  /// Energies and momenta of a state, summed over ranks. @note Collective
  void measure(const State& state, StepRecord& record) const { measure(state.time, state.x, state.v, record); }

 private:
  void begin_step(const State& state);
  void warm_start(const State& state);
  void assemble_system(StepRecord& record, int iteration);
  void assemble_matrix(StepRecord& record, Field& downhill);
  bool converged(int iteration);
  bool finite() const;
  /// Whether RigidMotion knows the system: not where loads hold bodies in it.
  bool corrects() const { return contact_ && contact_->predicts() && !loads_.in_system(); }
  void solve(StepRecord& record);
  void solve_once(StepRecord& record, const LinearSystem& system);
  std::vector<Real> line_search(int iteration);
  Real whole_step(int iteration) const;
  bool ends_in_balance() const { return options_.keys.step_end == SolverKeys::StepEnd::balance; }
  Real step_without_inversion();
  void set_penalties();
  bool gains_energy(const State& state, StepRecord& record);
  bool keeps_energy();
  void start_again();
  StepProgress progress(const State& state, StepRecord& record, int iteration);
  bool contact_ends(const State& state, StepRecord& record, int iteration, const std::vector<Real>& step);
  void finish(State& state, StepRecord& record, int iterations);
  EnergyRecord energy_before(const State& state) const;
  void measure(Real time, const Field& x, const Field& v, StepRecord& record) const;
  [[noreturn]] void fail(const State& state, int iterations) const;

  const Communicator& communicator_;
  const IndexMap& map_;
  Halo& halo_;
  const ElasticMesh& mesh_;
  const AssemblyPlan& plan_;
  BlockMatrix& matrix_;
  const PrescribedMotion& motion_;
  const Loads& loads_;
  StepEnergy& energy_;
  LinearSolver& solver_;
  ContactProblem* contact_ = nullptr;
  HessianChoice* hessian_ = nullptr;
  TwoLevel* two_level_ = nullptr;
  Watch watch_;
  Options options_;

  Field predicted_, iterate_, trial_, downhill_, direction_, target_;
  Field before_;           ///< the Newton step before
  Field without_contact_;  ///< downhill vector of all but contact
  NewtonStep newton_step_;
  RigidMotion rigid_;
  StepBalance balance_;
  BodyMotion body_motion_;
  WarmStart warm_start_;
  DeviceArray<Vec3> load_gradient_;  ///< owned vertices; empty without loads in the system
  Real end_time_ = 0;                ///< of the step
  DeviceArray<AxisMask> fixed_;
  AssemblyWindow window_;
  std::vector<StepEnergy::Island> at_iterate_;  ///< energies of the iterate
  Real lift_ = 0;                               ///< largest distance of a prescribed coordinate from its target
  SolveReport last_solve_;
  Real first_residual_ = 0;                    ///< largest of a linear solve of this step, in its norm
  bool always_stiff_ = false, stiff_ = false;  ///< whether solves of this step start with two_level_
  Real care_ = 1;                              ///< of the reductions that solves may be content with in this step
  Real newton_speed_ = 0;                      ///< largest |p| / h of the last Newton step, m/s
  bool minimal_ = true;                        ///< NewtonStep::Report::minimal of the last solve
  bool whole_ = true;       ///< every island took its whole step, and prescribed coordinates are where they shall be
  std::string unfinished_;  ///< which test of balance_ failed last
  Real residual_ = 0;       ///< relative, as last measured
  EnergyRecord stored_;     ///< at the end of step stored_at_
  std::int64_t stored_at_ = -1;
  PhaseTimes times_;
};

}  // namespace unbarred
