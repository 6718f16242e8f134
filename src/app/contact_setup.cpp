#include "app/contact_setup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "app/mesh_bodies.hpp"
#include "contact/search/exclusion.hpp"

namespace unbarred {

/// Of the box around the vertices of bodies, m; minima are exact in any order. @note Collective
static Real diagonal_of_bodies(const Scene& scene, const LocalMesh& mesh, const Communicator& communicator) {
  std::array<Real, 6> ends;  // lower, -upper
  ends.fill(std::numeric_limits<Real>::max());
  for (std::size_t v = 0; v < static_cast<std::size_t>(mesh.map.owned()); ++v) {
    const int body = mesh.scene_body[static_cast<std::size_t>(mesh.vertex_body[v])];
    if (body >= static_cast<int>(scene.bodies.size())) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Real x = mesh.rest_positions[v][static_cast<int>(k)];
      ends[k] = std::min(ends[k], x);
      ends[3 + k] = std::min(ends[3 + k], -x);
    }
  }
  communicator.min(ends);
  return std::sqrt(squared_norm(Vec3{{ends[0] + ends[3], ends[1] + ends[4], ends[2] + ends[5]}}));
}

ContactOptions contact_options(const Scene& scene, const LocalMesh& mesh, const Communicator& communicator) {
  const ContactSpec& contact = *scene.contact;
  return {.constants = scene.solver.contact,
          .keys = scene.solver,
          .offset = contact.offset,
          .friction_velocity = contact.friction_velocity ? *contact.friction_velocity
                                                         : 1e-3 * diagonal_of_bodies(scene, mesh, communicator),
          .lag_each_iteration = contact.friction_lagging == ContactSpec::Lagging::iteration,
          .gravity = std::sqrt(squared_norm(scene.gravity)),
          .body_names = mesh_body_names(scene, mesh.scene_body)};
}

/// Between bodies of the mesh; scene_body as in LocalMesh.
static std::function<Real(std::int32_t, std::int32_t)> friction_between(const Scene& scene,
                                                                        const std::vector<int>& scene_body) {
  std::vector<int> surface;  // FrictionPair's number of each body of the mesh
  for (const int body : scene_body) {
    const auto b = static_cast<std::size_t>(body);
    const bool obstacle = b >= scene.bodies.size();
    surface.push_back(obstacle ? static_cast<int>(scene.materials.size() + b - scene.bodies.size())
                               : scene.bodies[b].material);
  }
  std::map<std::pair<int, int>, Real> special;
  for (const FrictionPair& pair : scene.contact->pairs) special[std::minmax(pair.a, pair.b)] = pair.friction;
  return [surface, special, usual = scene.contact->friction](std::int32_t a, std::int32_t b) {
    const auto found =
        special.find(std::minmax(surface[static_cast<std::size_t>(a)], surface[static_cast<std::size_t>(b)]));
    return found == special.end() ? usual : found->second;
  };
}

std::unique_ptr<ContactProblem> make_contact(const Scene& scene, const LocalMesh& mesh,
                                             const Communicator& communicator, Transport& transport,
                                             const InversionGuard* guard) {
  BroadPhaseOptions broad_phase;
  for (const auto& [a, b] : mesh_body_pairs(scene.contact->none, scene, mesh.scene_body))
    broad_phase.excluded_bodies.push_back(body_pair_key(a, b));
  std::sort(broad_phase.excluded_bodies.begin(), broad_phase.excluded_bodies.end());
  const Surface surface = build_surface(mesh, communicator);
  return std::make_unique<ContactProblem>(
      communicator, mesh.map, transport, surface, broad_phase, friction_between(scene, mesh.scene_body),
      make_step_filter(scene.solver.step_filter), guard, contact_options(scene, mesh, communicator));
}

}  // namespace unbarred
