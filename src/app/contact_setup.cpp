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

/// Links that stay hold bodies where they no longer are; those that move may go to and fro: the stricter the accuracy,
/// the longer they move.
static int moving_links(const SolverSpec& solver) {
  constexpr int least = 6, most = 50;
  constexpr Real longer = 0.15;
  return static_cast<int>(std::clamp(longer / solver.accuracy, Real(least), Real(most)));
}

ContactOptions contact_options(const Scene& scene, const LocalMesh& mesh, const Communicator& communicator) {
  const ContactSpec& contact = *scene.contact;
  const ContactSolverSpec& constants = scene.solver.contact;
  using Spec = ContactSolverSpec;
  return {.offset = contact.offset,
          .friction_velocity = contact.friction_velocity ? *contact.friction_velocity
                                                         : 1e-3 * diagonal_of_bodies(scene, mesh, communicator),
          .lag_each_iteration = contact.friction_lagging == ContactSpec::Lagging::iteration,
          .accuracy = scene.solver.accuracy,
          .epsilon = scene.solver.epsilon,
          .lagging_fraction = scene.solver.lagging_fraction,
          .gravity = std::sqrt(squared_norm(scene.gravity)),
          .offset_ramp = constants.offset_ramp,
          .decay_factor = constants.decay,
          .least_decay = constants.least_decay,
          .penalty_factor = constants.penalty_factor,
          .gap_of_offset = constants.gap,
          .slack = constants.ccd_slack,
          .largest_slack = constants.ccd_largest_slack,
          .reach = constants.reach,
          .filtered_start = constants.warm_start == Spec::WarmStart::filtered,
          .weigh_inactive = constants.inactive_pairs == Spec::InactivePairs::weigh,
          .moving_links = moving_links(scene.solver),
          .inactive_may_rise = constants.multiplier_update == Spec::MultiplierUpdate::all,
          .restore_decay = constants.rehit == Spec::Rehit::restore,
          .hand_over = constants.slide_off == Spec::SlideOff::hand_over,
          .stall_iterations = constants.stall_iterations,
          .stall_fraction = constants.stall_fraction,
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
  auto filter = scene.solver.step_filter == StepFilterKind::global ? make_global_filter() : make_lazy_filter();
  return std::make_unique<ContactProblem>(communicator, mesh.map, transport, surface, broad_phase,
                                          friction_between(scene, mesh.scene_body), std::move(filter), guard,
                                          contact_options(scene, mesh, communicator));
}

}  // namespace unbarred
