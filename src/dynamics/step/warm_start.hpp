#pragma once
// The first guess of a step (M29): free flight is a better start than rest for a body that it costs less energy, once
// it is cut to what nothing blocks.
#include <vector>

#include "dynamics/step/body_motion.hpp"
#include "dynamics/step/step_energy.hpp"

namespace unbarred {

class WarmStart {
 public:
  /// Keeps references; way and trial are scratch that others may use in between. contact_holds_rest: for bodies that
  /// are moved by forces, not by their velocity, the energy of contact counts.
  WarmStart(StepEnergy& energy, BodyMotion& motion, Field& way, Field& trial, Real time_step, bool contact_holds_rest)
      : energy_(energy),
        motion_(motion),
        way_(way),
        trial_(trial),
        time_step_(time_step),
        contact_holds_rest_(contact_holds_rest) {}

  /// Of the step that begins: its state, and what ContactProblem::begin_step() and StepEnergy::begin_step() were told.
  struct Step {
    const Field &x, &v, &predicted, &target;
    View<const AxisMask> fixed;
  };
  /// y: x before; after, in every body that gains by it, the share 1, 1/2 or 1/4 of its free flight that costs least,
  /// filtered where there is contact. at_start: StepEnergy::of_bodies(x). @note Collective
  void improve(const Step& step, ContactProblem* contact, const std::vector<Real>& at_start, Field& y);

 private:
  std::vector<std::uint8_t> resting(const Step& step);
  void take_better(const Step& step, ContactProblem* contact, std::vector<std::uint8_t> crushed, Field& y);

  StepEnergy& energy_;
  BodyMotion& motion_;
  Field &way_, &trial_;
  Real time_step_;
  bool contact_holds_rest_;
  std::vector<Real> least_;            // energy of each body at y
  std::vector<std::uint8_t> settled_;  // bodies that smaller shares are not tried for
  std::vector<std::uint8_t> rests_;    // bodies that are moved by forces
};

}  // namespace unbarred
