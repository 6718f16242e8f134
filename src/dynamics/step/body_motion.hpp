#pragma once
// Moves bodies by what was decided for them one by one, or island by island (StepEnergy): shares of a step, on the way
// of a rotation, and the translation of free islands that keeps their momentum.
#include <vector>

#include "dynamics/step/step_energy.hpp"

namespace unbarred {

class BodyMotion {
 public:
  /// Keeps a reference. turns: whether set_turns() finds any.
  explicit BodyMotion(StepEnergy& energy, bool turns = true) : energy_(energy), turns_bodies_(turns) {}

  /// y = trial at the vertices of the marked bodies.
  void take(const std::vector<std::uint8_t>& marked, const Field& trial, Field& y);
  /// y += t[its island] (x - y).
  void blend(const std::vector<Real>& t, const Field& x, Field& y);
  /// y = x + step[its island] p, with the rotations that set_turns() found in p carried out as rotations.
  void move(const Field& x, const std::vector<Real>& step, const Field& p, Field& y);
  /// The rotation that is in p, of every body that is free to move as a whole: a straight way along its tangent would
  /// stretch a stiff body so much that Newton's method turns it in many small steps. @note Collective
  void set_turns(const Field& x, const Field& p);
  /// y = x + step p becomes the same on the way that rotates.
  void bend(const Field& x, Real step, Field& y);
  /// Adds to the Newton step p, along each axis on which nothing holds an island, the translation of that island that
  /// the linear system asks for: inner forces and contact cancel in it, only masses are left. So free bodies keep their
  /// momentum to the last digits whatever the tolerance of the linear solver (M33). @note Collective
  void translate(View<const Vec3> downhill, Field& p);

 private:
  void bend(const Field& x, const std::vector<Real>& step_of_body, Field& y);

  StepEnergy& energy_;
  bool turns_bodies_;
  DeviceArray<Real> step_;                     // of each body
  DeviceArray<Vec3> shift_, centers_, turns_;  // of each body
  DeviceArray<std::uint8_t> marked_;           // of each body
  std::vector<Vec3> turn_;                     // of each body, in the whole of p; 0 where it is not free
};

}  // namespace unbarred
