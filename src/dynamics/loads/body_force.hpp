#pragma once
// What two bodies of the mesh do to each other in a step: one line of contact_forces.csv.
#include <cstdint>

#include "core/vec3.hpp"

namespace unbarred {

struct BodyForce {
  std::int32_t body_a, body_b;  ///< of the mesh, body_a < body_b
  Vec3 normal, friction;        ///< on body_a, N
};

}  // namespace unbarred
