#include "scene/mesh_regions.hpp"

#include <algorithm>

#include "partitioning/block_exchange.hpp"

namespace unbarred {

namespace {

bool names_region(const Selection& select) { return select.shape == Selection::Shape::region; }

template <class T>
bool any_names_region(const std::vector<T>& all) {
  return std::any_of(all.begin(), all.end(), [](const T& item) { return names_region(item.select); });
}

}  // namespace

bool uses_regions(const Scene& scene) {
  return any_names_region(scene.motions) || any_names_region(scene.pressures) || any_names_region(scene.springs);
}

void add_regions(const Scene& scene, const std::vector<std::unique_ptr<TetrahedraSource>>& sources,
                 const Communicator& communicator, LocalMesh& mesh) {
  if (!uses_regions(scene)) return;
  mesh.region.assign(mesh.tetrahedra.size(), -1);
  GlobalIndex first = 0;  // number of the body's first tetrahedron
  for (std::size_t b = 0; b < sources.size(); ++b) {
    const TetrahedraSource& source = *sources[b];
    const auto& count = scene.bodies[b].repeat.count;
    const GlobalIndex size = source.tetrahedron_count(), end = first + size * count[0] * count[1] * count[2];
    const auto offset = static_cast<std::int32_t>(mesh.regions.size());
    for (const std::string& name : source.region_names()) mesh.regions.push_back({static_cast<int>(b), name});
    if (mesh.regions.size() > static_cast<std::size_t>(offset)) {
      const BlockDistribution blocks{size, communicator.size()};
      const std::vector<std::int32_t> own =
          source.regions(communicator, blocks.begin(communicator.rank()), blocks.end(communicator.rank()));
      std::vector<std::size_t> here;
      std::vector<GlobalIndex> numbers;
      for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
        if (mesh.tetrahedron_ids[e] < first || mesh.tetrahedron_ids[e] >= end) continue;
        here.push_back(e);
        numbers.push_back((mesh.tetrahedron_ids[e] - first) % size);
      }
      const std::vector<std::int32_t> regions = fetch_from_blocks(
          communicator, blocks, std::span<const GlobalIndex>(numbers), std::span<const std::int32_t>(own));
      for (std::size_t i = 0; i < here.size(); ++i)
        if (regions[i] >= 0) mesh.region[here[i]] = offset + regions[i];
    }
    first = end;
  }
}

}  // namespace unbarred
