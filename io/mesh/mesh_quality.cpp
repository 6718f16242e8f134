#include "io/mesh/mesh_quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "io/mesh/mesh_edges.hpp"
#include "io/mesh/mesh_faces.hpp"
#include "io/mesh/mesh_file.hpp"

namespace unbarred {

namespace {

using Corners = std::array<Vec3, 4>;

Corners corners_at(const MeshData& mesh, const FileElement& element) {
  Corners x{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(corners_of(mesh.kind)); ++i)
    x[i] = mesh.positions[static_cast<std::size_t>(element.v[i])];
  return x;
}

/// Degrees; 0 for one without volume.
Real smallest_dihedral_angle(const Corners& x) {
  static constexpr int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                      {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  Real least = M_PI;
  for (const auto& [a, b, c, d] : edges) {
    const Vec3 along = x[b] - x[a], p = cross(along, x[c] - x[a]), q = cross(along, x[d] - x[a]);
    // atan2 keeps small angles exact, where a cosine near 1 would not.
    least = std::min(least, std::atan2(std::sqrt(squared_norm(cross(p, q))), dot(p, q)));
  }
  return least * 180 / M_PI;
}

Real longest_edge(const Corners& x, std::size_t corners) {
  Real longest = 0;
  for (std::size_t i = 0; i < corners; ++i)
    for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, squared_norm(x[i] - x[j]));
  return std::sqrt(longest);
}

void measure_tetrahedra(const MeshData& mesh, MeshQuality& quality) {
  std::vector<Real> angles;
  quality.least_shape = 1;
  Real smallest = std::numeric_limits<Real>::infinity(), largest = 0;
  for (const FileElement& element : mesh.elements) {
    const Corners x = corners_at(mesh, element);
    const Real six = six_volumes(mesh, element), edge = longest_edge(x, 4);
    const Real shape = std::sqrt(2.0) * std::abs(six) / (edge * edge * edge);
    quality.volume += std::abs(six) / 6;
    quality.mirrored += six < 0;
    quality.flat += !(std::abs(six) > flat_element * edge * edge * edge);
    smallest = std::min(smallest, std::abs(six));
    largest = std::max(largest, std::abs(six));
    angles.push_back(smallest_dihedral_angle(x));
    if (quality.worst_element >= 0 && !(shape < quality.least_shape)) continue;
    quality.least_shape = shape;
    quality.worst_element = element.id;
  }
  quality.volume_ratio = largest > 0 ? smallest / largest : 0;
  quality.least_angle = *std::min_element(angles.begin(), angles.end());
  std::nth_element(angles.begin(), angles.begin() + static_cast<std::ptrdiff_t>(angles.size() / 2), angles.end());
  quality.median_angle = angles[angles.size() / 2];
  for_each_run(sorted_faces(mesh),
               [&](const Face* begin, const Face* end) { quality.crowded_faces += end - begin > 2; });
}

void measure_surface(const MeshData& surface, MeshQuality& quality) {
  std::set<GlobalIndex> used;
  Real enclosed = 0;
  for (const FileElement& element : surface.elements) {
    used.insert(element.v, element.v + 3);
    const Corners x = corners_at(surface, element);
    const Real twice_area = std::sqrt(squared_norm(cross(x[1] - x[0], x[2] - x[0]))), edge = longest_edge(x, 3);
    quality.area += twice_area / 2;
    if (quality.kind == ElementKind::triangles) quality.flat += !(twice_area > flat_element * edge * edge);
    const Vec3 origin = surface.positions[0];
    enclosed += dot(x[0] - origin, cross(x[1] - origin, x[2] - origin)) / 6;
  }
  GlobalIndex edges = 0;
  for_each_run(sorted_edges(surface), [&](const Edge* begin, const Edge* end) {
    ++edges;
    quality.open_edges += end - begin == 1;
    quality.non_manifold_edges += end - begin > 2;
  });
  quality.surface_triangles = static_cast<GlobalIndex>(surface.elements.size());
  quality.euler_characteristic = static_cast<GlobalIndex>(used.size()) - edges + quality.surface_triangles;
  if (quality.kind == ElementKind::triangles && quality.open_edges == 0) quality.volume = enclosed;
}

void measure_connections(const MeshData& mesh, MeshQuality& quality) {
  UnionFind parts(mesh.positions.size());
  std::vector<bool> used(mesh.positions.size(), false);
  for (const FileElement& element : mesh.elements)
    for (int i = 0; i < corners_of(mesh.kind); ++i) {
      used[static_cast<std::size_t>(element.v[i])] = true;
      parts.join(static_cast<std::size_t>(element.v[i]), static_cast<std::size_t>(element.v[0]));
    }
  for (std::size_t v = 0; v < used.size(); ++v) {
    quality.unused_vertices += !used[v];
    quality.components += used[v] && parts.find(v) == v;
  }
  std::vector<KeyedItem> items;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) items.push_back({place_key(mesh.positions[v]), static_cast<GlobalIndex>(v)});
  quality.duplicate_vertices = find_duplicates(std::move(items));
  items.clear();
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    items.push_back({corner_key(mesh.elements[e].v), static_cast<GlobalIndex>(e)});
  quality.duplicate_elements = find_duplicates(std::move(items));
}

std::string duplicates_text(const Duplicates& found, const auto& id_of) {
  if (found.count == 0) return "none";
  return fmt::format("{}, the first: {} and {}", found.count, id_of(found.first), id_of(found.second));
}

}  // namespace

