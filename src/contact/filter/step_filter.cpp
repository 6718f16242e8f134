#include "contact/filter/step_filter.hpp"

#include <algorithm>
#include "contact/filter/filter_kernels.hpp"
#include "core/fill_kernels.hpp"
#include "core/timer.hpp"

namespace unbarred {

namespace {

/// Boxes enlarged by this part of the gap that is kept: pairs whose boxes stay apart keep 1.5 gaps.
constexpr Real margin_of_gap = 0.75;
/// Boxes of pairs within reach overlap, whatever the rounding.
constexpr Real margin_of_reach = 0.51;

class GlobalFilter final : public StepFilter {
 public:
  FilterReport filter(CollisionMesh& mesh, BroadPhase& broad_phase, FilterOptions options) override {
    FilterReport report = find_impacts(mesh, broad_phase, options);
    fractions_.resize_with_room(mesh.extended_vertices());
    fill(fractions_.view(), uniform_fraction(mesh, options));
    report.passes = 1;
    finish_report(mesh, report);
    return report;
  }
  const char* name() const override { return "global"; }
};

}  // namespace

PairMotion StepFilter::pair_motion(View<const Vec3> start, View<const Vec3> target, const FilterOptions& options) {
  return {.start = start,
          .target = target,
          .minimum_gap = options.minimum_gap,
          .slack = options.slack,
          .largest_slack = options.largest_slack,
          .reach = options.reach};
}

FilterReport StepFilter::find_impacts(CollisionMesh& mesh, BroadPhase& broad_phase, FilterOptions& options) {
  const double start = wall_seconds();
  const DeviceArray<ContactPair>& pairs =
      broad_phase.find(mesh, std::max(margin_of_gap * options.minimum_gap, margin_of_reach * options.reach));
  FilterReport report;
  report.broad_phase_seconds = wall_seconds() - start;
  times_.resize_with_room(pairs.size());
  states_.resize_with_room(pairs.size());
  if (options.halve_small_gaps) {
    const Real gap =
        mesh.communicator().min(least_gap(pairs.view(), broad_phase.sieve(), mesh.start(), options.minimum_gap));
    if (gap < options.minimum_gap) options.minimum_gap = 0.5 * gap;
  }
  report.minimum_gap = options.minimum_gap;
  report.hits = first_impacts(pairs.view(), broad_phase.sieve(), pair_motion(mesh.start(), mesh.target(), options),
                              times_.view(), states_.view());
  report.candidates = mesh.communicator().sum(pairs.size());
  report.hits = mesh.communicator().sum(report.hits);
  return report;
}

// The earliest impact or inversion anywhere.
Real StepFilter::uniform_fraction(const CollisionMesh& mesh, const FilterOptions& options) const {
  Real fraction = least_impact(times_.view(), states_.view());
  if (options.guard) {
    const std::int64_t local = mesh.local_vertices();
    const Real guarded = options.guard->uniform_fraction(mesh.start().part(0, local), mesh.target().part(0, local));
    fraction = guarded < fraction ? guarded : fraction;
  }
  return mesh.communicator().min(fraction);
}

void StepFilter::finish_report(const CollisionMesh& mesh, FilterReport& report) const {
  const FractionSums local = sum_fractions(mesh.own().vertices.view(), fractions_.view());
  report.least_fraction = mesh.communicator().min(local.least);
  const std::int64_t units = mesh.communicator().sum(local.units);
  const std::int64_t count = mesh.communicator().sum(mesh.own().vertices.size());
  report.mean_fraction = count > 0 ? static_cast<Real>(units) * FractionSums::unit / static_cast<Real>(count) : 1;
}

std::unique_ptr<StepFilter> make_step_filter(StepFilterKind kind) {
#define UNBARRED_CHOOSE(name) \
  if (kind == StepFilterKind::name) return make_##name##_filter();
  UNBARRED_STEP_FILTERS(UNBARRED_CHOOSE)
#undef UNBARRED_CHOOSE
  throw Error(ExitCode::internal, "unknown step filter");
}

std::unique_ptr<StepFilter> make_global_filter() { return std::make_unique<GlobalFilter>(); }

}  // namespace unbarred
