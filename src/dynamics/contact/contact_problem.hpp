#pragma once
// Contact as the time stepper sees it: forces and stiffness of the active pairs at the iterate, and a feasible state
// that follows the iterate as far as nothing touches (method sections 1 to 4).
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact/filter/step_filter.hpp"
#include "contact/pairs/active_set.hpp"
#include "contact/pairs/hand_over.hpp"
#include "contact/pairs/hits.hpp"
#include "contact/pairs/model_kernels.hpp"
#include "core/timer.hpp"
#include "dynamics/contact/backing_mass.hpp"
#include "dynamics/contact/contact_kernels.hpp"
#include "dynamics/contact/contact_output_kernels.hpp"
#include "dynamics/step_record.hpp"
#include "linear/linear_solver.hpp"

namespace unbarred {

/// Method section 7, constant by constant; the defaults are those of `accurate`.
struct ContactOptions {
  Real offset = 0;                 ///< delta, m
  Real friction_velocity = 1e-3;   ///< epsilon_v, m/s; only with weigh_inactive
  bool lag_each_iteration = true;  ///< friction from the last update; otherwise from the last step
  Real accuracy = 0.02;            ///< StepBalance::Options
  Real epsilon = 1e-3;             ///< remaining share of the motion at which a step ends
  Real lagging_fraction = 0;       ///< share of the vertices that may then have more left
  Real gravity = 0;                ///< m/s^2
  Real offset_ramp = 0.1;          ///< growth of a pair's offset over its gap in a step: OffsetRamp; infinite: none
  Real decay_factor = 0.9;         ///< Gamma
  Real least_decay = 0.01;
  Real penalty_factor = 1;         ///< C
  Real gap_of_offset = 0.01;       ///< xi / delta
  Real slack = 0.1;                ///< s of additive CCD
  Real largest_slack = 0.1;        ///< of it, in offsets
  Real reach = 0;                  ///< in offsets: pairs that the iterate is closer than join
  bool filtered_start = true;      ///< x^ starts at the filtered, energy-checked free flight; otherwise at x
  bool weigh_inactive = false;     ///< inactive pairs stay in the Hessian, instead of those that a step would meet
  int moving_links = 6;            ///< iterations in which links are made anew; later only where something is hit
  bool inactive_may_rise = false;  ///< multipliers of inactive pairs are updated fully
  bool restore_decay = false;      ///< a known pair that is hit again gets gamma = 1
  bool hand_over = true;           ///< multipliers follow what slides off a triangle
  int stall_iterations = 50;       ///< that hardly move in a row, after which mu doubles and delta halves
  Real stall_fraction = 1e-4;
  std::vector<std::string> body_names{};  ///< of the mesh, for messages
};

/// By body, of the pairs that this rank counts, h^2 N.
struct BodyForces {
  std::vector<Vec3> sum, torque;  ///< of contact and friction; about the centers, h^2 N m
  std::vector<Real> lever;        ///< largest distance from the center at which one acts, m
  std::vector<Real> size;         ///< sum of sizes
  std::vector<Real> friction;     ///< sum of sizes
  struct {
    std::vector<Real> size, energy;  ///< sum of sizes; what they bend where they act, h^2 J
    std::vector<Vec3> sum, torque;
  } error;  ///< what friction is off Coulomb's law by
};

/// Contact and friction of a pair in the linear system: a spring between a point of one body and a point of another, or
/// of the same.
struct BodySpring {
  std::int32_t body[2];
  Vec3 point[2];             ///< m
  SymmetricBlock stiffness;  ///< kg
};

class ContactProblem : public MatrixFreeTerms {
 public:
  /// Keeps references to the first three; guard may be null. friction(a, b): coefficient between two bodies of the
  /// mesh. @note Collective
  ContactProblem(const Communicator& communicator, const IndexMap& map, Transport& transport, const Surface& surface,
                 const BroadPhaseOptions& broad_phase, std::function<Real(std::int32_t, std::int32_t)> friction,
                 std::unique_ptr<StepFilter> filter, const InversionGuard* guard, const ContactOptions& options);

  /// x, v: state at the start of the step, free of intersections; v is kept by reference; fixed: prescribed
  /// coordinates; target: where these end, x elsewhere. Throws Error(bad_input) on all ranks when prescribed vertices
  /// cross prescribed ones on the way: nothing could hold them. @note Collective
  void begin_step(const Field& x, const Field& v, View<const AxisMask> fixed, const Field& target, Real time,
                  Real time_step);
  bool filters_start() const { return options_.filtered_start; }
  /// target becomes the safe part of the motion from the start of the step to it; false where that is all of it and
  /// nothing comes within reach. @note Collective
  bool filter_start(Field& target);
  /// Penalties of this step, from the compliances of owned vertices (contact_kernels.hpp), the largest diagonal entry
  /// of the matrix, and the masses of bodies and whether they are held (BackingMass). @note Collective
  void set_penalties(Field compliance, Real largest, const std::vector<Real>& masses,
                     const std::vector<std::uint8_t>& held);

