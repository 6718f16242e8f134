#pragma once
// Contact in a step: conducts the pairs (ActiveSet), their terms in the Newton system (ContactTerms), their stiffness
// (PairPenalties), and the feasible state that follows the iterate (FeasibleState).
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "contact/pairs/active_set.hpp"
#include "contact/pairs/hand_over.hpp"
#include "dynamics/contact/contact_terms.hpp"
#include "dynamics/contact/feasible_state.hpp"
#include "dynamics/contact/pair_penalties.hpp"
#include "dynamics/contact/prescribed_crossings.hpp"
#include "dynamics/step_record.hpp"
#include "scene/solver_keys.hpp"

namespace unbarred {

/// What a scene says of contact.
struct ContactOptions {
  ContactConstants constants{};           ///< `solver.contact`
  SolverKeys keys{};                      ///< `solver`
  Real offset = 0;                        ///< delta, m
  Real friction_velocity = 1e-3;          ///< epsilon_v, m/s; only where inactive pairs weigh
  bool lag_each_iteration = true;         ///< friction from the last update; otherwise from the last step
  Real gravity = 0;                       ///< m/s^2
  std::vector<std::string> body_names{};  ///< of the mesh, for messages
};

class ContactProblem {
 public:
  /// Keeps references to the first three; guard may be null. friction(a, b): coefficient between two bodies of the
  /// mesh. @note Collective
  ContactProblem(const Communicator& communicator, const IndexMap& map, Transport& transport, const Surface& surface,
                 const BroadPhaseOptions& broad_phase, std::function<Real(std::int32_t, std::int32_t)> friction,
                 std::unique_ptr<StepFilter> filter, const InversionGuard* guard, const ContactOptions& options);
  ContactProblem(const ContactProblem&) = delete;
  ContactProblem& operator=(const ContactProblem&) = delete;

  /// x, v: state at the start of the step, free of intersections; v is kept by reference; fixed: prescribed
  /// coordinates; target: where these end, x elsewhere. Throws Error(bad_input) on all ranks when prescribed vertices
  /// cross prescribed ones on the way: nothing could hold them. @note Collective
  void begin_step(const Field& x, const Field& v, View<const AxisMask> fixed, const Field& target, Real time,
                  Real time_step);
  bool filters_start() const { return constants().warm_start == ContactConstants::WarmStart::filtered; }
  /// FeasibleState::cut_from_start(); pairs that stand in the way join. @note Collective
  bool filter_start(Field& target);
  /// Of this step, as PairPenalties::set() has it. @note Collective
  void set_penalties(Field compliance, Real largest, const std::vector<Real>& masses,
                     const std::vector<std::uint8_t>& held) {
    penalties_.set(std::move(compliance), largest, masses, held);
  }
  /// Evaluates all pairs at the iterate. @note Collective over neighbours
  void prepare(const Field& iterate);
  /// Which pairs hold, by their forces at the step so far; whether that is so different from what was solved that it
  /// should be solved again. @note Collective
  bool revise(const Field& iterate, std::size_t bodies);
  /// Multipliers after the solve for p, then the feasible state follows the iterate as far as it is safe. counts: the
  /// iteration reduces what remains. step: how far the line search went, a body. @note Collective
  void follow(const Field& iterate, const Field& p, bool counts, const std::vector<Real>& step);
  /// For the next iteration: pairs that stood in the way join, faded ones leave, multipliers follow what slides off,
  /// and links are made anew at the feasible state. adapt: pairs in the way get another penalty and offset.
  /// @note Collective
  void renew_pairs(bool adapt);
  /// At the end of a step: pairs that stood in the way join; the others stay as the last solve had them, so that what
  /// is written balances the motion. @note Collective
  void end_step();
  /// The step begins again, with the pairs that are known, linked once and for all at its start. @note Collective
  void restart();
  bool restarted() const { return restarted_; }

  /// Inactive pairs: those hold that a Newton step would run into.
  bool predicts() const { return constants().inactive_pairs == ContactConstants::InactivePairs::predict; }
  const ContactConstants& constants() const { return options_.constants; }
  ContactTerms& terms() { return terms_; }
  const ContactTerms& terms() const { return terms_; }
  FeasibleState& state() { return state_; }
  const FeasibleState& state() const { return state_; }
  const Field& feasible() const { return state_.x(); }
  const ActiveSet& active() const { return active_; }
  /// Surface triangles around the vertices that this rank owns.
  TrianglesAround triangles_around() const { return hand_over_.triangles_around(); }
  /// Continues from what a checkpoint held. @note Collective
  void restore(const std::vector<SavedPair>& pairs) { active_.restore(pairs); }

  /// After the last iteration of a step. @note Collective
  void fill_record(StepRecord& record, Real time_step) const;
  /// Which pairs stand in the way of what has not moved: for the message of a step that does not end. @note Collective
  std::string describe_blocking() const;
  PhaseTimes& times() { return times_; }

 private:
  void set_prescribed(std::vector<std::uint8_t> prescribed);
  void drop_held_pairs();
  void join(const std::vector<FoundPair>& found, const UpdateRule& rule, bool keep);
  void set_all_offsets();
  void adapt_offsets();
  /// Links have been made anew often enough in this step.
  bool late() const { return state_.fractions().filterings + skipped_links_ >= moving_links_; }

  const Communicator& communicator_;
  const IndexMap& map_;
  ContactOptions options_;
  PhaseTimes times_;
  FeasibleState state_;
  ActiveSet active_;
  ContactTerms terms_;
  PairPenalties penalties_;
  PrescribedCrossings crossings_;
  HandOver hand_over_;
  PairValues velocities_;
  std::vector<std::uint8_t> prescribed_;  ///< of local vertices
  int moving_links_;                      ///< iterations of a step in which links are made anew
  int skipped_links_ = 0;                 ///< of these, what a step that began again leaves out
  const Field* start_velocity_ = nullptr;
  Real time_step_ = 0;
  Real least_offset_ = 0;
  bool restarted_ = false;  ///< in this step
  bool lag_ = true;         ///< limits of friction are still to be taken over in this step
  GlobalIndex new_pairs_ = 0;
};

}  // namespace unbarred