MeshQuality measure_quality(const MeshData& mesh) {
  MeshQuality quality;
  quality.kind = mesh.kind;
  quality.vertices = static_cast<GlobalIndex>(mesh.positions.size());
  quality.elements = static_cast<GlobalIndex>(mesh.elements.size());
  quality.ignored_elements = mesh.ignored_elements;
  quality.lower = quality.upper = mesh.positions.at(0);
  for (const Vec3& x : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) {
      quality.lower[axis] = std::min(quality.lower[axis], x[axis]);
      quality.upper[axis] = std::max(quality.upper[axis], x[axis]);
    }
  measure_connections(mesh, quality);
  if (mesh.kind == ElementKind::tetrahedra) measure_tetrahedra(mesh, quality);
  measure_surface(mesh.kind == ElementKind::tetrahedra ? boundary_of(mesh) : mesh, quality);
  return quality;
}

std::string to_string(const MeshQuality& q, const MeshData& mesh) {
  const bool volume = q.kind == ElementKind::tetrahedra;
  std::string text = fmt::format("  vertices      {} ({} unused)\n", q.vertices, q.unused_vertices);
  text += fmt::format("  {}   {} ({} of other kinds ignored)\n", volume ? "tetrahedra " : "triangles  ", q.elements,
                      q.ignored_elements);
  text += fmt::format("  box           [{:.6g}, {:.6g}, {:.6g}] .. [{:.6g}, {:.6g}, {:.6g}]\n", q.lower[0], q.lower[1],
                      q.lower[2], q.upper[0], q.upper[1], q.upper[2]);
  if (volume || q.open_edges == 0) text += fmt::format("  volume        {:.6g}\n", q.volume);
  text += fmt::format("  area          {:.6g}\n", q.area);
  text += fmt::format("  components    {}\n", q.components);
  for (std::size_t r = 0; r < mesh.region_names.size(); ++r)
    text += fmt::format("  region        `{}`: {} elements\n", mesh.region_names[r],
                        std::count_if(mesh.elements.begin(), mesh.elements.end(),
                                      [&](const FileElement& e) { return e.region == static_cast<std::int32_t>(r); }));
  text += fmt::format("  surface       {} triangles, {} open and {} non-manifold edges, Euler characteristic {}\n",
                      q.surface_triangles, q.open_edges, q.non_manifold_edges, q.euler_characteristic);
  text += "  duplicates    vertices: " +
          duplicates_text(q.duplicate_vertices,
                          [&](GlobalIndex v) { return mesh.vertex_ids[static_cast<std::size_t>(v)]; }) +
          "; elements: " +
          duplicates_text(q.duplicate_elements,
                          [&](GlobalIndex e) { return mesh.elements[static_cast<std::size_t>(e)].id; }) +
          "\n";
  text += fmt::format("  flat          {}\n", q.flat);
  if (!volume) return text;
  text += fmt::format("  mirrored      {}\n  crowded faces {} (of three tetrahedra or more)\n", q.mirrored,
                      q.crowded_faces);
  text += fmt::format("  angles        smallest dihedral {:.3g} degrees, median of the smallest {:.3g}\n",
                      q.least_angle, q.median_angle);
  return text + fmt::format("  shape         worst {:.3g} (1: regular), element {}; smallest volume / largest {:.3g}\n",
                            q.least_shape, q.worst_element, q.volume_ratio);
}

}  // namespace unbarred
