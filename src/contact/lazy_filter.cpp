// Divide and truncate, lazily: planes only for pairs that CCD says collide.
//
//   fraction = 1 everywhere; colliding = pairs that collide on the way to the target
//   while some pair collides:
//     divide the colliding pairs: each of their vertices stops short of the plane, whatever happens later
//     keep elements from inverting
//     colliding = pairs not divided yet that collide on the way to start + fraction (target - start)
//
// Swept boxes of shortened paths lie inside those of the full ones, so the candidates stay the same. Minima do not
// depend on the order, so neither do the fractions on threads, ranks or the partition.
#include "contact/filter_kernels.hpp"
#include "contact/step_filter.hpp"

namespace unbarred {

namespace {

class LazyFilter final : public StepFilter {
 public:
  FilterReport filter(CollisionMesh& mesh, BroadPhase& broad_phase, const FilterOptions& options) override {
    FilterReport report = find_impacts(mesh, broad_phase, options);
    const View<const ContactPair> pairs = broad_phase.candidates().view();
    prepare(mesh);
    std::int64_t colliding = report.hits;
    bool first = true;
    while (colliding > 0 || (first && options.guard)) {
      first = false;
      if (++report.passes > most_passes) {
        fill(fractions_.view(), uniform_fraction(mesh, options));
        report.fell_back = true;
        break;
      }
      report.planes += colliding;
      divide_candidates(pairs, {mesh.start(), mesh.target(), options.minimum_gap, options.slack}, fractions_.view(),
                        states_.view());
      share(mesh);
      if (options.guard && !guard_elements(mesh, *options.guard)) report.passes = most_passes;
      place_vertices(mesh.start(), mesh.target(), fractions_.view(), reached_.view());
      colliding = mesh.communicator().sum(
          recheck_candidates(pairs, {mesh.start(), reached_.view(), options.minimum_gap, options.slack},
                             fractions_.view(), checked_.view(), states_.view()));
      checked_.assign(fractions_);
    }
    finish_report(mesh, report);
    return report;
  }
  const char* name() const override { return "lazy"; }

 private:
  static constexpr int most_passes = 60;    // 1 to 3 are usual; a bound, so that no input hangs
  static constexpr int most_sweeps = 1000;  // of the guard

  void prepare(const CollisionMesh& mesh) {
    fractions_.resize_with_room(mesh.extended_vertices());
    checked_.resize_with_room(mesh.extended_vertices());
    reached_.resize_with_room(mesh.extended_vertices());
    fill(fractions_.view(), 1);
    fill(checked_.view(), 1);
  }

  /// Owners take the least of all holders' values, and holders learn it.
  void share(CollisionMesh& mesh) {
    mesh.exchange().reverse_min(fractions_.view());
    mesh.exchange().forward(fractions_.view(), 1);
  }

  /// Jacobi sweeps until nothing changes on any rank; false when that takes too long.
  bool guard_elements(CollisionMesh& mesh, const InversionGuard& guard) {
    const std::int64_t local = mesh.local_vertices();
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      lowered_.assign(fractions_);
      const bool changed = guard.sweep(mesh.start().part(0, local), mesh.target().part(0, local),
                                       fractions_.view().part(0, local), lowered_.view().part(0, local));
      if (!mesh.communicator().max(changed ? 1 : 0)) return true;
      fractions_.assign(lowered_);
      mesh.exchange().forward(fractions_.view(), 1);
    }
    return false;
  }

  DeviceArray<Real> checked_, lowered_;
  DeviceArray<Vec3> reached_;
};

}  // namespace

std::unique_ptr<StepFilter> make_lazy_filter() { return std::make_unique<LazyFilter>(); }

}  // namespace unbarred
