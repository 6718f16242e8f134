#pragma once
#include "scene/scene.hpp"

namespace unbarred {

/// The rotation of a placement about the origin, by Rodrigues' formula.
Mat3 rotation(const Placement& place);

}  // namespace unbarred
