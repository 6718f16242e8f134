#include "dynamics/output/contact_output.hpp"

#include <algorithm>
#include <limits>

#include "core/fill_kernels.hpp"
#include "partitioning/block_exchange.hpp"

namespace unbarred {

namespace {

bool by_bodies(const BodyForce& a, const BodyForce& b) {
  return a.body_a != b.body_a ? a.body_a < b.body_a : a.body_b < b.body_b;
}

/// One entry for every two bodies, in ascending order; equal ones are added in the order in which they stand.
std::vector<BodyForce> added_up(std::vector<BodyForce> forces) {
  std::stable_sort(forces.begin(), forces.end(), by_bodies);
  std::vector<BodyForce> sums;
  for (const BodyForce& force : forces) {
    if (sums.empty() || by_bodies(sums.back(), force)) {
      sums.push_back(force);
      continue;
    }
    sums.back().normal += force.normal;
    sums.back().friction += force.friction;
  }
  return sums;
}

}  // namespace

ContactOutput::ContactOutput(const ContactProblem& contact, const IndexMap& map, Halo& halo,
                             const Communicator& communicator, Real time_step)
    : contact_(contact), map_(map), halo_(halo), communicator_(communicator), time_step_(time_step) {}

DeviceArray<PairForce> ContactOutput::forces_of_pairs() const {
  const ActiveSet& active = contact_.active();
  DeviceArray<PairForce> forces(active.size());
  pair_forces(active.pairs(),
              {.x = contact_.terms().feasible(),
               .start = contact_.terms().start(),
               .slip_length = contact_.terms().settings().slip_length,
               .time_step_squared = time_step_ * time_step_},
              forces.view());
  return forces;
}

VertexContact ContactOutput::at_vertices() const {
  const std::int64_t local = map_.local();
  const DeviceArray<PairForce> forces = forces_of_pairs();
  Field normal(map_), friction(map_);
  DeviceArray<Real> gap(local), pressure(local);
  fill(gap.view(), std::numeric_limits<Real>::quiet_NaN());
  sum_at_vertices(contact_.active().around(), forces.view(),
                  {.normal = normal.write_owned(), .friction = friction.write_owned(), .gap = gap.view()});
  const Index owned = map_.owned();
  share_areas(contact_.triangles_around(), contact_.feasible().local(), pressure.view().part(0, owned));
  pressures_of(normal.owned(), pressure.view().part(0, owned), pressure.view().part(0, owned));
  normal.forward(halo_);
  friction.forward(halo_);
  halo_.forward(pressure.view(), 1);
  halo_.forward(gap.view(), 1);
  return {normal.to_host(), friction.to_host(), pressure.to_host(), gap.to_host()};
}

OwnedForces ContactOutput::at_owned() const {
  const DeviceArray<PairForce> forces = forces_of_pairs();
  const Index owned = map_.owned();
  OwnedForces at{DeviceArray<Vec3>::zeros(owned), DeviceArray<Vec3>::zeros(owned)};
  DeviceArray<Real> gap(owned);
  sum_at_vertices(contact_.active().around(), forces.view(),
                  {.normal = at.normal.view(), .friction = at.friction.view(), .gap = gap.view()});
  return at;
}

std::vector<BodyForce> ContactOutput::between_bodies() const {
  const std::vector<ActivePair> pairs = contact_.active().to_host();
  const std::vector<PairForce> forces = forces_of_pairs().to_host();
  const std::vector<PairHolders>& holders = contact_.active().holders();
  std::vector<BodyForce> found;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    // Friction has the limit of normal forces before the last ones, and may act where these have gone.
    const bool acts = pairs[i].multiplier > 0 || squared_norm(pairs[i].friction_force) > 0;
    if (!pairs[i].counted || !acts) continue;
    const auto& [a, b] = holders[i].body;
    if (a < b) found.push_back({a, b, forces[i].normal, forces[i].friction});
    if (b < a) found.push_back({b, a, Real(-1) * forces[i].normal, Real(-1) * forces[i].friction});
  }
  // Partial sums meet on a rank of their own before rank 0 sees them: it gets each pair of bodies once.
  found = added_up(std::move(found));
  std::vector<int> destinations;
  for (const BodyForce& force : found)
    destinations.push_back(static_cast<int>((force.body_a + std::int64_t{7919} * force.body_b) % communicator_.size()));
  found = added_up(send_each<BodyForce>(communicator_, found, destinations));
  destinations.assign(found.size(), 0);
  return added_up(send_each<BodyForce>(communicator_, found, destinations));
}

std::vector<ContactLine> ContactOutput::lines() const {
  const ActiveSet& active = contact_.active();
  const std::vector<ActivePair> pairs = active.to_host();
  const std::vector<PairForce> forces = forces_of_pairs().to_host();
  DeviceArray<PairLine> on_device(active.size());
  pair_lines(active.pairs(), contact_.terms().feasible(), on_device.view());
  const std::vector<PairLine> ends = on_device.to_host();
  std::vector<ContactLine> lines;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i].counted) continue;
    const auto& [body_a, body_b] = active.holders()[i].body;
    lines.push_back({ends[i].a, ends[i].b, forces[i].gap, pairs[i].multiplier, pairs[i].active != 0, body_a, body_b});
  }
  return lines;
}

}  // namespace unbarred
