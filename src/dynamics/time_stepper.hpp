#pragma once
// Implicit Euler, one step at a time: the new positions minimise
//   E(y) = 1/2 (y - predicted)^T M (y - predicted) + h^2 (sum V psi(F(y)) + loads(y)),
//   predicted = x + h v + h^2 (g + f / m), f the constant part of the loads
// (method section 1) over the coordinates that are not prescribed; v = (y - x) / h. Newton with the Hessian that
// HessianChoice chooses (projected without one), PCG and an energy line search.
//
// With contact two states live side by side: the iterate, which Newton moves and which may intersect, and the feasible
// state of ContactProblem, which follows it, never intersects, and is where the step ends.
#include <limits>
#include <string>

#include "core/timer.hpp"
#include "dynamics/assembly_plan.hpp"
#include "dynamics/contact_problem.hpp"
#include "dynamics/elastic_kernels.hpp"
#include "dynamics/hessian_choice.hpp"
#include "dynamics/loads.hpp"
#include "dynamics/prescribed_motion.hpp"
#include "dynamics/step_energy.hpp"
#include "dynamics/step_record.hpp"
#include "linear/linear_solver.hpp"

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
    Real time_step = 0;       ///< h, s
    Vec3 gravity{{0, 0, 0}};  ///< m/s^2
    Vec3 origin{{0, 0, 0}};   ///< of the positions, for energies and momenta: Scene::origin, m
    int minimum_iterations = 2;
    int maximum_iterations = 500;
    /// Of the feasible state over the iterate at the end of a step with contact, relative to the energy at its start.
    Real largest_excess = std::numeric_limits<Real>::infinity();
    Real newton_tolerance = 1e-6;  ///< of the residual, relative to the terms that cancel in it
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

  /// One step. Throws Error(not_converged) on all ranks when the iteration limit is reached; `state` is then still
  /// the one at the start of the step. @note Collective
  StepRecord advance(State& state);

  /// Energies and momenta of a state, summed over ranks. @note Collective
  void measure(const State& state, StepRecord& record) const;

 private:
  void begin_step(const State& state);
  void warm_start(const State& state);
  void assemble_system(StepRecord& record, int iteration);
  void assemble_matrix(StepRecord& record, Field& downhill);
  bool converged(int iteration);
  bool finite() const;
  void solve(StepRecord& record);
  SolveReport solve_definite(StepRecord& record);
  std::vector<Real> line_search();
  Real step_without_inversion();
  bool contact_resolved(int iteration);
  void finish(State& state, StepRecord& record, int iterations);
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
  Options options_;

  Field predicted_, iterate_, trial_, downhill_, direction_, target_;
  DeviceArray<Vec3> load_gradient_;  ///< owned vertices; empty without loads in the system
  Real end_time_ = 0;                ///< of the step
  DeviceArray<AxisMask> fixed_;
  AssemblyWindow window_;
  std::vector<StepEnergy::Island> at_iterate_;  ///< energies of the iterate
  Real lift_ = 0;                               ///< largest distance of a prescribed coordinate from its target
  Real start_energy_ = 0;  ///< of all bodies where they are at the start of the step, without loads
  int finished_at_ = 0;    ///< iteration in which contact was first done with all motion; 0: not yet
  Real residual_ = 0;      ///< relative, as last measured
  PhaseTimes times_;
};

}  // namespace unbarred
