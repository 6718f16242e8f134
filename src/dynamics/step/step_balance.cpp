#include "dynamics/step/step_balance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace unbarred {

std::string StepBalance::name(std::size_t body) const {
  return body < options_.body_names.size() ? "`" + options_.body_names[body] + "`" : "body " + std::to_string(body);
}

static std::string number(Real value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

void StepBalance::after_solve(std::vector<Real> products, std::vector<Real> returns) {
  before_ = first_.empty() ? std::vector<Real>(products.size(), 0) : std::move(products_);
  products_ = std::move(products);
  returns_ = std::move(returns);
  if (!first_.empty()) return;
  for (const Real product : products_) first_.push_back(std::abs(product) / 2);
}

// Slow convergence goes on in one direction: there a shorter step would only be slower.
bool StepBalance::swings() const {
  return !done() && !returns_.empty() && returns_[worst_] < -std::abs(products_[worst_]) / 2;
}

void StepBalance::begin_step(std::vector<Real> start, Real noise) {
  start_ = std::move(start);
  products_.assign(start_.size(), 0);
  before_ = products_;
  returns_.clear();
  worst_ = 0;
  first_.clear();
  noise_ = noise;
  relative_ = last_step_ = momentum_defect_ = 0;
}

// Loads of the system have an energy of all bodies only: what the first iteration wins stands for it.
std::vector<Real> StepBalance::scales(const StepEnergy& energy) const {
  const std::vector<Real> iterate = energy.last_of_bodies();
  std::vector<Real> scale = start_;
  for (std::size_t b = 0; b < scale.size(); ++b) scale[b] = std::max(scale[b], iterate[b]);
  if (!options_.forces)
    for (std::size_t b = 0; b < scale.size(); ++b) scale[b] = std::max(scale[b], first_[b]);
  const std::vector<Real> of_island = energy.by_body(energy.island_sums(scale));
  for (std::size_t b = 0; b < scale.size(); ++b) scale[b] = std::max(scale[b], 1e-3 * of_island[b]);
  return scale;
}

// Where the steps become shorter by a factor q each, all that are still to come are q / (1 - q) of the last one.
Real StepBalance::steps_to_come(std::size_t body) const {
  constexpr Real slowest = 0.8;  // beyond, bodies of a pile that hop by a little would never rest
  const Real last = std::abs(products_[body]), before = std::abs(before_[body]);
  const Real q = before > 0 ? std::min(slowest, std::sqrt(last / before)) : 0;
  return std::max(Real(1), q / (1 - q));
}

std::string StepBalance::failing_decrement(const std::vector<Real>& scale) {
  const Real share = options_.accuracy * options_.accuracy;
  relative_ = last_step_ = 0;
  std::string text;
  for (std::size_t b = 0; b < scale.size(); ++b) {
    const Real decrement = std::max(Real(0), std::abs(products_[b]) - noise_) / 2;
    if (!(decrement > 0)) continue;
    last_step_ = std::max(last_step_, std::sqrt(decrement / scale[b]));
    const Real relative = steps_to_come(b) * std::sqrt(decrement / scale[b]);
    if (relative <= relative_) continue;
    relative_ = relative;
    worst_ = b;
    if (relative * relative > share)
      text = "Newton's method still changes " + name(b) + " by " + number(relative) + " of its motion";
  }
  return text;
}

std::vector<Real> StepBalance::excesses(StepEnergy& energy, const ContactProblem& contact) const {
  std::vector<Real> excess(start_.size(), 0);
  if (contact.state().arrived()) return excess;
  const std::vector<Real> feasible = energy.of_bodies(contact.feasible()), iterate = energy.last_of_bodies();
  for (std::size_t b = 0; b < excess.size(); ++b) excess[b] = std::max(Real(0), feasible[b] - iterate[b]);
  return excess;
}

// Single bodies of a pile may go on hopping between two states.
bool StepBalance::fair(StepEnergy& energy, ContactProblem& contact) {
  constexpr Real slack = 20;
  const Real share = slack * options_.accuracy * options_.accuracy;
  const std::vector<Real> scale = scales(energy);
  std::vector<Real> open = excesses(energy, contact);
  for (std::size_t b = 0; b < open.size(); ++b) open[b] += std::abs(products_[b]) / 2;
  const std::vector<Real> opens = energy.island_sums(open), sizes = energy.island_sums(scale);
  for (std::size_t i = 0; i < opens.size(); ++i)
    if (opens[i] > share * sizes[i] + noise_) return false;
  return !options_.forces || failing_forces(energy, contact, scale, slack).empty();
}

std::string StepBalance::failing(StepEnergy& energy, ContactProblem& contact) {
  const std::vector<Real> scale = scales(energy);
  const std::string text = failing_decrement(scale);
  if (!text.empty()) return text;
  const Real share = options_.accuracy * options_.accuracy;
  const std::vector<Real> excess = excesses(energy, contact);
  for (std::size_t b = 0; b < scale.size(); ++b)
    if (excess[b] > share * scale[b] + noise_)
      return "what holds " + name(b) + " back costs " + number(excess[b] / scale[b]) + " of the energy of its motion";
  return options_.forces ? failing_forces(energy, contact, scale, 1) : "";
}

// What has not arrived keeps no momentum by itself: an island of free bodies must, to what a run of steps adds up.
std::string StepBalance::failing_momentum(const StepEnergy& energy, const std::vector<Vec3>& defect,
                                          const std::vector<Real>& scale) const {
  constexpr Real kept = 1e-8;
  std::vector<Real> size, held;
  for (std::size_t b = 0; b < scale.size(); ++b) {
    size.push_back(std::sqrt(2 * energy.masses()[b] * (scale[b] + noise_)));
    held.push_back(energy.held()[b] != 0 && squared_norm(defect[b]) > 0 ? 1 : 0);
  }
  const std::vector<Real> sizes = energy.island_sums(size), holds = energy.island_sums(held);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Real> gap;
    for (const Vec3& of : defect) gap.push_back(of[axis]);
    const std::vector<Real> gaps = energy.island_sums(gap);
    for (std::size_t i = 0; i < gaps.size(); ++i)
      if (holds[i] == 0 && !energy.touches_obstacle(i) && std::abs(gaps[i]) > kept * sizes[i])
        return "momentum is off by " + number(std::abs(gaps[i]) / sizes[i]);
  }
  return "";
}

