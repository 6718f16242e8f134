#include "app/bench/trajectory_error.hpp"

#include <array>
#include <cmath>

#include "dynamics/output/contact_output.hpp"

namespace unbarred {

std::vector<Vec3> forces_on_bodies(Simulation& simulation, const Communicator& communicator) {
  std::vector<Vec3> sums(simulation.mesh().scene_body.size(), Vec3{{0, 0, 0}});
  if (!simulation.contact()) return sums;
  const ContactOutput output(*simulation.contact(), simulation.map(), simulation.halo(), communicator,
                             simulation.scene().time_step);
  for (const BodyForce& force : output.between_bodies()) {
    sums[static_cast<std::size_t>(force.body_a)] += force.normal + force.friction;
    sums[static_cast<std::size_t>(force.body_b)] -= force.normal + force.friction;
  }
  return sums;
}

TrajectoryError trajectory_error(Simulation& simulation, Simulation& reference, const std::vector<Vec3>& from,
                                 const Communicator& communicator) {
  const std::vector<Vec3> x = simulation.state().x.to_host(), x_ref = reference.state().x.to_host(),
                          v = simulation.state().v.to_host(), v_ref = reference.state().v.to_host();
  const LocalMesh& mesh = simulation.mesh();
  std::array<Real, 6> sums{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(mesh.map.owned()); ++i) {
    const int body = mesh.scene_body[static_cast<std::size_t>(mesh.vertex_body[i])];
    if (body >= static_cast<int>(simulation.scene().bodies.size())) continue;  // obstacles go where they are told
    sums[0] += squared_norm(x[i] - x_ref[i]);
    sums[1] += squared_norm(x_ref[i] - from[i]);
    sums[2] += squared_norm(v[i] - v_ref[i]);
    sums[3] += squared_norm(v_ref[i]);
  }
  const std::vector<Vec3> forces = forces_on_bodies(simulation, communicator),
                          forces_ref = forces_on_bodies(reference, communicator);
  for (std::size_t b = 0; b < forces.size(); ++b) {
    sums[4] += squared_norm(forces[b] - forces_ref[b]);
    sums[5] += squared_norm(forces_ref[b]);
  }
  communicator.sum(sums);
  return {std::sqrt(sums[0] / sums[1]), std::sqrt(sums[2] / sums[3]), std::sqrt(sums[4] / sums[5])};
}

}  // namespace unbarred
