#pragma once
// What a motion does to the body that it moves in a step: one line of reaction_forces.csv.
#include <cstddef>

#include "core/vec3.hpp"

namespace unbarred {

struct Reaction {
  std::size_t motion;  ///< number in Scene::motions
  Vec3 force;          ///< on the body, N
  Vec3 moment;         ///< about the origin of the scene, N m
};

}  // namespace unbarred
