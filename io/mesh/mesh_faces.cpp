#include "io/mesh/mesh_faces.hpp"

#include <algorithm>

namespace unbarred {

Real six_volumes(const MeshData& mesh, const FileElement& tetrahedron) {
  const auto x = [&](int i) { return mesh.positions[static_cast<std::size_t>(tetrahedron.v[i])]; };
  return dot(cross(x(1) - x(0), x(2) - x(0)), x(3) - x(0));
}

std::vector<Face> sorted_faces(const MeshData& tetrahedra) {
  static constexpr int outward[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::vector<Face> faces;
  faces.reserve(4 * tetrahedra.elements.size());
  for (std::size_t e = 0; e < tetrahedra.elements.size(); ++e) {
    const FileElement& element = tetrahedra.elements[e];
    const bool mirrored = six_volumes(tetrahedra, element) < 0;
    for (const auto& f : outward) {
      Face face{{}, {element.v[f[0]], element.v[f[mirrored ? 2 : 1]], element.v[f[mirrored ? 1 : 2]]}, e};
      face.sorted = face.corners;
      std::sort(face.sorted.begin(), face.sorted.end());
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.element < b.element;
  });
  return faces;
}

MeshData boundary_of(const MeshData& tetrahedra) {
  MeshData surface = tetrahedra;
  surface.kind = ElementKind::triangles;
  surface.elements.clear();
  const std::vector<Face> faces = sorted_faces(tetrahedra);
  std::vector<const Face*> single;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].sorted == faces[i].sorted) ++end;
    if (end == i + 1) single.push_back(&faces[i]);
    i = end;
  }
  std::sort(single.begin(), single.end(), [](const Face* a, const Face* b) {
    return a->element != b->element ? a->element < b->element : a->sorted < b->sorted;
  });
  for (const Face* face : single) {
    const FileElement& element = tetrahedra.elements[face->element];
    surface.elements.push_back(
        {{face->corners[0], face->corners[1], face->corners[2], -1}, element.id, element.region});
  }
  return surface;
}

}  // namespace unbarred
