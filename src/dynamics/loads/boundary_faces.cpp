#include "dynamics/loads/boundary_faces.hpp"

#include <algorithm>

namespace unbarred {

namespace {

// Opposite to vertex 0, 1, 2, 3 of a positively oriented tetrahedron.
constexpr int outward[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

struct KeyedFace {
  std::array<GlobalIndex, 3> key;  // ascending
  BoundaryFace face;
  bool operator<(const KeyedFace& other) const { return key < other.key; }
};

}  // namespace

std::vector<BoundaryFace> boundary_faces(const LocalMesh& mesh) {
  std::vector<KeyedFace> faces;
  for (const auto& t : mesh.tetrahedra)
    for (const auto& corners : outward) {
      const BoundaryFace face{t[corners[0]], t[corners[1]], t[corners[2]]};
      if (*std::min_element(face.begin(), face.end()) >= mesh.map.owned()) continue;
      std::array<GlobalIndex, 3> key{mesh.map.to_global(face[0]), mesh.map.to_global(face[1]),
                                     mesh.map.to_global(face[2])};
      std::sort(key.begin(), key.end());
      faces.push_back({key, face});
    }
  std::sort(faces.begin(), faces.end());
  std::vector<BoundaryFace> boundary;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].key == faces[i].key) ++end;
    if (end == i + 1) boundary.push_back(faces[i].face);
    i = end;
  }
  return boundary;
}

bool counts_here(const BoundaryFace& face, const IndexMap& map) {
  const Index smallest = *std::min_element(face.begin(), face.end(),
                                           [&](Index a, Index b) { return map.to_global(a) < map.to_global(b); });
  return smallest < map.owned();
}

}  // namespace unbarred
