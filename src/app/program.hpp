#pragma once
#include "partitioning/communicator.hpp"

namespace unbarred {

/// The whole program on the given ranks; returns the exit code, the same on every rank. A failure of one rank alone
/// ends all ranks with its code within seconds.
int run_program(const Communicator& world, int argc, char** argv);

}  // namespace unbarred
