#include "dynamics/elastic/inversion_kernels.hpp"

#include "contact/position_at.hpp"
#include "core/atomic_min.hpp"
#include "core/parallel.hpp"
#include "model/inversion_step.hpp"

namespace unbarred {

UNBARRED_FUNCTION Mat3 edges_of(const Vec3 (&x)[4]) {
  Mat3 edges;
  for (int a = 0; a < 3; ++a)
    for (int k = 0; k < 3; ++k) edges(k, a) = x[a + 1][k] - x[0][k];
  return edges;
}

struct InversionFraction {
  Index begin;
  View<const Tetrahedron> tetrahedra;
  View<const Vec3> start, target;
  UNBARRED_FUNCTION void operator()(std::int64_t k, Real (&terms)[1]) const {
    const Tetrahedron t = tetrahedra[begin + k];
    Vec3 from[4], to[4];
    for (int a = 0; a < 4; ++a) {
      from[a] = start[t.v[a]];
      to[a] = target[t.v[a]];
    }
    const Mat3 edges = edges_of(from);
    terms[0] = inversion_step(edges, edges_of(to) - edges, volume_floor);
  }
};

Real least_inversion_fraction(const MaterialRun& run, View<const Tetrahedron> tetrahedra, View<const Vec3> start,
                              View<const Vec3> target) {
  const Real found =
      least<1>("inversion fraction", run.end - run.begin,
               InversionFraction{.begin = run.begin, .tetrahedra = tetrahedra, .start = start, .target = target})[0];
  return found < 1 ? found : 1;
}

struct FindCrushed {
  Index begin;
  View<const Tetrahedron> tetrahedra;
  View<const Vec3> start, target;
  View<Real> crushed;
  UNBARRED_FUNCTION void operator()(std::int64_t k) const {
    const Tetrahedron t = tetrahedra[begin + k];
    Vec3 from[4], to[4];
    for (int a = 0; a < 4; ++a) {
      from[a] = start[t.v[a]];
      to[a] = target[t.v[a]];
    }
    crushed[begin + k] = determinant(edges_of(to)) < 0.5 * determinant(edges_of(from)) ? 1 : 0;
  }
};

void find_crushed(const MaterialRun& run, View<const Tetrahedron> tetrahedra, View<const Vec3> start,
                  View<const Vec3> target, View<Real> crushed) {
  for_each_index(
      "find crushed", run.end - run.begin,
      FindCrushed{.begin = run.begin, .tetrahedra = tetrahedra, .start = start, .target = target, .crushed = crushed});
}

/// M19, the guard. Elements with unequal fractions that lose too much of the smaller of their volumes at the
/// start and at the target, or come below the floor on the way, get their least fraction at all vertices, which puts
/// them on the straight path to the target; those that come below the floor there stop short of it.
struct GuardElement {
  Index begin, owned;
  View<const Tetrahedron> tetrahedra;
  TruncatedMotion motion;
  View<Real> lowered;
  View<Index> changes;  ///< of each element: whether it lowers a fraction at an owned vertex

  UNBARRED_FUNCTION void operator()(std::int64_t k) const {
    const Tetrahedron t = tetrahedra[begin + k];
    changes[k] = 0;
    if (is_known(t)) return;
    Vec3 from[4], reached[4], to[4];
    Real smallest = 1, largest = 0;
    for (int a = 0; a < 4; ++a) {
      const Real fraction = motion.fraction[t.v[a]];
      from[a] = motion.start[t.v[a]];
      to[a] = motion.target[t.v[a]];
      reached[a] = position_at(from[a], to[a], fraction);
      smallest = min(smallest, fraction);
      largest = max(largest, fraction);
    }
    const Real wanted = safe_fraction(from, reached, to, smallest, largest);
    bool changed = false;
    for (const Index v : t.v)
      if (wanted < motion.fraction[v]) {
        atomic_min(lowered[v], wanted);
        changed = changed || v < owned;
      }
    changes[k] = changed ? 1 : 0;
  }

  UNBARRED_FUNCTION bool is_known(const Tetrahedron& t) const {
    if (motion.before.size() == 0) return false;
    bool same = true;
    for (const Index v : t.v) same = same && motion.fraction[v] == motion.before[v];
    return same;
  }

  /// What the fractions of the element may be at most; 1 where nothing is to be done.
  UNBARRED_FUNCTION static Real safe_fraction(const Vec3 (&from)[4], const Vec3 (&reached)[4], const Vec3 (&to)[4],
                                              Real smallest, Real largest) {
    constexpr Real half = 0.5;
    // A little less than up to the floor, so that the next sweep finds the element above it whatever the rounding.
    constexpr Real below = 1 - 1e-6;
    const Mat3 edges = edges_of(from), reached_edges = edges_of(reached);
    const Real step = inversion_step(edges, reached_edges - edges, volume_floor);
    if (smallest == largest) return step < 1 ? below * step * smallest : Real(1);
    const Real least_end = min(determinant(edges), determinant(edges_of(to)));
    const bool distorted = step < 1 || determinant(reached_edges) < half * least_end;
    return distorted ? smallest : Real(1);
  }
};

struct AnyChange {
  View<const Index> changes;
  UNBARRED_FUNCTION void operator()(std::int64_t k, Real (&terms)[1]) const { terms[0] = changes[k]; }
};

bool guard_run(const MaterialRun& run, View<const Tetrahedron> tetrahedra, const TruncatedMotion& motion, Index owned,
               View<Real> lowered, View<Index> changes) {
  const Index count = run.end - run.begin;
  for_each_index("guard elements", count,
                 GuardElement{.begin = run.begin,
                              .owned = owned,
                              .tetrahedra = tetrahedra,
                              .motion = motion,
                              .lowered = lowered,
                              .changes = changes});
  return largest<1>("any change", count, AnyChange{changes})[0] > 0;
}

}  // namespace unbarred
