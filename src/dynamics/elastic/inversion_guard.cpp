#include "dynamics/elastic/inversion_guard.hpp"

#include <algorithm>

#include "dynamics/elastic/inversion_kernels.hpp"

namespace unbarred {

ElementGuard::ElementGuard(const ElasticMesh& mesh, Scope scope) : mesh_(mesh) {
  for (const MaterialRun& run : mesh.runs)
    if (scope == Scope::everywhere || !allows_inversion(mesh.materials[run.material])) runs_.push_back(run);
  Index longest = 0;
  for (const MaterialRun& run : runs_) longest = std::max(longest, run.end - run.begin);
  changes_.resize_discard(longest);
}

Real ElementGuard::uniform_fraction(View<const Vec3> start, View<const Vec3> target) const {
  Real fraction = 1;
  for (const MaterialRun& run : runs_)
    fraction = std::min(fraction, least_inversion_fraction(run, mesh_.tetrahedra.view(), start, target));
  return fraction;
}

bool ElementGuard::sweep(View<const Vec3> start, View<const Vec3> target, View<const Real> before,
                         View<const Real> fraction, View<Real> lowered) const {
  const auto owned = static_cast<Index>(mesh_.mass.size());
  bool changed = false;
  for (const MaterialRun& run : runs_)
    changed |= guard_run(run, mesh_.tetrahedra.view(), {start, target, before, fraction}, owned, lowered,
                         changes_.view().part(0, run.end - run.begin));
  return changed;
}

}  // namespace unbarred
