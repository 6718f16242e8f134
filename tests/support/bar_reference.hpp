#pragma once
// An elastic bar above a rigid ground, in one dimension: layers with masses joined by springs, the lowest layer may not
// go below the ground. Integrated so finely, with every contact event at its own time, that it serves as the exact
// solution of this semi-discrete problem: what implicit Euler tends to as h -> 0. An impact is inelastic (the mass of
// the lowest layer loses its velocity, the bar above does not), and a contact ends when it would have to pull. (Doyen,
// Ern and Piperno 2011: time integration of the dynamic Signorini problem.)
#include <cmath>
#include <functional>
#include <vector>

#include "core/types.hpp"

namespace unbarred::test {

struct BarModel {
  std::vector<Real> height;        ///< of the layers at rest, ascending, m
  std::vector<Real> mass;          ///< a layer, kg
  std::function<Real(Real)> pull;  ///< force of a stretched cell, N: the derivative of its energy by its length
  Real gravity = 0;                ///< acceleration along the axis, m/s^2
  Real ground = 0;                 ///< m
  Real lift = 0;                   ///< of all layers at the start, m
  Real velocity = 0;               ///< of all layers at the start, m/s
};

class BarReference {
 public:
  explicit BarReference(const BarModel& bar) : bar_(bar), x_(bar.height), v_(bar.mass.size(), bar.velocity) {
    for (Real& x : x_) x += bar.lift;
    accelerate();
  }

  const std::vector<Real>& x() const { return x_; }
  const std::vector<Real>& v() const { return v_; }
  bool touches() const { return touches_; }
  Real impulse() const { return impulse_; }  ///< of the ground on the bar so far, N s

  void advance(Real time, int steps) {
    for (int i = 0; i < steps; ++i) step(time / steps);
  }

 private:
  /// Velocity Verlet, broken at an impact.
  void step(Real dt) {
    if (!touches_) {
      const Real fall = impact_within(dt);
      if (fall <= dt) {
        drift(fall);
        impulse_ -= bar_.mass[0] * v_[0];
        x_[0] = bar_.ground;
        v_[0] = 0;
        touches_ = true;
        accelerate();
        dt -= fall;
      }
    }
    drift(dt);
    if (touches_ && reaction_ < 0) {
      touches_ = false;
      accelerate();
    }
  }

  /// First time at which the parabola of the lowest layer meets the ground; more than dt when later than that.
  Real impact_within(Real dt) const {
    const Real gap = x_[0] - bar_.ground, v = v_[0], a = a_[0];
    if (gap + v * dt + 0.5 * a * dt * dt >= 0) return 2 * dt;
    const Real root = std::sqrt(v * v - 2 * a * gap);
    return v < 0 ? 2 * gap / (root - v) : (v + root) / -a;
  }

  void drift(Real dt) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      v_[i] += 0.5 * dt * a_[i];
      x_[i] += dt * v_[i];
    }
    if (touches_) impulse_ += 0.5 * dt * reaction_;
    accelerate();
    if (touches_) impulse_ += 0.5 * dt * reaction_;
    for (std::size_t i = 0; i < x_.size(); ++i) v_[i] += 0.5 * dt * a_[i];
  }

  void accelerate() {
    a_.assign(x_.size(), bar_.gravity);
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
      const Real force = bar_.pull((x_[i + 1] - x_[i]) / (bar_.height[i + 1] - bar_.height[i]));
      a_[i] += force / bar_.mass[i];
      a_[i + 1] -= force / bar_.mass[i + 1];
    }
    reaction_ = touches_ ? -bar_.mass[0] * a_[0] : 0;
    if (touches_) a_[0] = 0;
  }

  const BarModel& bar_;
  std::vector<Real> x_, v_, a_;
  bool touches_ = false;
  Real reaction_ = 0, impulse_ = 0;
};

}  // namespace unbarred::test
