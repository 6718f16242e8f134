// Divide and truncate, lazily: planes only for pairs that CCD says collide.
//
//   fraction = 1 everywhere; colliding = pairs that collide on the way to the target
//   while some pair collides:
//     divide the colliding pairs: each of their vertices stops short of the plane, whatever happens later
//     keep elements from inverting
//     colliding = pairs not divided yet that collide on the way to start + fraction (target - start)
//
// Bodies that move together, far relative to the gap between them, are held back by planes, which stand still: then one
// fraction for all may be better (FilterOptions::least_of_uniform).
//
// Swept boxes of shortened paths lie inside those of the full ones, so the candidates stay the same. Minima do not
// depend on the order, so neither do the fractions on threads, ranks or the partition.
#include "contact/filter/filter_kernels.hpp"
#include "contact/filter/step_filter.hpp"
#include "core/fill_kernels.hpp"

namespace unbarred {

namespace {

class LazyFilter final : public StepFilter {
 public:
  FilterReport filter(CollisionMesh& mesh, BroadPhase& broad_phase, FilterOptions options) override {
    FilterReport report = find_impacts(mesh, broad_phase, options);
    prepare(mesh);
    report.fell_back = !lower_until_clear(mesh, broad_phase.candidates().view(), options, report);
    const Real uniform = report.fell_back || options.least_of_uniform > 0 ? uniform_fraction(mesh, options) : 0;
    if (!report.fell_back) finish_report(mesh, report);
    report.fell_back = report.fell_back || report.least_fraction < options.least_of_uniform * uniform;
    if (!report.fell_back) return report;
    fill(fractions_.view(), uniform);
    finish_report(mesh, report);
    return report;
  }
  const char* name() const override { return "lazy"; }

 private:
  static constexpr int most_sweeps = 1000;  // of the guard; a bound, so that no input hangs

  void prepare(const CollisionMesh& mesh) {
    fractions_.resize_with_room(mesh.extended_vertices());
    guarded_.truncate(0);
    checked_.resize_with_room(mesh.extended_vertices());
    reached_.resize_with_room(mesh.extended_vertices());
    fill(fractions_.view(), 1);
    fill(checked_.view(), 1);
  }

  /// False when that takes too long; the fractions are then of no use.
  bool lower_until_clear(CollisionMesh& mesh, View<const ContactPair> pairs, const FilterOptions& options,
                         FilterReport& report) {
    std::int64_t colliding = report.hits;
    bool guarded = options.guard == nullptr;
    while (colliding > 0 || !guarded) {
      if (report.passes == options.most_passes) return false;
      ++report.passes;
      if (colliding > 0) {
        report.planes += colliding;
        divide_candidates(pairs, pair_motion(mesh.start(), mesh.target(), options), fractions_.view(), times_.view(),
                          states_.view());
        share(mesh);
      }
      if (options.guard && !guard_elements(mesh, *options.guard)) return false;
      guarded = true;
      place_vertices(mesh.start(), mesh.target(), fractions_.view(), reached_.view());
      colliding = mesh.communicator().sum(recheck_candidates(pairs, pair_motion(mesh.start(), reached_.view(), options),
                                                             fractions_.view(), checked_.view(), states_.view()));
      checked_.assign(fractions_);
    }
    return true;
  }

  /// Owners take the least of all holders' values, and holders learn it.
  void share(CollisionMesh& mesh) {
    mesh.exchange().reverse_min(fractions_.view());
    mesh.exchange().forward(fractions_.view(), 1);
  }

  /// Jacobi sweeps until nothing changes on any rank; false when that takes too long.
  bool guard_elements(CollisionMesh& mesh, const InversionGuard& guard) {
    const std::int64_t local = mesh.local_vertices();
    const View<const Vec3> start = mesh.start().part(0, local), target = mesh.target().part(0, local);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      lowered_.assign(fractions_);
      const View<const Real> before = guarded_.view().part(0, guarded_.size() > 0 ? local : 0);
      const bool changed =
          guard.sweep(start, target, before, fractions_.view().part(0, local), lowered_.view().part(0, local));
      guarded_.assign(fractions_);
      if (!mesh.communicator().max(changed ? 1 : 0)) return true;
      fractions_.assign(lowered_);
      mesh.exchange().forward(fractions_.view(), 1);
    }
    return false;
  }

  DeviceArray<Real> checked_, lowered_;
  DeviceArray<Real> guarded_;  // fractions of the guard's last sweep; empty before its first
  DeviceArray<Vec3> reached_;
};

}  // namespace

std::unique_ptr<StepFilter> make_lazy_filter() { return std::make_unique<LazyFilter>(); }

}  // namespace unbarred
