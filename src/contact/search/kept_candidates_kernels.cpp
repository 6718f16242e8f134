#include "contact/search/kept_candidates_kernels.hpp"

#include "contact/ccd.hpp"
#include "core/parallel.hpp"

namespace unbarred {

/// Sums for the points of a path that two positions are next to: of its squared length, and of products with it.
struct AlongPath {
  View<const SurfaceVertex> vertices;
  Motion motion, path;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[3]) const {
    const Index v = vertices[i].v[0];
    const Vec3 way = path.end[v] - path.start[v];
    terms[0] = squared_norm(way);
    terms[1] = dot(way, motion.start[v] - path.start[v]);
    terms[2] = dot(way, motion.end[v] - path.start[v]);
  }
};

std::array<Real, 3> along_path(View<const SurfaceVertex> vertices, const Motion& motion, const Motion& path) {
  return sums<3>("along path", vertices.size(), AlongPath{.vertices = vertices, .motion = motion, .path = path});
}

struct DifferenceOfMotions {
  View<const SurfaceVertex> vertices;
  Motion motion, box, path;
  PathPart part;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[2]) const {
    const Index v = vertices[i].v[0];
    const Vec3 a = motion.start[v], b = motion.end[v], c = box.start[v], d = box.end[v];
    terms[0] = 0;
    for (int axis = 0; axis < 3; ++axis)
      terms[0] = max(terms[0],
                     max(min(c[axis], d[axis]) - min(a[axis], b[axis]), max(a[axis], b[axis]) - max(c[axis], d[axis])));
    const Vec3 way = path.end[v] - path.start[v];
    const Vec3 from_start = a - path.start[v] - part.begin * way, from_end = b - path.start[v] - part.end * way;
    terms[1] = sqrt(max(squared_norm(from_start), squared_norm(from_end)));
  }
};

MotionDifference largest_difference(View<const SurfaceVertex> vertices, const Motion& motion, const Motion& box,
                                    const Motion& path, const PathPart& part) {
  const auto most =
      largest<2>("difference of motions", vertices.size(),
                 DifferenceOfMotions{.vertices = vertices, .motion = motion, .box = box, .path = path, .part = part});
  return {.of_boxes = max(Real(0), most[0]), .of_paths = max(Real(0), most[1])};
}

struct EdgeLength {
  View<const Edge> edges;
  View<const Vec3> positions;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = sqrt(squared_norm(positions[edges[i].v[1]] - positions[edges[i].v[0]]));
  }
};

Real sum_of_lengths(View<const Edge> edges, View<const Vec3> positions) {
  return sums<1>("sum of edge lengths", edges.size(), EdgeLength{edges, positions})[0];
}

struct Clearance {
  View<const ContactPair> pairs;
  Motion motion;
  Real plenty;
  View<Real> clearances;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const ContactPair pair = pairs[i];
    Vec3 start[4], end[4], move[4];
    for (int k = 0; k < 4; ++k) {
      start[k] = motion.start[pair.v[k]];
      end[k] = motion.end[pair.v[k]];
      move[k] = end[k] - start[k];
    }
    const detail::RelativeMotion relative = detail::relative_motion(pair.kind, start, move);
    Real clearance = max(Real(0), detail::clearance_along_axes(relative));
    if (clearance < plenty) clearance = max(clearance, along_normal(relative, pair.kind, start));
    if (clearance < plenty) clearance = max(clearance, along_normal(relative, pair.kind, end));
    clearances[i] = clearance;
  }
  /// Of the closest points at x. Heights are linear in time: the lowest is at an end.
  UNBARRED_FUNCTION Real along_normal(const detail::RelativeMotion& relative, PairKind kind, const Vec3 (&x)[4]) const {
    const detail::Heights heights = detail::heights_along(relative, pair_distance(kind, x).normal);
    return min(detail::lowest_height(heights, 0), detail::lowest_height(heights, 1));
  }
};

void clearances(View<const ContactPair> pairs, const Motion& motion, Real plenty, View<Real> clearances) {
  for_each_index("clearances", pairs.size(),
                 Clearance{.pairs = pairs, .motion = motion, .plenty = plenty, .clearances = clearances});
}

struct CountNear {
  Sieve sieve;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const { terms[0] = sieve.drops(i) ? 0 : 1; }
};

Real count_near(const Sieve& sieve) {
  return sums<1>("count near pairs", sieve.clearances.size(), CountNear{sieve})[0];
}

}  // namespace unbarred
