#pragma once
// The state that never intersects: it follows Newton's iterate as far as a step filter finds that nothing touches, and
// knows how much of the step's motion is still to be done (M20 to M23).
#include <memory>
#include <vector>

#include "contact/filter/step_filter.hpp"
#include "contact/pairs/hits.hpp"
#include "core/timer.hpp"
#include "dynamics/contact/contact_kernels.hpp"
#include "scene/solver_keys.hpp"

namespace unbarred {

class FeasibleState {
 public:
  struct Options {
    ContactConstants constants{};
    Real offset = 0;            ///< delta, m
    Real epsilon = 1e-3;        ///< SolverKeys
    Real lagging_fraction = 0;  ///< SolverKeys
  };
  /// Of the filtering of a step so far.
  struct Fractions {
    int filterings = 0;
    Real sum = 0, least = 1;  ///< of the mean fractions; of all vertices
  };

  /// Keeps references to the first three; guard may be null. times: gets `broad_phase`, `narrow_phase` and
  /// `active_set`. @note Collective
  FeasibleState(const Communicator& communicator, const IndexMap& map, Transport& transport, const Surface& surface,
                const BroadPhaseOptions& search, std::unique_ptr<StepFilter> filter, const InversionGuard* guard,
                const Options& options, PhaseTimes& times);

  /// @note Collective
  void set_prescribed(const std::vector<std::uint8_t>& prescribed) { mesh_.set_prescribed(prescribed); }
  /// x: free of intersections. @note Collective
  void begin_step(const Field& x);
  /// target becomes the safe part of the motion from the start of the step to it; false where that is all of it and
  /// nothing comes within reach. @note Collective
  bool cut_from_start(Field& target);
  /// As far to the iterate as it is safe. counts: this reduces what remains. @note Collective
  void follow(const Field& iterate, bool counts);
  /// Back to the start of the step, with all motion still to be done.
  void restart();
  /// What stands in the way of the last motion and becomes constraints: Hits::constraints(). @note Collective
  std::vector<FoundPair> found(const ActiveSet& known, bool also_known) {
    return hits_.constraints(mesh_, known, also_known);
  }

  const Field& x() const { return x_; }
  const Field& start() const { return start_; }
  const CollisionMesh& mesh() const { return mesh_; }
  const std::vector<Hit>& hits() const { return hits_.all(); }
  const Fractions& fractions() const { return fractions_; }
  Real remaining() const { return remaining_.largest; }
  /// No vertex has more than epsilon of its motion left, or few enough (lagging_fraction).
  bool finished() const { return finished_; }
  /// It is the iterate, at every vertex.
  bool arrived() const { return arrived_; }
  /// Iterations in a row in which some vertex went hardly any of its way (blocked_fraction).
  int blocked() const { return blocked_; }
  void unblock() { blocked_ = 0; }
  /// Iterations in a row in which a vertex with motion to be done went next to nothing of it (stall_fraction). After a
  /// few of them filters may take one fraction for all.
  int stalled() const { return stalled_; }
  void count_stalled();
  /// Offsets have fallen to this: a gap above them could never be reached. m
  void adapt_gap(Real least_offset);

 private:
  FilterReport filter(const Field& from, const Field& to);
  void measure_remaining();

  const Communicator& communicator_;
  const IndexMap& map_;
  Options options_;
  PhaseTimes& times_;
  CollisionMesh mesh_;
  std::unique_ptr<BroadPhase> search_;
  std::unique_ptr<StepFilter> filter_;
  FilterOptions filter_options_;
  Hits hits_;
  Field x_, start_;
  DeviceArray<Real> remaining_of_;  ///< of owned vertices
  Remaining remaining_;
  Fractions fractions_;
  bool finished_ = false, arrived_ = false;
  bool counted_ = false;  ///< an iteration of this step has reduced what remains
  int blocked_ = 0, stalled_ = 0;
};

}  // namespace unbarred
