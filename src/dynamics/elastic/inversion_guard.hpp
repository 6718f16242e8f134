#pragma once
// Keeps tetrahedra from inverting under fractions of the motion that differ from vertex to vertex (M19):
// inside the step filter, since what shortens a path after its last check would spoil that check.
#include "contact/filter/step_filter.hpp"
#include "dynamics/elastic/elastic_mesh.hpp"

namespace unbarred {

/// Volumes are compared with the element's own at the start of the motion: every element must have a positive one.
class ElementGuard final : public InversionGuard {
 public:
  enum class Scope {
    where_inversion_is_infinite,  ///< Neo-Hookean elements
    everywhere,
  };
  /// Keeps a reference.
  ElementGuard(const ElasticMesh& mesh, Scope scope);

  /// False when no element of this rank is guarded.
  bool guards_any() const { return !runs_.empty(); }

  Real uniform_fraction(View<const Vec3> start, View<const Vec3> target) const override;
  bool sweep(View<const Vec3> start, View<const Vec3> target, View<const Real> before, View<const Real> fraction,
             View<Real> lowered) const override;

 private:
  const ElasticMesh& mesh_;
  std::vector<MaterialRun> runs_;       // of guarded elements
  mutable DeviceArray<Index> changes_;  // of each element of a run, in a sweep
};

}  // namespace unbarred
