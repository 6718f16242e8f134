#include "dynamics/output/reactions.hpp"

#include <algorithm>

#include "dynamics/output/reaction_kernels.hpp"

namespace unbarred {

/// Numbers of the tiles with rows among `vertices`, of which those from `owned` on have none; ascending.
static std::vector<Index> tiles_of(const std::vector<Index>& vertices, Index owned, const AssemblyPlan& plan) {
  std::vector<std::uint8_t> held(plan.tiles.size(), 0);
  for (const Index v : vertices) {
    if (v >= owned) continue;
    const auto next = std::ranges::upper_bound(plan.tiles, v, {}, &AssemblyTile::row_begin);
    held[static_cast<std::size_t>(next - plan.tiles.begin()) - 1] = 1;
  }
  std::vector<Index> tiles;
  for (std::size_t t = 0; t < held.size(); ++t)
    if (held[t] != 0) tiles.push_back(static_cast<Index>(t));
  return tiles;
}

Reactions::Reactions(const Communicator& communicator, const IndexMap& map, const AssemblyPlan& plan,
                     const PrescribedMotion& motion, TimeStepper& stepper, const Options& options)
    : communicator_(communicator),
      motion_(motion),
      stepper_(stepper),
      options_(options),
      tiles_(tiles_of(motion.all_vertices(), map.owned(), plan)),
      gradient_(DeviceArray<Vec3>::zeros(map.owned())),
      taken_(map.owned()) {}

std::vector<Reaction> Reactions::of_step(const State& state) {
  std::vector<Reaction> reactions;
  std::vector<AxisMask> axes;
  for (std::size_t m = 0; m < motion_.count(); ++m) {
    axes.push_back(motion_.axes(m, state.time - options_.time_step, options_.time_step));
    if (axes[m] != 0) reactions.push_back({m, {{0, 0, 0}}, {{0, 0, 0}}});
  }
  if (reactions.empty()) return reactions;
  gradient_.set_zero();
  stepper_.gradient_at_end(state, tiles_, gradient_.view());
  OwnedForces contact;
  if (options_.contact) contact = options_.contact->at_owned();
  const HoldingForces forces{.per_time_squared = 1 / (options_.time_step * options_.time_step),
                             .gradient = gradient_.view(),
                             .normal = contact.normal.view(),
                             .friction = contact.friction.view()};
  taken_.set_zero();
  std::vector<Real> sums(6 * reactions.size());
  for (std::size_t i = reactions.size(); i-- > 0;) {
    const std::size_t m = reactions[i].motion;
    const auto sum =
        sum_reactions(motion_.vertices(m), axes[m], forces, options_.origin, state.x.local(), taken_.view());
    std::ranges::copy(sum, &sums[6 * i]);
  }
  communicator_.sum(std::span<Real>(sums));
  for (std::size_t i = 0; i < reactions.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      reactions[i].force.x[k] = sums[6 * i + k];
      reactions[i].moment.x[k] = sums[6 * i + 3 + k];
    }
  return reactions;
}

}  // namespace unbarred
