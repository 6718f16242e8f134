#include "contact/surface/surface.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "partitioning/morton.hpp"

namespace unbarred {

namespace {

/// Corners of a tetrahedron with det(x1-x0, x2-x0, x3-x0) > 0: face i lies opposite to corner i, counterclockwise seen
/// from outside.
constexpr int outward_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/// A face by its vertices in ascending local numbers, and where it comes from.
struct Face {
  std::array<Index, 3> vertices;
  Index source;
};

bool same_vertices(const Face& a, const Face& b) { return a.vertices == b.vertices; }

/// Calls visit(begin, end) for each group of faces with the same vertices; groups and what is in them ascend.
template <class Visit>
void for_each_group(std::vector<Face>& faces, Visit&& visit) {
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return std::tie(a.vertices, a.source) < std::tie(b.vertices, b.source);
  });
  for (auto begin = faces.begin(); begin != faces.end();) {
    const auto end = std::find_if(begin, faces.end(), [&](const Face& face) { return !same_vertices(face, *begin); });
    visit(begin, end);
    begin = end;
  }
}

class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(const LocalMesh& mesh) : mesh_(mesh) {
    add_boundary();
    add_obstacles();
    find_edges();
    find_vertices();
    std::erase_if(triangles_, [&](const Triangle& triangle) { return !is_owned(triangle.v[0]); });
  }

  Surface surface() const {
    const MortonGrid grid = grid_over_positions();
    return {.owned_triangles = DeviceArray<Triangle>(along_curve(triangles_, grid)),
            .owned_edges = DeviceArray<Edge>(along_curve(edges_, grid)),
            .owned_vertices = DeviceArray<SurfaceVertex>(along_curve(vertices_, grid)),
            .body = DeviceArray<std::int32_t>(mesh_.vertex_body),
            .counts = counts()};
  }

 private:
  bool is_owned(Index vertex) const { return vertex < mesh_.map.owned(); }
  GlobalIndex global(Index vertex) const { return mesh_.map.to_global(vertex); }
  bool by_global(Index a, Index b) const { return global(a) < global(b); }

  /// Adds a face that has an owned vertex: only of those is it known that no element is missing.
  void add_face(std::array<Index, 3> vertices, Index source, std::vector<Face>& faces) const {
    std::sort(vertices.begin(), vertices.end());
    if (is_owned(vertices[0])) faces.push_back({vertices, source});  // owned vertices have the smallest numbers
  }

  void add_triangle(const std::array<Index, 3>& v) {
    std::array<Index, 3> turned = v;
    const auto smallest =
        std::min_element(turned.begin(), turned.end(), [&](Index a, Index b) { return by_global(a, b); });
    std::rotate(turned.begin(), smallest, turned.end());
    triangles_.push_back({{turned[0], turned[1], turned[2]}});
  }

  bool owns(const Face& face) const {
    return is_owned(*std::min_element(face.vertices.begin(), face.vertices.end(),
                                      [&](Index a, Index b) { return by_global(a, b); }));
  }

  void add_boundary() {
    std::vector<Face> faces;
    for (std::size_t e = 0; e < mesh_.tetrahedra.size(); ++e)
      for (int i = 0; i < 4; ++i) add_face(corners(e, i), static_cast<Index>(4 * e) + i, faces);
    for_each_group(faces, [&](auto begin, auto end) {
      if (end - begin == 1) add_triangle(corners(static_cast<std::size_t>(begin->source / 4), begin->source % 4));
      if (end - begin > 2 && owns(*begin)) ++counts_.overlapping_faces;
    });
  }

  std::array<Index, 3> corners(std::size_t tetrahedron, int face) const {
    const auto& t = mesh_.tetrahedra[tetrahedron];
    const auto& corner = outward_faces[face];
    return {t[corner[0]], t[corner[1]], t[corner[2]]};
  }

  void add_obstacles() {
    std::vector<Face> faces;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) add_face(mesh_.triangles[t], static_cast<Index>(t), faces);
    for_each_group(faces, [&](auto begin, auto end) {
      const auto first = std::min_element(begin, end, [&](const Face& a, const Face& b) {
        return mesh_.triangle_ids[a.source] < mesh_.triangle_ids[b.source];
      });
      add_triangle(mesh_.triangles[first->source]);
      if (owns(*begin)) counts_.duplicate_faces += end - begin - 1;
    });
  }

  /// Edges whose smaller global vertex is owned: all triangles at them are here.
  void find_edges() {
    std::vector<std::array<Index, 2>> all;
    for (const Triangle& triangle : triangles_)
      for (int i = 0; i < 3; ++i) {
        Index a = triangle.v[i], b = triangle.v[(i + 1) % 3];
        if (by_global(b, a)) std::swap(a, b);
        if (is_owned(a)) all.push_back({a, b});
      }
    std::sort(all.begin(), all.end());
    for (auto begin = all.begin(); begin != all.end();) {
      const auto end = std::find_if(begin, all.end(), [&](const auto& edge) { return edge != *begin; });
      edges_.push_back({{(*begin)[0], (*begin)[1]}});
      counts_.border_edges += end - begin == 1;
      counts_.non_manifold_edges += end - begin > 2;
      begin = end;
    }
  }

  void find_vertices() {
    std::vector<std::uint8_t> touched(static_cast<std::size_t>(mesh_.map.owned()), 0);
    for (const Triangle& triangle : triangles_)
      for (const Index v : triangle.v)
        if (is_owned(v)) touched[static_cast<std::size_t>(v)] = 1;
    for (Index v = 0; v < mesh_.map.owned(); ++v)
      if (touched[static_cast<std::size_t>(v)]) vertices_.push_back({{v}});
  }

  MortonGrid grid_over_positions() const {
    constexpr Real most = std::numeric_limits<Real>::max();
    Vec3 lower{{most, most, most}}, upper{{-most, -most, -most}};
    for (const Vec3& x : mesh_.rest_positions)
      for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = std::min(lower[axis], x[axis]);
        upper[axis] = std::max(upper[axis], x[axis]);
      }
    return MortonGrid::over(lower, upper);
  }

  template <int N>
  std::vector<Primitive<N>> along_curve(const std::vector<Primitive<N>>& primitives, const MortonGrid& grid) const {
    struct Keyed {
      std::int32_t body;
      std::uint64_t code;
      GlobalIndex ids[N];  // equal codes: the same order however the rank numbers its vertices
      Primitive<N> primitive;
    };
    std::vector<Keyed> keyed;
    keyed.reserve(primitives.size());
    for (const Primitive<N>& primitive : primitives) {
      Keyed item{mesh_.vertex_body[primitive.v[0]], 0, {}, primitive};
      Vec3 sum{{0, 0, 0}};
      for (int i = 0; i < N; ++i) {
        sum += mesh_.rest_positions[primitive.v[i]];
        item.ids[i] = global(primitive.v[i]);
      }
      item.code = grid.code((Real(1) / N) * sum);
      keyed.push_back(item);
    }
    std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
      if (a.body != b.body) return a.body < b.body;
      if (a.code != b.code) return a.code < b.code;
      return std::lexicographical_compare(a.ids, a.ids + N, b.ids, b.ids + N);
    });
    std::vector<Primitive<N>> ordered;
    ordered.reserve(keyed.size());
    for (const Keyed& item : keyed) ordered.push_back(item.primitive);
    return ordered;
  }

  SurfaceCounts counts() const {
    SurfaceCounts counts = counts_;
    counts.vertices = static_cast<GlobalIndex>(vertices_.size());
    counts.edges = static_cast<GlobalIndex>(edges_.size());
    counts.triangles = static_cast<GlobalIndex>(triangles_.size());
    return counts;
  }

  const LocalMesh& mesh_;
  std::vector<Triangle> triangles_;  // with an owned vertex; at the end only the owned ones
  std::vector<Edge> edges_;
  std::vector<SurfaceVertex> vertices_;
  SurfaceCounts counts_;
};

}  // namespace

Surface build_surface(const LocalMesh& mesh, const Communicator& communicator) {
  Surface surface = SurfaceBuilder(mesh).surface();
  SurfaceCounts& counts = surface.counts;
  for (GlobalIndex* count : {&counts.vertices, &counts.edges, &counts.triangles, &counts.border_edges,
                             &counts.non_manifold_edges, &counts.duplicate_faces, &counts.overlapping_faces})
    *count = communicator.sum(*count);
  return surface;
}

}  // namespace unbarred
