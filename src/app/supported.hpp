#pragma once
#include "scene/scene.hpp"

namespace unbarred {

/// Throws Error(bad_input) that names every key of the scene which is understood but not carried out yet.
void refuse_what_is_not_yet(const Scene& scene);

}  // namespace unbarred
