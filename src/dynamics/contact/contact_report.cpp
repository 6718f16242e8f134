// The part of ContactProblem that says what contact did: to bodies, in a step, and what stands in the way.
#include <algorithm>
#include <cmath>

#include "dynamics/contact/contact_problem.hpp"
#include "partitioning/block_exchange.hpp"

namespace unbarred {

BodyForces ContactProblem::forces_on_bodies(const std::vector<Vec3>& centers) {
  pair_forces_.resize_with_room(active_.size());
  pair_points_.resize_with_room(active_.size());
  const VertexValues x = active_.feasible(feasible_);
  pair_forces(
      active_.pairs(),
      {.x = x, .start = active_.start(step_start_), .slip_length = settings_.slip_length, .time_step_squared = 1},
      pair_forces_.view());
  unbarred::pair_points(active_.pairs(), x, pair_points_.view());
  const std::vector<PairForce> forces = pair_forces_.to_host();
  const std::vector<PairPoints> points = pair_points_.to_host();
  const std::vector<std::uint8_t>& counted = active_.counted();
  const std::size_t bodies = centers.size();
  const std::vector<Vec3> none(bodies, Vec3{{0, 0, 0}});
  const std::vector<Real> zero(bodies, 0);
  BodyForces sums{none, none, zero, zero, zero, {zero, zero, none, none}};
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const Vec3 force = forces[i].normal + forces[i].friction;
    if (!counted[i] || !(squared_norm(force) > 0)) continue;
    const auto& body = active_.holders()[i].body;
    for (int side = 0; side < 2; ++side) {
      const auto b = static_cast<std::size_t>(body[side]);
      const Vec3 on_side = side == 0 ? force : Real(-1) * force, lever = points[i].point[side] - centers[b];
      sums.sum[b] += on_side;
      sums.torque[b] += cross(lever, on_side);
      sums.lever[b] = std::max(sums.lever[b], std::sqrt(squared_norm(lever)));
      sums.size[b] += std::sqrt(squared_norm(force));
      const Vec3 error = (side == 0 ? Real(1) : Real(-1)) * forces[i].friction_error;
      sums.friction[b] += std::sqrt(squared_norm(forces[i].friction));
      sums.error.size[b] += std::sqrt(squared_norm(error));
      sums.error.energy[b] += forces[i].error_energy;
      sums.error.sum[b] += error;
      sums.error.torque[b] += cross(lever, error);
    }
  }
  return sums;
}

void ContactProblem::fill_record(StepRecord& record, Real time_step) {
  const PairSummary local =
      summarize(active_.pairs(), active_.feasible(feasible_), active_.start(step_start_), settings_);
  record.step_fraction_mean = iterations_ > 0 ? fraction_sum_ / iterations_ : 1;
  record.step_fraction_min = least_fraction_;
  record.remaining = remaining_.largest;
  record.pairs = communicator_.sum(local.counted);
  record.pairs_active = communicator_.sum(local.active);
  record.pairs_new = new_pairs_;
  const Real gap = communicator_.min(local.least_gap);
  if (record.pairs > 0) record.gap_min = gap;
  record.penalty = largest_penalty_;
  record.offset = least_offset_;
  record.energy.friction_loss = communicator_.sum(local.friction_work) / (time_step * time_step);
}

std::string ContactProblem::describe_blocking() const {
  constexpr std::size_t most = 5;
  std::vector<Hit> hits = hits_.all();
  const auto earlier = [](const Hit& a, const Hit& b) {
    return a.time != b.time ? a.time < b.time : a.found.key < b.found.key;
  };
  std::sort(hits.begin(), hits.end(), earlier);
  hits.resize(std::min(hits.size(), most));
  const std::vector<int> to_root(hits.size(), 0);
  hits = send_each(communicator_, std::span<const Hit>(hits), std::span<const int>(to_root));
  std::sort(hits.begin(), hits.end(), earlier);
  hits.resize(std::min(hits.size(), most));
  std::string text;
  for (const Hit& hit : hits) {
    const PairKey& key = hit.found.key;
    const auto id = [&](int k) { return std::to_string(key.id[k]); };
    text += text.empty() ? "" : "; ";
    text += key.kind == PairKind::vertex_triangle
                ? "vertex " + id(0) + " of `" + options_.body_names.at(hit.found.holders.body[0]) + "` and triangle " +
                      id(1) + " " + id(2) + " " + id(3)
                : "edge " + id(0) + " " + id(1) + " of `" + options_.body_names.at(hit.found.holders.body[0]) +
                      "` and edge " + id(2) + " " + id(3);
    text += " of `" + options_.body_names.at(hit.found.holders.body[1]) + "`";
  }
  return communicator_.broadcast(text, 0);
}

}  // namespace unbarred
