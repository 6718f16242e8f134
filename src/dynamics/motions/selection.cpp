#include "dynamics/motions/selection.hpp"

#include <algorithm>
#include <cmath>

namespace unbarred {

/// Holds with a relative slack, so that faces of generated meshes are selected whatever their rounding.
static bool at_most(Real a, Real b, Real scale) { return a <= b + 1e-9 * scale; }

bool selects(const Selection& s, const Vec3& x) {
  const Vec3 from_center = x - s.center;
  switch (s.shape) {
    case Selection::Shape::all:
      return true;
    case Selection::Shape::region:
      return false;
    case Selection::Shape::box:
      for (int k = 0; k < 3; ++k) {
        const Real scale = std::max({std::abs(s.lower[k]), std::abs(s.upper[k]), s.upper[k] - s.lower[k]});
        if (!at_most(s.lower[k], x[k], scale) || !at_most(x[k], s.upper[k], scale)) return false;
      }
      return true;
    case Selection::Shape::sphere:
      return at_most(std::sqrt(squared_norm(from_center)), s.radius, s.radius + std::sqrt(squared_norm(s.center)));
    case Selection::Shape::plane: {
      const Real length = std::sqrt(squared_norm(s.direction));
      return at_most(dot(from_center, s.direction) / length, 0, std::sqrt(squared_norm(s.center) + squared_norm(x)));
    }
    case Selection::Shape::cylinder: {
      const Real length = std::sqrt(squared_norm(s.direction));
      const Real along = dot(from_center, s.direction) / length;
      const Real squared_distance = std::max(Real(0), squared_norm(from_center) - along * along);
      const Real scale = s.radius + length + std::sqrt(squared_norm(s.center));
      return at_most(0, along, scale) && at_most(along, length, scale) &&
             at_most(std::sqrt(squared_distance), s.radius, scale);
    }
  }
  return false;
}

static int find_region(const std::string& name, int body, const Place& place, const LocalMesh& mesh) {
  std::string known;
  for (std::size_t r = 0; r < mesh.regions.size(); ++r) {
    if (mesh.regions[r].body != body) continue;
    if (mesh.regions[r].name == name) return static_cast<int>(r);
    known += (known.empty() ? "" : ", ") + mesh.regions[r].name;
  }
  throw bad_input(place, "the mesh has no region `" + name + "`" +
                             (known.empty() ? ": regions are the physical groups of volumes in a mesh file"
                                            : "; it has: " + known));
}

static std::vector<Index> vertices_of_region(int region, const LocalMesh& mesh) {
  std::vector<Index> vertices;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    if (mesh.region[e] == region) vertices.insert(vertices.end(), mesh.tetrahedra[e].begin(), mesh.tetrahedra[e].end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

std::vector<Index> selected_vertices(const Selection& selection, int body, const Place& place, const LocalMesh& mesh,
                                     const std::vector<int>& scene_body) {
  if (selection.shape == Selection::Shape::region)
    return vertices_of_region(find_region(selection.region, body, place, mesh), mesh);
  std::vector<Index> selected;
  for (Index v = 0; v < mesh.map.local(); ++v)
    if (scene_body[mesh.vertex_body[v]] == body && selects(selection, mesh.rest_positions[v])) selected.push_back(v);
  return selected;
}

}  // namespace unbarred
