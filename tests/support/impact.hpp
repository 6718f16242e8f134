#pragma once
// A run judged from outside, step by step: energy, momentum, torque, and whether the forces that are written move the
// bodies. Works on one rank.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "audit/distributed_audit.hpp"
#include "dynamics/output/contact_output.hpp"
#include "support/collisions.hpp"

namespace unbarred::test {

/// Largest so far; each relative to what its comment names.
struct Judgement {
  Real rise = 0;       ///< of the energy in a step, with gravity: the largest kinetic energy
  Real momentum = 0;   ///< change since the start: sum of |momentum| of the bodies at the start
  Real spin = 0;       ///< what angular momentum gains beyond h sum m v' x v and h times the torque of contact, and ...
  Real twist = 0;      ///< ... h times that torque, in a step: sum m |v| times the size, 0.2 m
  Real force = 0;      ///< written force of contact less m dv/dt - m g of a body: the larger one of that and its weight
  Real least_gap = 1;  ///< m
  int steps = 0, iterations = 0, unfinished = 0;
  std::int64_t intersections = 0, most_pairs = 0;
  Real mean_iterations() const { return Real(iterations) / std::max(steps, 1); }
};

class Impact {
 public:
  /// audit: every so many steps.
  explicit Impact(const Scene& scene, int audit = 8)
      : simulation_(scene, world()),
        output_(*simulation_.contact(), simulation_.map(), simulation_.halo(), world(), scene.time_step),
        audit_of_(simulation_.mesh(), world()),
        mass_(simulation_.elastic().mass.to_host()),
        audit_(audit),
        start_(momenta()),
        record_(simulation_.measure()) {
    mass_of_body_.assign(bodies(), 0);
    for (std::size_t i = 0; i < mass_.size(); ++i)
      if (is_free(i)) mass_of_body_[body_of(i)] += mass_[i];
    for (const Vec3& p : start_) flying_ += norm(p);
    most_kinetic_ = record_.energy.kinetic;
  }

  const Judgement& run(int steps) {
    for (int i = 0; i < steps; ++i) advance();
    return judgement;
  }

  void advance() {
    const std::vector<Vec3> velocity = simulation_.state().v.to_host(), before = momenta();
    const StepRecord last = record_;
    record_ = simulation_.advance();
    ++judgement.steps;
    judgement.iterations += record_.outer_iterations;
    judgement.unfinished += record_.converged ? 0 : 1;
    judgement.most_pairs = std::max(judgement.most_pairs, record_.pairs_active);
    if (record_.gap_min) judgement.least_gap = std::min(judgement.least_gap, *record_.gap_min);
    judge_energy(last);
    judge_momentum(last, velocity);
    judge_forces(before);
    if (judgement.steps % audit_ == 0) judgement.intersections += intersections();
  }

  /// Of contact on a body in the last step, and what its motion asks for: m dv/dt - m g, N.
  const std::vector<Vec3>& given() const { return given_; }
  const std::vector<Vec3>& needed() const { return needed_; }
  Real weight(std::size_t body) const { return mass_of_body_[body] * norm(simulation_.scene().gravity); }
  std::vector<Vec3> momenta() const {
    std::vector<Vec3> sums(bodies(), Vec3{{0, 0, 0}});
    const std::vector<Vec3> v = simulation_.state().v.to_host();
    for (std::size_t i = 0; i < mass_.size(); ++i)
      if (is_free(i)) sums[body_of(i)] += mass_[i] * v[i];
    return sums;
  }
  const StepRecord& record() const { return record_; }
  const Simulation& simulation() const { return simulation_; }

  Judgement judgement;

 private:
  static Real norm(const Vec3& a) { return std::sqrt(squared_norm(a)); }
  std::size_t bodies() const { return simulation_.scene().bodies.size(); }
  std::size_t body_of(std::size_t vertex) const {
    return static_cast<std::size_t>(simulation_.mesh().vertex_body[vertex]);
  }
  /// Not of an obstacle.
  bool is_free(std::size_t vertex) const { return body_of(vertex) < bodies(); }

