#include "audit/boundary.hpp"

#include <algorithm>
#include <map>

namespace unbarred {

namespace {

struct Face {
  std::array<Index, 3> vertices;
  int tetrahedra = 0;
};

/// By global vertices, ascending.
using Faces = std::map<std::array<GlobalIndex, 3>, Face>;

Face& face_of(Faces& faces, const LocalMesh& mesh, const std::array<Index, 3>& vertices) {
  std::array<GlobalIndex, 3> ids;
  std::ranges::transform(vertices, ids.begin(), [&](Index v) { return mesh.map.to_global(v); });
  std::ranges::sort(ids);
  Face& face = faces[ids];
  face.vertices = vertices;
  return face;
}

}  // namespace

std::vector<std::array<Index, 3>> audited_triangles(const LocalMesh& mesh) {
  Faces of_bodies, of_obstacles;
  for (const auto& t : mesh.tetrahedra)
    for (std::size_t left_out = 0; left_out < 4; ++left_out)
      ++face_of(of_bodies, mesh, {t[(left_out + 1) % 4], t[(left_out + 2) % 4], t[(left_out + 3) % 4]}).tetrahedra;
  for (const auto& triangle : mesh.triangles) face_of(of_obstacles, mesh, triangle);
  std::vector<std::array<Index, 3>> owned;
  const auto take = [&](const std::array<GlobalIndex, 3>& ids, const Face& face) {
    const Index smallest = mesh.map.to_local(ids[0]);
    if (smallest >= 0 && smallest < mesh.map.owned()) owned.push_back(face.vertices);
  };
  for (const auto& [ids, face] : of_bodies)
    if (face.tetrahedra == 1) take(ids, face);
  for (const auto& [ids, face] : of_obstacles) take(ids, face);
  return owned;
}

}  // namespace unbarred
