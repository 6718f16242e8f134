#pragma once
#include "partitioning/communicator.hpp"

namespace unbarred::test {

/// All ranks of the test binary. Split it to compare runs on 1, 2, 3 and 4 ranks inside one 4-rank run.
const Communicator& world();

/// The first `ranks` ranks work, the others get an own communicator and idle: returns true on the working ones.
/// Usage: Communicator group = test::group(3); if (test::works_in(3)) { ... }
inline bool works_in(int ranks) { return world().rank() < ranks; }
inline Communicator group(int ranks) { return world().split(works_in(ranks) ? 0 : 1); }

}  // namespace unbarred::test
