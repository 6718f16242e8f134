#pragma once
// When a step with contact may end: no earlier than its forces are in balance, body by body, each on its own scale, so
// that a small part cannot hide in a large scene.
//
// With E(y) the incremental potential of a body without contact (StepEnergy), x the feasible state, x^ the iterate, p
// the last Newton step, r the downhill vector that it was solved from, and
//   S = max(E(start of the step), E(x^), 1e-3 of that of its island)
// the energy that moves in the step:
//   t^2 |r.p| / 2 <= accuracy^2 S               what Newton could still win (the Newton decrement); t >= 1: all steps
//                                               to come, of the last one, as they become shorter
//   E(x) - E(x^) <= accuracy^2 S                what the feasible state costs more than the iterate
//   |sum m (predicted - x) + sum pair forces| <= balance max(|sum m (predicted - x)|, weight)
//                                               the forces that are written move the bodies that nothing else holds
//   |sum (x - center) x m (predicted - x) + sum torques of pairs|
//       <= torque_balance as much, or 1e-3 sum |pair forces|, times the largest lever
//   sum |e| <= 5/3 accuracy sum |friction|      e: friction of a pair less Coulomb's law at x; or it does not matter:
//                                               sum e and its torque are as little as the forces may be off, and
//   sum |e|^2 / 2 mu <= accuracy^2 S            bends next to nothing. Points that stick and cannot all stick, as their
//                                               normals differ, push against each other until one slides
#include <string>
#include <vector>

#include "dynamics/contact/contact_problem.hpp"
#include "dynamics/step/step_energy.hpp"

namespace unbarred {

class StepBalance {
 public:
  struct Options {
    Real accuracy = 0.02;         ///< error of a step, relative to its motion, in the norm of energy
    Real balance = 0.005;         ///< of forces, relative
    Real torque_balance = 0.002;  ///< of torques, relative to forces at their largest lever
    Real time_step = 0;           ///< s
    Real gravity = 0;             ///< m/s^2
    bool forces = true;           ///< false where loads act that the balance of forces does not know
    std::vector<std::string> body_names{};
  };
  explicit StepBalance(const Options& options) : options_(options) {}

  /// start: energies of bodies at the start of the step, h^2 J; noise: what rounding of positions makes of them.
  void begin_step(std::vector<Real> start, Real noise);
  /// products: r . p of each body; returns: r . the p before.
  void after_solve(std::vector<Real> products, std::vector<Real> returns);

  Real noise() const { return noise_; }
  Real start_of(std::size_t body) const { return start_[body]; }
  const std::vector<Real>& start() const { return start_; }
  /// Largest relative error of a body: t sqrt(|r.p| / 2 S).
  Real relative() const { return relative_; }
  /// Largest |sum m (predicted - x) + sum pair forces| / h of a body that nothing holds, kg m/s, when last measured.
  Real momentum_defect() const { return momentum_defect_; }

  /// Whether the first test holds. energy remembers the iterate, also below.
  bool settled(const StepEnergy& energy) { return failing_decrement(scales(energy)).empty(); }
  /// Whether Newton's method is done, as far as its last step tells.
  bool done() const { return last_step_ <= options_.accuracy; }
  /// Whether Newton's method goes to and fro: the body that it changed most in the last iteration is pushed back by
  /// about as much.
  bool swings() const;
  /// Which test fails, and for which body; empty when none does. @note Collective
  std::string failing(StepEnergy& energy, ContactProblem& contact);
  /// Whether the tests hold with twenty times their tolerance, the first two for islands in place of bodies. Free
  /// islands keep their momentum as ever. @note Collective
  bool fair(StepEnergy& energy, ContactProblem& contact);

 private:
  std::vector<Real> scales(const StepEnergy& energy) const;
  Real steps_to_come(std::size_t body) const;
  std::string failing_decrement(const std::vector<Real>& scale);
  std::vector<Real> excesses(StepEnergy& energy, const ContactProblem& contact) const;
  std::string failing_momentum(const StepEnergy& energy, const std::vector<Vec3>& defect,
                               const std::vector<Real>& scale) const;
  std::string failing_forces(StepEnergy& energy, ContactProblem& contact, const std::vector<Real>& scale, Real slack);
  std::string name(std::size_t body) const;

  Options options_;
  std::vector<Real> start_, products_, before_, returns_;  // before_: products_ of the iteration before
  std::vector<Real> first_;                                // |r.p| / 2 in the first iteration
  std::size_t worst_ = 0;                                  // body of relative_
  Real noise_ = 0, relative_ = 0, momentum_defect_ = 0;
  Real last_step_ = 0;  // as relative_, with t = 1
};

}  // namespace unbarred
