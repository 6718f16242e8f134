#include "io/frame_piece.hpp"

namespace unbarred {

FrameSelection select_counted(const LocalMesh& mesh) {
  FrameSelection selection;
  std::vector<Index> number(mesh.rest_positions.size(), -1);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    if (!mesh.counted[t]) continue;
    selection.cells.push_back(static_cast<Index>(t));
    for (const Index v : mesh.tetrahedra[t]) number[static_cast<std::size_t>(v)] = 0;
  }
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<Index>(selection.vertices.size());
    selection.vertices.push_back(static_cast<Index>(v));
  }
  for (const Index t : selection.cells) {
    std::array<Index, 4> cell = mesh.tetrahedra[static_cast<std::size_t>(t)];
    for (Index& v : cell) v = number[static_cast<std::size_t>(v)];
    selection.tetrahedra.push_back(cell);
  }
  return selection;
}

std::vector<Real> flatten(const std::vector<Vec3>& vectors) {
  std::vector<Real> flat;
  flat.reserve(3 * vectors.size());
  for (const Vec3& v : vectors) flat.insert(flat.end(), v.x, v.x + 3);
  return flat;
}

}  // namespace unbarred
