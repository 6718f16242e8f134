#include "dynamics/contact/contact_terms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/contact/contact_kernels.hpp"

namespace unbarred {

ContactTerms::ContactTerms(const Communicator& communicator, const IndexMap& map, ActiveSet& active)
    : communicator_(communicator),
      map_(map),
      active_(active),
      start_(active),
      feasible_(active),
      iterate_(active),
      trial_(active),
      step_(active),
      factor_(active) {}

void ContactTerms::linearize(const Field& feasible, bool keep) {
  unbarred::linearize(active_.pairs(), feasible_.receive(feasible), keep);
}

void ContactTerms::prepare(const Field& iterate, Real follow) {
  evaluate(active_.pairs(), feasible(), iterate_.receive(iterate), settings_, follow);
  compute_terms();
}

void ContactTerms::compute_terms() {
  pair_terms(active_.pairs(), feasible(), iterate_.values(), start(), settings_, active_.terms());
}

void ContactTerms::add_forces(View<Vec3> downhill) const {
  unbarred::add_forces(active_.around(), active_.terms(), downhill);
}

void ContactTerms::update_multipliers(const Field& p, const std::vector<Real>& step) {
  step_of_body_.assign_host(step);
  unbarred::update_multipliers(active_.pairs(), active_.terms(), step_.receive(p), settings_, step_of_body_.view());
}

void ContactTerms::set_candidate(const Field& p) { set_candidates(active_.pairs(), step_.receive(p)); }

std::vector<Real> ContactTerms::model_slopes(const std::vector<Real>& t) {
  pushes_.resize_with_room(active_.size());
  step_of_body_.assign_host(t);
  unbarred::model_slopes(active_.pairs(), step_of_body_.view(), pushes_.view());
  return by_body(to_host(std::as_const(pushes_).view()), t.size());
}

void ContactTerms::accept_candidate(const std::vector<Real>& t) {
  step_of_body_.assign_host(t);
  accept_candidates(active_.pairs(), step_of_body_.view());
}

// By body: a force on one that nearly flies is nothing beside those in a pile, and all that moves it.
bool ContactTerms::revise(const Field& iterate, std::size_t bodies, Real negligible) {
  pushes_.resize_with_room(active_.size());
  errors_.resize_with_room(active_.size());
  unbarred::revise(active_.pairs(), pushes_.view(), errors_.view());
  const std::vector<Real> pushes = to_host(std::as_const(pushes_).view()),
                          errors = to_host(std::as_const(errors_).view());
  std::vector<Real> sums(2 * bodies, 0);
  for (std::size_t i = 0; i < pushes.size(); ++i)
    for (const std::int32_t body : active_.holders()[i].body) {
      sums[static_cast<std::size_t>(body)] += pushes[i];
      sums[bodies + static_cast<std::size_t>(body)] += errors[i];
    }
  communicator_.sum(std::span<Real>(sums));
  bool wrong = false;
  for (std::size_t b = 0; b < bodies; ++b) wrong = wrong || sums[bodies + b] > negligible * sums[b];
  if (!wrong) return false;
  iterate_.receive(iterate);
  compute_terms();
  return true;
}

const std::vector<Real>& ContactTerms::measure_energies(const Field& y) {
  energies_.resize_with_room(active_.size());
  constraint_energies(active_.pairs(), feasible(), trial_.receive(y), start(), settings_, energies_.view());
  return energies_on_host_ = to_host(std::as_const(energies_).view());
}

std::vector<Real> ContactTerms::energies(const Field& y, std::size_t bodies) {
  return by_body(measure_energies(y), bodies);
}

std::vector<Real> ContactTerms::energies_on(const Field& y, std::size_t bodies) {
  const std::vector<Real>& values = measure_energies(y);
  std::vector<Real> sums(bodies, 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const std::int32_t body : active_.holders()[i].body) sums[static_cast<std::size_t>(body)] += values[i];
  communicator_.sum(std::span<Real>(sums));
  return sums;
}

std::vector<Real> ContactTerms::by_body(const std::vector<Real>& of_pairs, std::size_t bodies) const {
  std::vector<Real> sums(bodies, 0);
  for (std::size_t i = 0; i < of_pairs.size(); ++i) {
    // Obstacles have the highest numbers.
    const auto& body = active_.holders()[i].body;
    sums[static_cast<std::size_t>(std::min(body[0], body[1]))] += of_pairs[i];
  }
  return sums;
}

PairSummary ContactTerms::summary() const { return summarize(active_.pairs(), feasible(), start(), settings_); }

Real ContactTerms::add_product(const Field& x, View<const AxisMask> fixed, View<Vec3> y) {
  pair_images(active_.pairs(), active_.terms(), factor_.receive(x), active_.images());
  return add_pair_images(active_.around(), active_.terms(), active_.images(), fixed, x.owned(), y);
}

void ContactTerms::add_diagonal(View<SymmetricBlock> diagonal) {
  add_pair_diagonal(active_.around(), active_.terms(), diagonal);
}

std::vector<AddedBlock> ContactTerms::blocks(const Field& labels) {
  const VertexValues values = factor_.receive(labels);
  std::vector<Vec3> label = to_host(values.local);
  const std::vector<Vec3> foreign = to_host(values.foreign);
  label.insert(label.end(), foreign.begin(), foreign.end());
  const std::vector<ActivePair> pairs = active_.to_host();
  const std::vector<PairTerms> terms = to_host(std::as_const(active_).terms());
  std::vector<AddedBlock> blocks;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Mat3 stiffness = full(terms[i].stiffness);
    const Index* v = pairs[i].pair.v;
    const Real* weight = terms[i].weight;
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c)
        if (v[r] < map_.owned())
          blocks.push_back({v[r], label[static_cast<std::size_t>(v[c])], weight[r] * weight[c] * stiffness});
  }
  return blocks;
}

