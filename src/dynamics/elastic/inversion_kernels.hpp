#pragma once
// Launches of the inversion guard.
#include "dynamics/elastic/elastic_mesh.hpp"

namespace unbarred {

/// Of a path to start + t (target - start), the volume that an element keeps at least, relative to that at the start.
inline constexpr Real volume_floor = 0.1;

/// Largest t in [0, 1] up to which every element of the run keeps its floor, 1 without elements.
Real least_inversion_fraction(const MaterialRun& run, View<const Tetrahedron> tetrahedra, View<const Vec3> start,
                              View<const Vec3> target);

/// crushed[e] = 1 for elements of the run that lose more than half of their volume on the way, else 0.
void find_crushed(const MaterialRun& run, View<const Tetrahedron> tetrahedra, View<const Vec3> start,
                  View<const Vec3> target, View<Real> crushed);

/// Local vertices; each goes its own fraction of its way.
struct TruncatedMotion {
  View<const Vec3> start, target;
  View<const Real> before, fraction;  ///< before: as InversionGuard::sweep has it
};

/// One sweep over the run (InversionGuard::sweep). `lowered` starts as a copy of the fractions; true when it falls at a
/// vertex below `owned`. changes: room for a number an element of the run.
bool guard_run(const MaterialRun& run, View<const Tetrahedron> tetrahedra, const TruncatedMotion& motion, Index owned,
               View<Real> lowered, View<Index> changes);

}  // namespace unbarred