  void judge_energy(const StepRecord& last) {
    most_kinetic_ = std::max(most_kinetic_, record_.energy.kinetic);
    judgement.rise = std::max(judgement.rise, (record_.energy.stored() - last.energy.stored()) / most_kinetic_);
  }

  // Angular momentum: tests/physics/dynamics_test.cpp. Where obstacles push, neither is kept.
  void judge_momentum(const StepRecord& last, const std::vector<Vec3>& old) {
    if (!simulation_.scene().obstacles.empty()) return;
    Vec3 lost{{0, 0, 0}}, torque = record_.angular_momentum - last.angular_momentum;
    const std::vector<Vec3> now = momenta(), v = simulation_.state().v.to_host();
    for (std::size_t b = 0; b < now.size(); ++b) lost += now[b] - start_[b];
    judgement.momentum = std::max(judgement.momentum, norm(lost) / flying_);
    for (std::size_t i = 0; i < mass_.size(); ++i)
      torque += (-simulation_.scene().time_step * mass_[i]) * cross(v[i], old[i]);
    const Vec3 written = torque_of_contact();
    const Real size = flying_ * 0.2;
    judgement.spin = std::max(judgement.spin, norm(torque - simulation_.scene().time_step * written) / size);
    judgement.twist = std::max(judgement.twist, simulation_.scene().time_step * norm(written) / size);
  }

  /// About the local origin, N m: the forces of a pair cancel, but need not have one line of action.
  Vec3 torque_of_contact() const {
    const VertexContact forces = output_.at_vertices();
    const std::vector<Vec3> x = simulation_.state().x.to_host();
    Vec3 sum{{0, 0, 0}};
    for (std::size_t i = 0; i < x.size(); ++i) sum += cross(x[i], forces.normal[i] + forces.friction[i]);
    return sum;
  }

  // Without weight a force that only grazes has no scale of its own: 1e-3 of what stops everything in one step.
  void judge_forces(const std::vector<Vec3>& before) {
    const Real h = simulation_.scene().time_step;
    const std::vector<Vec3> now = momenta();
    given_.assign(bodies(), Vec3{{0, 0, 0}});
    needed_ = given_;
    for (const BodyForce& force : output_.between_bodies()) {
      const Vec3 both = force.normal + force.friction;
      const auto a = static_cast<std::size_t>(force.body_a), b = static_cast<std::size_t>(force.body_b);
      if (a < bodies()) given_[a] += both;
      if (b < bodies()) given_[b] += Real(-1) * both;
    }
    for (std::size_t b = 0; b < bodies(); ++b) {
      needed_[b] = (1 / h) * (now[b] - before[b]) - mass_of_body_[b] * simulation_.scene().gravity;
      const Real least = weight(b) > 0 ? weight(b) : 1e-3 * flying_ / h;
      const Real miss = norm(given_[b] - needed_[b]) / std::max(norm(needed_[b]), least);
      judgement.force = std::max(judgement.force, miss);
    }
  }

  std::int64_t intersections() const {
    const auto report = audit_of_.of(simulation_.state().x.to_host());
    return report.crossing + report.touching;
  }

  Simulation simulation_;
  ContactOutput output_;
  MeshAudit audit_of_;
  std::vector<Real> mass_, mass_of_body_;  // kg
  int audit_;
  std::vector<Vec3> start_;  // momenta, kg m/s
  StepRecord record_;
  Real flying_ = 0, most_kinetic_ = 0;
  std::vector<Vec3> given_, needed_;
};

inline void print(const std::string& name, const Judgement& j) {
  std::printf(
      "%s: energy up %.1e, momentum %.1e, spin %.1e, twist %.1e, force off %.1e, %.1f iterations a step, gap %.1e m\n",
      name.c_str(), j.rise, j.momentum, j.spin, j.twist, j.force, j.mean_iterations(), j.least_gap);
}

}  // namespace unbarred::test
