#pragma once
// The largest safe part of a motion. For any start without intersections and any target, the filtered motion never
// intersects, at no time on the straight paths, whatever the other vertices do (M17 to M22).
#include <memory>
#include <vector>

#include "contact/filter/filter_kernels.hpp"
#include "contact/search/broad_phase.hpp"
#include "contact/surface/collision_mesh.hpp"
#include "scene/choices.hpp"

namespace unbarred {

/// Keeps elements from inverting; implemented where the elements are.
class InversionGuard {
 public:
  virtual ~InversionGuard() = default;
  /// Largest uniform fraction of the motion that keeps every guarded element's volume above its floor; of this rank's
  /// elements. start, target: local vertices.
  virtual Real uniform_fraction(View<const Vec3> start, View<const Vec3> target) const = 0;
  /// One sweep: reads `fraction` and lowers `lowered` (a copy of it, local vertices) at the vertices of elements that
  /// would be distorted too far (M19). Values of owned vertices are complete, those of ghosts not.
  /// before: the fractions of the last sweep over the same motion, so that elements are left out whose fractions are
  /// as they were; empty in the first. True when something was lowered at an owned vertex.
  virtual bool sweep(View<const Vec3> start, View<const Vec3> target, View<const Real> before,
                     View<const Real> fraction, View<Real> lowered) const = 0;
};

struct FilterOptions {
  Real minimum_gap = 0;  ///< xi, m: the gap that is kept, or 0.9 of a smaller one
  /// Where surfaces are closer than minimum_gap at the start, half the least gap takes its place (FilterReport): for
  /// the first filtering of a step, so that gaps do not shrink from one filtering to the next (M18).
  bool halve_small_gaps = false;
  Real slack = 0.1;            ///< of additive CCD, relative to the gap ...
  Real largest_slack = 1e300;  ///< ... and at most this, m: a tenth of the contact offset lets far slides go on
  /// m: pairs that are closer at the target count as hits at the end of the motion (find_impacts), but do not shorten
  /// it. So which pairs a step knows depends on where it ends more than on the way there.
  Real reach = 0;
  int most_passes = 60;  ///< of the lazy filter (1 to 3 are usual) before it falls back to one fraction
  /// Where the lazy filter's least fraction is below this part of what all vertices may take of their moves alike, they
  /// take that: planes hold bodies back that move together, close to each other, and a step waits for its slowest
  /// vertex. 0: never.
  Real least_of_uniform = 0;
  const InversionGuard* guard = nullptr;
};

/// Of the last filtering, the same on every rank.
struct FilterReport {
  Real least_fraction = 1, mean_fraction = 1;  ///< over surface vertices
  std::int64_t candidates = 0;                 ///< pairs whose swept boxes met
  std::int64_t hits = 0;                       ///< pairs that would come too close on the way to the target
  std::int64_t planes = 0;                     ///< pairs that were divided by a plane
  int passes = 0;
  bool fell_back = false;          ///< to one fraction for all
  Real minimum_gap = 0;            ///< that was kept, m
  double broad_phase_seconds = 0;  ///< of this rank
};

class StepFilter {
 public:
  virtual ~StepFilter() = default;
  /// Fractions of the motion of `mesh` (set_motion): fractions()[v] in [0, 1] of every extended vertex, the same bits
  /// on every holder and for any partition. The filtered position is position_at(start, target, fraction): safe from
  /// the start to there on the straight paths, each vertex with its own speed. @note Collective
  virtual FilterReport filter(CollisionMesh& mesh, BroadPhase& broad_phase, FilterOptions options) = 0;
  virtual const char* name() const = 0;

  View<const Real> fractions() const { return fractions_.view(); }
  /// Time of impact of every candidate on the way from start to target, 1 where it was divided though it has none,
  /// impact_never for the others. For EarliestHits.
  View<const Real> times() const { return times_.view(); }

 protected:
  static PairMotion pair_motion(View<const Vec3> start, View<const Vec3> target, const FilterOptions& options);
  /// Sets options.minimum_gap where halve_small_gaps asks for it.
  FilterReport find_impacts(CollisionMesh& mesh, BroadPhase& broad_phase, FilterOptions& options);
  Real uniform_fraction(const CollisionMesh& mesh, const FilterOptions& options) const;
  void finish_report(const CollisionMesh& mesh, FilterReport& report) const;

  DeviceArray<Real> fractions_, times_;
  DeviceArray<CandidateState> states_;
};

/// Those of UNBARRED_STEP_FILTERS.
std::unique_ptr<StepFilter> make_step_filter(StepFilterKind kind);
/// One fraction for the whole scene: the earliest time of impact (M21).
std::unique_ptr<StepFilter> make_global_filter();
/// A fraction a vertex: separating planes for the pairs that CCD says collide, until none does (M22).
std::unique_ptr<StepFilter> make_lazy_filter();

}  // namespace unbarred
