#pragma once
// How far one simulation is from another of the same mesh on the same partition.
#include <vector>

#include "app/simulation.hpp"

namespace unbarred {

/// Relative; NaN where the reference has nothing to compare with.
struct TrajectoryError {
  Real displacement = 0, velocity = 0, force = 0;
};

/// Contact forces on the bodies of the mesh, a sum each, N; on rank 0, elsewhere zero. @note Collective
std::vector<Vec3> forces_on_bodies(Simulation& simulation, const Communicator& communicator);

/// Errors of `simulation`, whose vertices of bodies were at `from` (owned vertices) when the displacement was zero:
/// rms |x - x_ref| / rms |x_ref - from|, rms |v - v_ref| / rms |v_ref|, and of the forces on all bodies
/// |F - F_ref| / |F_ref|. @note Collective
TrajectoryError trajectory_error(Simulation& simulation, Simulation& reference, const std::vector<Vec3>& from,
                                 const Communicator& communicator);

}  // namespace unbarred