std::vector<AddedSpring> ContactTerms::springs(const Field& a, const Field& b) {
  const auto on_host = [](const VertexValues& values) {
    std::vector<Vec3> all = to_host(values.local);
    const std::vector<Vec3> foreign = to_host(values.foreign);
    all.insert(all.end(), foreign.begin(), foreign.end());
    return all;
  };
  const std::vector<Vec3> of_a = on_host(factor_.receive(a)), of_b = on_host(factor_.receive(b));
  const std::vector<ActivePair> pairs = active_.to_host();
  const std::vector<PairTerms> terms = to_host(std::as_const(active_).terms());
  std::vector<AddedSpring> springs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Real(&k)[6] = terms[i].stiffness.a;
    if (pairs[i].counted == 0 || !(k[0] + k[3] + k[5] > 0)) continue;
    AddedSpring& spring = springs.emplace_back();
    spring.stiffness = terms[i].stiffness;
    for (int j = 0; j < 4; ++j) {
      spring.weight[j] = terms[i].weight[j];
      spring.a[j] = of_a[static_cast<std::size_t>(pairs[i].pair.v[j])];
      spring.b[j] = of_b[static_cast<std::size_t>(pairs[i].pair.v[j])];
    }
  }
  return springs;
}

std::vector<BodySpring> ContactTerms::body_springs(const Field& x) {
  points_.resize_with_room(active_.size());
  unbarred::pair_points(active_.pairs(), factor_.receive(x), points_.view());
  const std::vector<PairPoints> points = points_.to_host();
  const std::vector<PairTerms> terms = to_host(std::as_const(active_).terms());
  const std::vector<std::uint8_t>& counted = active_.counted();
  std::vector<BodySpring> springs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Real(&k)[6] = terms[i].stiffness.a;
    if (!counted[i] || !(k[0] + k[3] + k[5] > 0)) continue;
    const auto& body = active_.holders()[i].body;
    springs.push_back({{body[0], body[1]}, {points[i].point[0], points[i].point[1]}, terms[i].stiffness});
  }
  return springs;
}

BodyForces ContactTerms::forces_on_bodies(const std::vector<Vec3>& centers) {
  forces_.resize_with_room(active_.size());
  points_.resize_with_room(active_.size());
  const VertexValues x = feasible();
  pair_forces(active_.pairs(), {.x = x, .start = start(), .slip_length = settings_.slip_length, .time_step_squared = 1},
              forces_.view());
  unbarred::pair_points(active_.pairs(), x, points_.view());
  const std::vector<PairForce> forces = forces_.to_host();
  const std::vector<PairPoints> points = points_.to_host();
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

}  // namespace unbarred
