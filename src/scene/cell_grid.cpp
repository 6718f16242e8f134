#include "scene/cell_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace unbarred {

// The order in which the six tetrahedra of a cell walk along the axes from one end of the diagonal to the other.
// The first three are even permutations: positively oriented in a cell that is not mirrored.
static constexpr int walks[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

std::vector<Vec3> CellGrid::vertices(const Communicator&, GlobalIndex begin, GlobalIndex end) const {
  std::vector<Vec3> result;
  result.reserve(static_cast<std::size_t>(end - begin));
  for (GlobalIndex v = begin; v < end; ++v) result.push_back(vertex(v));
  return result;
}

std::vector<GlobalTetrahedron> CellGrid::tetrahedra(const Communicator&, GlobalIndex begin, GlobalIndex end) const {
  std::vector<GlobalTetrahedron> result;
  result.reserve(static_cast<std::size_t>(end - begin));
  for (GlobalIndex e = begin; e < end; ++e) result.push_back(tetrahedron(e));
  return result;
}

Vec3 CellGrid::vertex(GlobalIndex number) const {
  Vec3 at;
  for (int axis = 0; axis < 3; ++axis) {
    const GlobalIndex n = counts_[static_cast<std::size_t>(axis)];
    at[axis] = static_cast<Real>(2 * (number % points(axis)) - n) / static_cast<Real>(n);
    number /= points(axis);
  }
  return position(at);
}

GlobalTetrahedron CellGrid::tetrahedron(GlobalIndex number) const {
  const int* walk = walks[number % 6];
  bool negative = number % 6 >= 3;
  GlobalIndex cell = number / 6, stride = 1, start = 0;
  GlobalIndex step[3];  // from the near to the far end of the diagonal, in vertex numbers
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const GlobalIndex n = counts_[axis], i = cell % n;
    const bool mirrored = cuts_[axis] == Cut::alternating ? i % 2 == 1 : 2 * i + 1 < n;
    const GlobalIndex size = points(static_cast<int>(axis)), next = (i + 1) % size;
    start += stride * (mirrored ? next : i);
    step[axis] = stride * (mirrored ? i - next : next - i);
    negative ^= mirrored;
    stride *= size;
    cell /= n;
  }
  GlobalTetrahedron result;
  result.v[0] = start;
  for (int corner = 0; corner < 3; ++corner) result.v[corner + 1] = result.v[corner] + step[walk[corner]];
  if (negative) std::swap(result.v[2], result.v[3]);
  return result;
}

const std::vector<Real>& generator_parameter(const MeshSpec& spec, const std::string& name, std::size_t size) {
  const auto found = spec.parameters.find(name);
  if (found == spec.parameters.end() || found->second.size() != size)
    throw bad_input(spec.place, "`" + spec.generator + "` needs `" + name + "` with " + std::to_string(size) +
                                    (size == 1 ? " number" : " numbers"));
  return found->second;
}

const std::vector<Real>& positive_parameter(const MeshSpec& spec, const std::string& name, std::size_t size) {
  const auto& values = generator_parameter(spec, name, size);
  for (const Real value : values)
    if (!(value > 0) || !std::isfinite(value))
      throw bad_input(spec.place, "`" + name + "` of `" + spec.generator + "` must be greater than 0");
  return values;
}

Real cells_or(const MeshSpec& spec, const std::string& name, Real automatic) {
  const Real given = generator_parameter(spec, name, 1)[0];
  return given == 0 ? std::max<Real>(1, std::round(automatic)) : given;
}

std::vector<Real> cells_along_sides(const MeshSpec& spec, const std::vector<Real>& size) {
  const auto cells = spec.parameters.find("cells");
  if (cells == spec.parameters.end() || cells->second.size() != 1)
    return generator_parameter(spec, "cells", size.size());
  const Real shortest = *std::min_element(size.begin(), size.end());
  std::vector<Real> counts;
  for (const Real side : size) counts.push_back(std::round(cells->second[0] * (side / shortest)));
  return counts;
}

std::array<GlobalIndex, 3> checked_cells(const MeshSpec& spec, const std::array<Real, 3>& counts) {
  constexpr Real limit = 1125899906842624.0;  // 2^50
  for (const Real n : counts)
    if (!(n >= 1 && n <= limit))
      throw bad_input(spec.place, "`cells` of `" + spec.generator + "` must be at least 1 in every direction");
  if (6 * counts[0] * counts[1] * counts[2] >= limit)
    throw bad_input(spec.place, "`" + spec.generator + "` would have more than 2^50 tetrahedra: use fewer cells");
  return {static_cast<GlobalIndex>(counts[0]), static_cast<GlobalIndex>(counts[1]),
          static_cast<GlobalIndex>(counts[2])};
}

}  // namespace unbarred
