#pragma once
// From a checkpoint back to a state.
#include "app/simulation.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace unbarred {

/// Sets positions, velocities, time, step and contact of the simulation, whose mesh is still on the host. Any rank
/// count.
/// Throws Error(checkpoint_mismatch) on all ranks when the checkpoint is of another mesh. @note Collective
void restore(Simulation& simulation, const CheckpointData& data, const Communicator& world);

}  // namespace unbarred
