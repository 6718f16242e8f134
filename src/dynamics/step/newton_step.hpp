#pragma once
// One iteration of Newton's method with contact: the step p that minimizes
//   -r.p + 1/2 p.A p + sum of m_i(p),   m_i(p) = max(0, lambda - mu (c + g.p))^2 / (2 mu)
// with r, A of all but contact, convex and quadratic piece by piece. Pairs hold or not; with a guess of which do, the
// minimum is one linear solve, and it shows which guesses were wrong: those that pull, and those that p runs into
// (semismooth Newton). A solve that leads uphill is shortened to the minimum on the way, so it ends. The forces of the
// pairs that hold in the end are then exactly those that move the bodies.
#include "dynamics/contact/contact_problem.hpp"
#include "dynamics/step/rigid_motion.hpp"
#include "dynamics/step/step_energy.hpp"
#include "linear/linear_solver.hpp"

namespace unbarred {

class NewtonStep {
 public:
  explicit NewtonStep(const IndexMap& map) : model_(map), candidate_(map), image_(map), change_(map) {}

  struct Report {
    std::vector<SolveReport> solves;
    Real first = 0, enough = 0;  ///< of the first solve, in the norm of the last
    bool strengthened = false;   ///< LinearSystem::stronger is the preconditioner now
    void take(const SolveReport& solve);
    bool minimal = true;  ///< p is the minimum; else solves ran out on the way to it
  };
  /// rigid: of this system, corrects what solves leave; or null. without_contact: r. On entry p holds the prescribed
  /// unknowns, and `lifts` says whether any of them moves. @note Collective
  Report solve(LinearSystem system, LinearSolver& solver, StepEnergy& energy, ContactProblem& contact,
               RigidMotion* rigid, const Field& iterate, const Field& without_contact, bool lifts, Field& p);
  /// The right side of the last solve.
  const Field& model() const { return model_; }

 private:
  std::vector<Real> shares(const LinearSystem& system, StepEnergy& energy, ContactProblem& contact, const Field& p);

  Field model_, candidate_, image_, change_;
};

}  // namespace unbarred
