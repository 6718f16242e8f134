#pragma once
// What a finished time step tells: one line of steps.jsonl. Values are those of all ranks together.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace unbarred {

/// Phases of a step, in the order of the tables; the names that PhaseTimes is given.
inline constexpr std::array<const char*, 9> step_phases{
    "total", "assembly", "linear", "broad_phase", "narrow_phase", "line_search", "active_set", "exchange", "output"};

struct LinearSolveRecord {
  int iterations = 0;
  std::string reason;     ///< "converged", "iteration_limit", ...
  Real residual = 0;      ///< relative, in the norm of the stopping test
  Real newton_speed = 0;  ///< largest |Newton step| of a free coordinate / h, m/s: the Hessian-scaled residual
};

struct EnergyRecord {
  Real kinetic = 0, elastic = 0, gravity = 0, friction_loss = 0;  ///< J
  Real loads = 0;  ///< potential of body forces, springs and pressures on closed surfaces, J
  /// What bodies hold: without the loss, J.
  Real stored() const { return kinetic + elastic + gravity + loads; }
  Real moving() const { return kinetic + elastic; }
};

struct StepRecord {
  std::int64_t step = 0;
  Real time = 0;  ///< at the end of the step, s
  int outer_iterations = 0;
  Real step_fraction_mean = 1, step_fraction_min = 1;  ///< alpha
  Real remaining = 0;                                  ///< beta at the end
  Real residual_speed = 0;     ///< largest |Newton step| of a free coordinate / h of the last solve, m/s
  Real residual_relative = 0;  ///< Newton decrement of the worst body, relative
  bool converged = true;       ///< false: accepted unfinished
  std::string unfinished;      ///< then why, and which body
  Real momentum_defect = 0;    ///< largest over bodies, kg m/s
  Real energy_change = 0;      ///< EnergyRecord::stored() at the end less that at the start of the step, J
  std::vector<LinearSolveRecord> solves;
  std::int64_t pairs = 0, pairs_active = 0, pairs_new = 0;
  std::optional<Real> gap_min;  ///< m; none without pairs
  std::optional<Real> penalty;  ///< mu; none without contact
  std::optional<Real> offset;   ///< delta, m; none without contact
  EnergyRecord energy;
  Vec3 momentum{{0, 0, 0}};                   ///< kg m/s
  Vec3 angular_momentum{{0, 0, 0}};           ///< about the origin, kg m^2/s
  std::optional<std::int64_t> intersections;  ///< when audited
  std::map<std::string, double> wall;         ///< seconds a phase, mean over ranks; a missing phase took none
  Real imbalance = 1;                         ///< largest rank time / mean
  std::int64_t memory_bytes = 0;              ///< sum over ranks
};

}  // namespace unbarred