  /// Evaluates all pairs, linearized at the feasible state, at the iterate. @note Collective over neighbours
  void prepare(const Field& iterate);
  void add_forces(View<Vec3> downhill) const;
  /// For NewtonStep; values by body are sums over the pairs that this rank counts, as energies() has them.
  /// After a solve for p with the terms at hand. @note Collective over neighbours
  void set_candidate(const Field& p);
  /// model_kernels.hpp
  std::vector<Real> model_slopes(const std::vector<Real>& t);
  void accept_candidate(const std::vector<Real>& t);
  /// Which pairs hold, by their forces at the step so far; whether that is so different from what was solved that it
  /// should be solved again. The terms are then those of the next solve. @note Collective
  bool revise(const Field& iterate, std::size_t bodies);
  bool predicts() const { return !options_.weigh_inactive; }
  /// Contact and friction of the pairs that this rank counts, by a body of theirs that is not an obstacle where there
  /// is one, h^2 J. @note Collective over neighbours
  std::vector<Real> energies(const Field& y, std::size_t bodies);
  /// The same, of every pair for both of its bodies, all ranks'. @note Collective
  std::vector<Real> energies_on(const Field& y, std::size_t bodies);
  Real add_product(const Field& x, View<const AxisMask> fixed, View<Vec3> y) override;
  void add_diagonal(View<SymmetricBlock> diagonal) override;
  std::vector<AddedBlock> blocks(const Field& labels) override;
  std::vector<AddedSpring> springs(const Field& a, const Field& b) override;
  /// Of the pairs that this rank counts, with the terms at hand. @note Collective over neighbours
  std::vector<BodySpring> body_springs(const Field& x);
  /// Multipliers after the solve, then the feasible state follows the iterate as far as it is safe. counts: the
  /// iteration reduces what remains. step: how far the line search went, a body. @note Collective
  void follow(const Field& iterate, const Field& p, bool counts, const std::vector<Real>& step);
  /// For the next iteration: pairs that stood in the way join, faded ones leave, multipliers follow what slides off,
  /// and links are made anew at the feasible state. @note Collective
  void renew_pairs();
  /// At the end of a step: pairs that stood in the way join; the others stay as the last solve had them, so that what
  /// is written balances the motion. @note Collective
  void end_step();
  /// With the centers of bodies that torques are about. @note Collective over neighbours
  BodyForces forces_on_bodies(const std::vector<Vec3>& centers);
  /// The step begins again, with the pairs that are known, linked once and for all at its start. @note Collective
  void restart();
  bool restarted() const { return restarted_; }
  /// Whether the feasible state is the iterate, at every vertex.
  bool arrived() const { return arrived_; }
  /// Iterations in a row in which some vertex went hardly any of its way.
  int blocked() const { return blocked_; }
  void unblock() { blocked_ = 0; }

  /// No vertex has more than epsilon of its motion left, or few enough (lagging_fraction).
  bool finished() const { return finished_; }
  const Field& feasible() const { return feasible_; }
  const ActiveSet& active() const { return active_; }
  /// Surface triangles around the vertices that this rank owns.
  TrianglesAround triangles_around() const { return hand_over_.triangles_around(); }
  const ConstraintSettings& settings() const { return settings_; }
  const Field& step_start() const { return step_start_; }
  /// Continues from what a checkpoint held. @note Collective
  void restore(const std::vector<SavedPair>& pairs) { active_.restore(pairs); }

  /// After the last iteration of a step. @note Collective
  void fill_record(StepRecord& record, Real time_step);
  /// Which pairs stand in the way of what has not moved: for the message of a step that does not end. @note Collective
  std::string describe_blocking() const;
  PhaseTimes& times() { return times_; }

 private:
  FilterReport filter(const Field& from, const Field& to);
  void drop_held_pairs();
  void set_prescribed(std::vector<std::uint8_t> prescribed);
  void refuse_prescribed_crossings(const Field& x, const Field& target, Real time);
  void linearize_at_feasible(bool keep);
  void update_pairs(const std::vector<FoundPair>& found, const UpdateRule& rule, bool keep);
  void set_all_offsets();
  void set_penalties_of(bool known);
  bool squeezes() const;
  void stiffen_what_is_squeezed();
  void measure_energies(const Field& y);
  bool adapts();
  bool late() const { return iterations_ >= options_.moving_links; }
  void measure_remaining(View<const Real> fractions);
  std::vector<Real> by_body(View<const Real> of_pairs, std::size_t bodies) const;

  const Communicator& communicator_;
  const IndexMap& map_;
  Transport& transport_;
  ContactOptions options_;
  CollisionMesh mesh_;
  std::unique_ptr<BroadPhase> broad_phase_;
  std::unique_ptr<CollisionMesh> prescribed_mesh_;  ///< of primitives that are prescribed as a whole
  std::unique_ptr<BroadPhase> prescribed_phase_;
  std::unique_ptr<StepFilter> filter_;
  FilterOptions filter_options_;
  Hits hits_;
  HandOver hand_over_;
  ActiveSet active_;
  ConstraintSettings settings_;
  BackingMass backing_;
  DeviceArray<Real> pair_energies_, step_, pushes_, errors_, rigid_;
  DeviceArray<PairForce> pair_forces_;
  DeviceArray<PairPoints> pair_points_;
  Field feasible_, step_start_, compliance_;
  Real largest_penalty_ = 0, least_offset_ = 0;
  Real squeezed_ = 1;     ///< times the penalty, in this step
  bool motions_ = false;  ///< prescribed vertices move in this step
  const Field* start_velocity_ = nullptr;
  Real time_step_ = 0;
  std::vector<std::uint8_t> prescribed_;  ///< of local vertices
  DeviceArray<Real> remaining_of_;        ///< of owned vertices
  Remaining remaining_;
  bool finished_ = false;
  bool counted_ = false;  ///< an iteration of this step has reduced what remains
  bool arrived_ = false;
  bool restarted_ = false;  ///< in this step
  bool lag_ = true;
  int blocked_ = 0;  ///< iterations in a row in which some vertex went hardly any of its way
  int stalled_ = 0;  ///< iterations in a row with a tiny fraction
  // Of this step, for its record.
  int iterations_ = 0;
  Real fraction_sum_ = 0, least_fraction_ = 1;
  GlobalIndex new_pairs_ = 0;
  PhaseTimes times_;
};

}  // namespace unbarred