std::string StepBalance::failing_forces(StepEnergy& energy, ContactProblem& contact, const std::vector<Real>& scale,
                                        Real slack) {
  // Of the momentum that moves: smaller forces do not matter.
  constexpr Real least = 1e-6;
  // Of forces that pass through a body: what is light under a heavy load has next to no torque of its own.
  constexpr Real passing = 1e-3;
  const Field& x = contact.feasible();
  const std::vector<Vec3> centers = energy.centers(x);
  const BodyForces forces = contact.terms().forces_on_bodies(centers);
  const std::vector<Vec3> inertia = energy.inertia_gaps(x), turning = energy.inertia_torques(x, centers),
                          force = energy.summed(forces.sum), torque = energy.summed(forces.torque),
                          slip = energy.summed(forces.error.sum), slip_torque = energy.summed(forces.error.torque);
  const std::vector<Real> friction = energy.summed(forces.friction), error = energy.summed(forces.error.size),
                          bent = energy.summed(forces.error.energy), lever = energy.largest(forces.lever),
                          size = energy.summed(forces.size);
  std::vector<Vec3> defects = inertia;
  for (std::size_t b = 0; b < scale.size(); ++b) defects[b] += force[b];
  momentum_defect_ = 0;
  std::string text = contact.state().arrived() ? "" : failing_momentum(energy, defects, scale);
  const auto length = [](const Vec3& v) { return std::sqrt(squared_norm(v)); };
  for (std::size_t b = 0; b < scale.size(); ++b) {
    const Real mass = energy.masses()[b];
    if (energy.held()[b] != 0 || !(mass > 0)) continue;
    const Real defect = length(defects[b]), twist = length(turning[b] + torque[b]);
    momentum_defect_ = std::max(momentum_defect_, defect / options_.time_step);
    const Real weight = mass * options_.gravity * options_.time_step * options_.time_step;
    const Real needed = std::max(length(inertia[b]), weight);
    const Real floor = least * std::sqrt(2 * mass * scale[b]) + std::sqrt(2 * mass * noise_);
    const Real allowed = slack * options_.balance * needed + floor;
    const Real allowed_twist =
        (slack * std::max(options_.torque_balance * needed, passing * size[b]) + floor) * lever[b];
    if (!text.empty()) continue;
    const bool matters = bent[b] > slack * options_.accuracy * options_.accuracy * scale[b] + noise_ ||
                         length(slip[b]) > allowed || length(slip_torque[b]) > allowed_twist;
    if (matters && error[b] > slack * options_.accuracy * 5 / 3 * friction[b] + floor)
      text = "friction on " + name(b) + " is off by " + number(error[b] / friction[b]) + " of Coulomb's";
    else if (defect > allowed) text = "the forces on " + name(b) + " are off by " + number(defect / needed);
    else if (lever[b] > 0 && twist > allowed_twist)
      text = "the torques on " + name(b) + " are off by " + number(twist / lever[b] / needed) + " of the forces";
  }
  return text;
}

}  // namespace unbarred
