#pragma once
// A simulation with its contact output and its reactions, as a run has them.
#include "dynamics/output/reactions.hpp"
#include "support/scenes.hpp"

namespace unbarred::test {

struct Held {
  Held(const Scene& scene, const Communicator& communicator)
      : simulation(scene, communicator),
        contact(simulation.contact()
                    ? std::make_optional<ContactOutput>(*simulation.contact(), simulation.map(), simulation.halo(),
                                                        communicator, scene.time_step)
                    : std::nullopt),
        reactions(communicator, simulation.map(), simulation.plan(), simulation.motion(), simulation.stepper(),
                  {.time_step = scene.time_step,
                   .origin = simulation.scene().origin,
                   .contact = contact ? &*contact : nullptr}) {}

  /// Steps, then the reactions of the last one. @note Collective
  std::vector<Reaction> after(int steps) {
    for (int i = 0; i < steps; ++i) record = simulation.advance();
    return reactions.of_step(simulation.state());
  }

  Simulation simulation;
  std::optional<ContactOutput> contact;
  Reactions reactions;
  StepRecord record;
};

/// Holds or moves the vertices of a body at or above the height y.
inline MotionSpec grip_above(Real y, const Vec3& velocity) {
  MotionSpec motion;
  motion.name = "grip";
  motion.select.shape = Selection::Shape::plane;
  motion.select.center = {{0, y, 0}};
  motion.select.direction = {{0, -1, 0}};
  motion.move.kind = MoveSpec::Kind::velocity;
  motion.move.velocity = velocity;
  return motion;
}

}  // namespace unbarred::test
