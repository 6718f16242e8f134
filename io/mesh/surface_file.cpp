#include "io/mesh/surface_file.hpp"

#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "io/mesh/duplicates.hpp"
#include "io/mesh/mesh_faces.hpp"
#include "io/mesh/mesh_formats.hpp"
#include "io/mesh/mesh_repair.hpp"
#include "partitioning/range_exchange.hpp"

namespace unbarred {

namespace {

struct RootSurface final : SurfaceSource {
  GlobalIndex vertex_count() const override { return vertex_count_; }
  GlobalIndex triangle_count() const override { return triangle_count_; }
  std::vector<Vec3> vertices(const Communicator& communicator, GlobalIndex begin, GlobalIndex end) const override {
    return gather_range(communicator, positions_, begin, end);
  }
  std::vector<GlobalTriangle> triangles(const Communicator& communicator, GlobalIndex begin,
                                        GlobalIndex end) const override {
    return gather_range(communicator, triangles_, begin, end);
  }

  GlobalIndex vertex_count_ = 0, triangle_count_ = 0;
  std::vector<Vec3> positions_;  ///< all on rank 0
  std::vector<GlobalTriangle> triangles_;
};

MeshData read_surface(const MeshSpec& spec) {
  std::unique_ptr<MeshStream> stream;
  try {
    stream = open_mesh_stream(spec.file, ElementKind::triangles);
  } catch (const Error& error) {
    throw bad_input(spec.place, error.what());
  }
  MeshData surface = read_whole(*stream, ElementKind::triangles);
  if (surface.elements.empty() && !is_surface_format(spec.file))
    surface = boundary_of(read_whole(*open_mesh_stream(spec.file, ElementKind::tetrahedra), ElementKind::tetrahedra));
  if (surface.elements.empty())
    throw bad_input({spec.file.string(), 0, 0}, "the file has neither triangles nor tetrahedra");
  return surface;
}

void refuse_duplicates(const MeshData& surface, const Place& place) {
  std::vector<KeyedItem> items;
  for (std::size_t v = 0; v < surface.positions.size(); ++v)
    items.push_back({place_key(surface.positions[v]), static_cast<GlobalIndex>(v)});
  const auto refuse = [&](const Duplicates& found, const std::string& what, const char* trouble, auto id_of) {
    if (found.count > 0)
      throw bad_input(place, what + " " + std::to_string(id_of(found.first)) + " and " +
                                 std::to_string(id_of(found.second)) + " " + trouble + " (" +
                                 std::to_string(found.count) +
                                 " such in the file): merge them with `unbarred mesh weld`");
  };
  refuse(find_duplicates(std::move(items)), "vertices", "lie at the same place",
         [&](GlobalIndex v) { return surface.vertex_ids[static_cast<std::size_t>(v)]; });
  items.clear();
  for (std::size_t t = 0; t < surface.elements.size(); ++t)
    items.push_back({corner_key(surface.elements[t].v), static_cast<GlobalIndex>(t)});
  refuse(find_duplicates(std::move(items)), "triangles", "have the same corners",
         [&](GlobalIndex t) { return surface.elements[static_cast<std::size_t>(t)].id; });
}

void refuse_flat_triangles(const MeshData& surface, const Place& place) {
  for (const FileElement& element : surface.elements) {
    Vec3 x[3];
    for (int i = 0; i < 3; ++i) x[i] = surface.positions[static_cast<std::size_t>(element.v[i])];
    const Real longest = std::max({squared_norm(x[1] - x[0]), squared_norm(x[2] - x[1]), squared_norm(x[0] - x[2])});
    const Real twice_area = std::sqrt(squared_norm(cross(x[1] - x[0], x[2] - x[0])));
    if (!(twice_area > flat_element * longest))
      throw bad_input(place, "triangle " + std::to_string(element.id) +
                                 " has no area: remove it (`unbarred mesh weld` does when corners coincide)");
  }
}

}  // namespace

std::unique_ptr<SurfaceSource> open_surface_file(const MeshSpec& spec, const Communicator& communicator,
                                                 MeshReport* report) {
  auto source = std::make_unique<RootSurface>();
  MeshReport found;
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    MeshData surface = read_surface(spec);
    found.ignored_elements = surface.ignored_elements;
    found.dropped_vertices = drop_unused_vertices(surface);
    const Place place{spec.file.string(), 0, 0};
    refuse_flat_triangles(surface, place);
    refuse_duplicates(surface, place);
    for (const Vec3& x : surface.positions) source->positions_.push_back(spec.scale * x);
    for (const FileElement& element : surface.elements)
      source->triangles_.push_back({{element.v[0], element.v[1], element.v[2]}});
    found.vertices = static_cast<GlobalIndex>(surface.positions.size());
    found.triangles = static_cast<GlobalIndex>(surface.elements.size());
  });
  std::vector<MeshReport> shared{found};
  communicator.broadcast(shared, 0);
  source->vertex_count_ = shared[0].vertices;
  source->triangle_count_ = shared[0].triangles;
  if (communicator.is_root()) log_info(to_string(shared[0], spec.file));
  if (report) *report = shared[0];
  return source;
}

}  // namespace unbarred
