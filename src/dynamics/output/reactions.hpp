#pragma once
// Forces that hold prescribed coordinates where motions want them: of a coordinate k
//   (grad E)_k / h^2 - contact and friction force_k,
// E being what the step minimizes (TimeStepper), at its end: inertia, elasticity and loads. Along free coordinates that
// vanishes, as far as the step has converged; along prescribed ones it is what the motion adds.
#include <vector>

#include "dynamics/output/contact_output.hpp"
#include "dynamics/output/reaction.hpp"
#include "dynamics/step/time_stepper.hpp"

namespace unbarred {

class Reactions {
 public:
  struct Options {
    Real time_step = 0;                      ///< h, s
    Vec3 origin{{0, 0, 0}};                  ///< of the positions: Scene::origin, m
    const ContactOutput* contact = nullptr;  ///< null without contact
  };

  /// Keeps references to communicator, motion, stepper and contact.
  Reactions(const Communicator& communicator, const IndexMap& map, const AssemblyPlan& plan,
            const PrescribedMotion& motion, TimeStepper& stepper, const Options& options);

  /// Of the step that has just led to `state`: an entry for every motion that acted in it, in their order, the same on
  /// every rank. A coordinate that two motions prescribe in one step counts for the later one, which had the last word.
  /// @note Collective
  std::vector<Reaction> of_step(const State& state);

 private:
  const Communicator& communicator_;
  const PrescribedMotion& motion_;
  TimeStepper& stepper_;
  Options options_;
  std::vector<Index> tiles_;  ///< of the assembly that hold vertices with a motion
  DeviceArray<Vec3> gradient_;
  DeviceArray<AxisMask> taken_;
};

}  // namespace unbarred
