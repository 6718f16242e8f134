#pragma once
// What one rank puts into a frame: its counted cells, the vertices they use, and named arrays on both.
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/vec3.hpp"
#include "partitioning/local_mesh.hpp"

namespace unbarred {

/// One named array, `components` values an item, item by item.
struct FrameArray {
  std::string name;
  int components = 1;
  std::variant<std::vector<Real>, std::vector<std::int32_t>, std::vector<std::int64_t>> values;
  std::vector<std::string> component_names;  ///< empty, or one a component
};

/// A symmetric tensor a cell in VTK's order, which ParaView needs to know what it is.
inline const std::vector<std::string> symmetric_tensor_components{"XX", "YY", "ZZ", "XY", "YZ", "XZ"};

/// Cells: the lines, which are in frames of their own (FrameFormat), or the tetrahedra and then the triangles.
struct FramePiece {
  std::vector<Vec3> points;                      ///< current positions, m
  std::vector<std::array<Index, 4>> tetrahedra;  ///< numbers of `points`
  std::vector<std::array<Index, 3>> triangles;   ///< numbers of `points`
  std::vector<std::array<Index, 2>> lines;       ///< numbers of `points`
  std::vector<FrameArray> point_arrays, cell_arrays;
  std::size_t cells() const { return tetrahedra.size() + triangles.size() + lines.size(); }
};

/// The part of a rank's mesh that it writes: every element of the whole mesh is in one rank's selection.
template <std::size_t corners>
struct FrameSelection {
  std::vector<Index> vertices;                       ///< local vertices that the cells use, ascending
  std::vector<Index> cells;                          ///< local elements that this rank counts, ascending
  std::vector<std::array<Index, corners>> elements;  ///< of `cells`, numbers into `vertices`
};

FrameSelection<4> select_tetrahedra(const LocalMesh& mesh);
/// Of obstacles.
FrameSelection<3> select_triangles(const LocalMesh& mesh);

/// values[chosen[i]] for every i.
template <class T>
std::vector<T> gather(const std::vector<T>& values, const std::vector<Index>& chosen) {
  std::vector<T> part;
  part.reserve(chosen.size());
  for (const Index i : chosen) part.push_back(values[static_cast<std::size_t>(i)]);
  return part;
}

/// The vectors one after another, x y z each.
std::vector<Real> flatten(const std::vector<Vec3>& vectors);

}  // namespace unbarred
