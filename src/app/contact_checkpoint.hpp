#pragma once
// What a checkpoint keeps of contact: the pairs of the active set with what outlives a step.
#include "app/simulation.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace unbarred {

/// Of a simulation with contact, on this rank.
struct ContactState {
  std::vector<SavedPair> pairs;  ///< that this rank counts
};

/// Nothing without contact.
std::optional<ContactState> contact_state(const Simulation& simulation);

/// Puts `state` into a checkpoint.
void save_contact(const std::optional<ContactState>& state, CheckpointData& data);

/// Takes the pairs of a checkpoint, which any number of ranks may have written, into a simulation at its state; rank 0
/// logs what does not fit. Multipliers, h^2 times a force, change with the time step; pairs of bodies that may now pass
/// through each other go. Throws Error(checkpoint_mismatch) on all ranks when a pair names what is not there.
/// @note Collective
void restore_contact(Simulation& simulation, const CheckpointData& data, const Communicator& world);

}  // namespace unbarred
