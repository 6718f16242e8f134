#pragma once
// Candidates that serve more than one motion: a step filters several that differ little.
//
//   motion inside the boxes of the last search?   no: search, with boxes that are larger by `extra`
//   motion close to the path looked at last?      no: look how far apart the sides of what was found stay on this path
//
// That is by the motion of one side relative to the other, along their normal: most pairs whose boxes meet do so
// because both move far, together, or because they are neighbors, askew.
#include <memory>

#include "contact/search/broad_phase.hpp"

namespace unbarred {

/// Wraps a search. Its candidates are then more than those asked for, and sieve() drops those that stay more than twice
/// the margin apart. begin_step() forgets them.
std::unique_ptr<BroadPhase> keep_candidates(std::unique_ptr<BroadPhase> search);

}  // namespace unbarred
