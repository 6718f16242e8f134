#pragma once
// How stiff the pairs are in a step (M11): from the elastic matrix, from the masses of the bodies that they join, and
// ten times as much now and then where bodies are squeezed.
#include <vector>

#include "contact/pairs/pair_values.hpp"
#include "dynamics/contact/backing_mass.hpp"
#include "scene/solver_keys.hpp"

namespace unbarred {

class PairPenalties {
 public:
  /// Keeps references to the first and the last.
  PairPenalties(const Communicator& communicator, const IndexMap& map, const ContactConstants& constants,
                ActiveSet& active);

  /// motions: prescribed vertices move in this step.
  void begin_step(bool motions);
  /// From the compliances of owned vertices (contact_kernels.hpp, ghosts up to date), the largest diagonal entry of the
  /// matrix, and the masses of bodies and whether they are held. @note Collective
  void set(Field compliance, Real largest, const std::vector<Real>& masses, const std::vector<std::uint8_t>& held);
  /// Pairs came or went: new ones get their penalty. @note Collective
  void update() { apply(false); }
  /// After that many iterations of the step. @note Collective
  void stiffen_what_is_squeezed(int iterations);
  /// 0 before set() in this step. kg
  Real largest() const { return largest_; }

 private:
  void apply(bool known);
  bool squeezes() const;

  const Communicator& communicator_;
  ContactConstants constants_;
  ActiveSet& active_;
  BackingMass backing_;
  Field compliance_;
  PairValues compliances_;
  DeviceArray<Real> rigid_;
  Real largest_ = 0;
  Real squeezed_ = 1;  ///< times the penalty, in this step
  bool motions_ = false;
};

}  // namespace unbarred
