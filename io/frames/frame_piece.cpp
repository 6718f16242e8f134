#include "io/frames/frame_piece.hpp"

namespace unbarred {

template <std::size_t corners>
static FrameSelection<corners> select_counted(const std::vector<std::array<Index, corners>>& elements,
                                              const std::vector<std::uint8_t>& counted, std::size_t vertices) {
  FrameSelection<corners> selection;
  std::vector<Index> number(vertices, -1);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    if (!counted[e]) continue;
    selection.cells.push_back(static_cast<Index>(e));
    for (const Index v : elements[e]) number[static_cast<std::size_t>(v)] = 0;
  }
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<Index>(selection.vertices.size());
    selection.vertices.push_back(static_cast<Index>(v));
  }
  for (const Index e : selection.cells) {
    std::array<Index, corners> cell = elements[static_cast<std::size_t>(e)];
    for (Index& v : cell) v = number[static_cast<std::size_t>(v)];
    selection.elements.push_back(cell);
  }
  return selection;
}

FrameSelection<4> select_tetrahedra(const LocalMesh& mesh) {
  return select_counted(mesh.tetrahedra, mesh.counted, mesh.vertex_body.size());
}

FrameSelection<3> select_triangles(const LocalMesh& mesh) {
  return select_counted(mesh.triangles, mesh.triangle_counted, mesh.vertex_body.size());
}

std::vector<Real> flatten(const std::vector<Vec3>& vectors) {
  std::vector<Real> flat;
  flat.reserve(3 * vectors.size());
  for (const Vec3& v : vectors) flat.insert(flat.end(), v.x, v.x + 3);
  return flat;
}

}  // namespace unbarred
