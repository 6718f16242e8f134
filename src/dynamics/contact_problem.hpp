#pragma once
// Contact as the time stepper sees it: a feasible state that never intersects, constraints linearized there that pull
// the iterate, and a filter that lets the feasible state follow as far as it is safe (method sections 2 to 4).
#include <memory>

#include "contact/active_set.hpp"
#include "contact/step_filter.hpp"
#include "dynamics/contact_kernels.hpp"
#include "dynamics/step_record.hpp"
#include "linear/linear_solver.hpp"

namespace unbarred {

/// Method section 7, constant by constant.
struct ContactOptions {
  Real offset = 0;                 ///< delta, m
  Real friction_velocity = 1e-3;   ///< epsilon_v, m/s
  bool lag_each_iteration = true;  ///< friction from the last update; otherwise from the last step
  Real epsilon = 1e-3;             ///< remaining share of the motion at which a step ends
  Real offset_ramp = 0.1;          ///< < 0: no ramp
  Real decay_factor = 0.9;         ///< Gamma
  Real least_decay = 0.01;
  Real penalty_factor = 1;    ///< C
  Real gap_of_offset = 0.01;  ///< xi / delta
  Real slack = 0.1;           ///< s of additive CCD
  bool fade_by_slack = true;  ///< inactive pairs weigh less by their slack when the last step fraction was calm
  bool inactive_may_rise = false;
  bool restore_decay = false;  ///< a known pair that is hit again gets gamma = 1
  bool per_vertex = true;      ///< remaining share a vertex (lazy), else one for all
  Real calm_fraction = 0.97;   ///< mean fraction above which an iteration was calm
};

class ContactProblem : public MatrixFreeTerms {
 public:
  /// Keeps references to the first three; guard may be null. @note Collective
  ContactProblem(const Communicator& communicator, const IndexMap& map, Transport& transport, const Surface& surface,
                 const std::vector<std::uint8_t>& prescribed, const BroadPhase::Options& broad_phase,
                 std::function<Real(std::int32_t, std::int32_t)> friction, std::unique_ptr<StepFilter> filter,
                 const InversionGuard* guard, const ContactOptions& options);

  /// x: positions at the start of the step, free of intersections. @note Collective
  void begin_step(const Field& x, Real time_step);
  /// Takes the penalty from the elastic matrix of the first iteration of a step. @note Collective
  void set_penalty(const BlockMatrix& matrix, View<const AxisMask> fixed);
  /// target becomes the safe part of the motion from the start of the step to it. @note Collective
  void filter_start(Field& target);

  /// Linearizes all pairs at the feasible state and evaluates them at the iterate. @note Collective over neighbours
  void prepare(const Field& iterate);
  void add_forces(View<Vec3> downhill) const;
  /// Of this rank. @note Collective over neighbours
  Real energy(const Field& y);
  Real add_product(const Field& x, View<const AxisMask> fixed, View<Vec3> y) override;
  void add_diagonal(View<SymmetricBlock> diagonal) override;
  /// Multipliers after the solve. @note Collective over neighbours
  void update_multipliers(const Field& iterate);
  /// The feasible state follows the iterate as far as it is safe; pairs that stood in the way join the active set.
  /// counts: the iteration reduces what remains (from K_min on). @note Collective
  void follow(const Field& iterate, bool counts);

  /// Largest share of the motion that is still to be done, over all vertices.
  Real remaining() const { return remaining_; }
  const Field& feasible() const { return feasible_; }
  void fill_record(StepRecord& record) const;

 private:
  void adapt_when_stalled(const FilterReport& report);
  std::vector<FoundPair> earliest_new_pairs();

  const Communicator& communicator_;
  const IndexMap& map_;
  ContactOptions options_;
  CollisionMesh mesh_;
  BroadPhase broad_phase_;
  std::unique_ptr<StepFilter> filter_;
  FilterOptions filter_options_;
  ActiveSet active_;
  ConstraintSettings settings_;
  Field feasible_, step_start_;
  DeviceArray<Real> remaining_of_;
  Real remaining_ = 1;
  bool calm_ = false;  ///< of the last iteration; kept over steps
  bool lag_ = true;
  int stalled_ = 0;  ///< iterations in a row with a tiny fraction
  // Of this step, for its record.
  int iterations_ = 0;
  Real fraction_sum_ = 0, least_fraction_ = 1;
  GlobalIndex new_pairs_ = 0;
  int doublings_ = 0;
};

}  // namespace unbarred
