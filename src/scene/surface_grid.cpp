#include "scene/surface_grid.hpp"

namespace unbarred {

std::vector<Vec3> NumberedSurface::vertices(const Communicator&, GlobalIndex begin, GlobalIndex end) const {
  std::vector<Vec3> result;
  for (GlobalIndex v = begin; v < end; ++v) result.push_back(vertex(v));
  return result;
}

std::vector<GlobalTriangle> NumberedSurface::triangles(const Communicator&, GlobalIndex begin, GlobalIndex end) const {
  std::vector<GlobalTriangle> result;
  for (GlobalIndex t = begin; t < end; ++t) result.push_back(triangle(t));
  return result;
}

/// From a grid point's number to [-1, 1], symmetric about 0 to the last bit.
static Real coordinate(GlobalIndex i, GlobalIndex cells) {
  return static_cast<Real>(2 * i - cells) / static_cast<Real>(cells);
}

/// Half number `half` of the quadrangle a b c d (counterclockwise), cut from a to c or, every other time, from b to d.
static GlobalTriangle half_of(const std::array<GlobalIndex, 4>& corners, bool first, bool turned) {
  const auto [a, b, c, d] = corners;
  if (turned) return first ? GlobalTriangle{{b, c, d}} : GlobalTriangle{{b, d, a}};
  return first ? GlobalTriangle{{a, b, c}} : GlobalTriangle{{a, c, d}};
}

Vec3 SurfaceGrid::vertex(GlobalIndex number) const {
  return position(coordinate(number % columns(), counts_[0]), coordinate(number / columns(), counts_[1]));
}

GlobalTriangle SurfaceGrid::triangle(GlobalIndex number) const {
  const GlobalIndex cell = number / 2, i = cell % counts_[0], j = cell / counts_[0], next = (i + 1) % columns();
  const GlobalIndex below = j * columns(), above = below + columns();
  return half_of({below + i, below + next, above + next, above + i}, number % 2 == 0, (i + j) % 2 == 1);
}

std::array<GlobalIndex, 2> BlockSurface::ring_point(GlobalIndex at) const {
  if (at <= n_[0]) return {at, 0};
  if (at <= n_[0] + n_[1]) return {n_[0], at - n_[0]};
  if (at <= 2 * n_[0] + n_[1]) return {2 * n_[0] + n_[1] - at, n_[1]};
  return {0, ring() - at};
}

GlobalIndex BlockSurface::ring_number(GlobalIndex i, GlobalIndex j) const {
  if (j == 0) return i;
  if (i == n_[0]) return n_[0] + j;
  if (j == n_[1]) return 2 * n_[0] + n_[1] - i;
  return ring() - j;
}

/// The lower layer, the rings above it, the upper layer.
GlobalIndex BlockSurface::number(GlobalIndex i, GlobalIndex j, GlobalIndex k) const {
  if (k == 0) return j * (n_[0] + 1) + i;
  if (k < n_[2]) return layer() + (k - 1) * ring() + ring_number(i, j);
  return layer() + (n_[2] - 1) * ring() + j * (n_[0] + 1) + i;
}

Vec3 BlockSurface::vertex(GlobalIndex number) const {
  const GlobalIndex rings = (n_[2] - 1) * ring();
  GlobalIndex i, j, k = 0;
  if (number < layer() || number >= layer() + rings) {
    k = number < layer() ? 0 : n_[2];
    const GlobalIndex in_layer = number < layer() ? number : number - layer() - rings;
    i = in_layer % (n_[0] + 1);
    j = in_layer / (n_[0] + 1);
  } else {
    const GlobalIndex in_rings = number - layer();
    k = 1 + in_rings / ring();
    const auto point = ring_point(in_rings % ring());
    i = point[0];
    j = point[1];
  }
  return position({{coordinate(i, n_[0]), coordinate(j, n_[1]), coordinate(k, n_[2])}});
}

/// The lower side, the upper side, the sides around.
GlobalTriangle BlockSurface::triangle(GlobalIndex triangle) const {
  const GlobalIndex cell = triangle / 2, flat = n_[0] * n_[1];
  const bool first = triangle % 2 == 0;
  if (cell < 2 * flat) {
    const bool upper = cell >= flat;
    const GlobalIndex in_layer = cell % flat, i = in_layer % n_[0], j = in_layer / n_[0], k = upper ? n_[2] : 0;
    const GlobalIndex a = number(i, j, k), b = number(i + 1, j, k), c = number(i + 1, j + 1, k),
                      d = number(i, j + 1, k);
    const bool turned = (i + j) % 2 == 1;
    return upper ? half_of({a, b, c, d}, first, turned) : half_of({a, d, c, b}, first, turned);
  }
  const GlobalIndex side = cell - 2 * flat, at = side % ring(), k = side / ring();
  const auto near = ring_point(at), far = ring_point((at + 1) % ring());
  return half_of({number(near[0], near[1], k), number(far[0], far[1], k), number(far[0], far[1], k + 1),
                  number(near[0], near[1], k + 1)},
                 first, (at + k) % 2 == 1);
}

}  // namespace unbarred
