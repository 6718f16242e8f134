#include "contact/surface/surface_neighbours.hpp"

#include <algorithm>
#include <array>

#include "partitioning/block_exchange.hpp"

namespace unbarred {

using Ids = std::array<GlobalIndex, 3>;

int owner_of(Index v, const IndexMap& map, int rank) {
  return v < map.owned() ? rank : map.ghost_owners()[static_cast<std::size_t>(v - map.owned())];
}

// The owner of a triangle tells the owners of its vertices.
SurfaceNeighbours::SurfaceNeighbours(const Communicator& communicator, const IndexMap& map, const Surface& surface) {
  std::vector<Ids> triangles;
  std::vector<int> destinations;
  for (const Triangle& triangle : surface.owned_triangles.to_host()) {
    Ids ids;
    std::array<int, 3> owners;
    for (std::size_t k = 0; k < 3; ++k) {
      ids[k] = map.to_global(triangle.v[k]);
      owners[k] = owner_of(triangle.v[k], map, communicator.rank());
    }
    std::sort(ids.begin(), ids.end());
    std::sort(owners.begin(), owners.end());
    for (auto at = owners.begin(), end = std::unique(owners.begin(), owners.end()); at != end; ++at) {
      triangles.push_back(ids);
      destinations.push_back(*at);
    }
  }
  triangles = send_each(communicator, std::span<const Ids>(triangles), std::span<const int>(destinations));
  std::sort(triangles.begin(), triangles.end());

  std::vector<Index> offsets(static_cast<std::size_t>(map.owned()) + 1, 0);
  const auto for_owned = [&](auto&& visit) {
    for (const Ids& ids : triangles) {
      const Triangle local{{map.to_local(ids[0]), map.to_local(ids[1]), map.to_local(ids[2])}};
      for (const Index v : local.v)
        if (v >= 0 && v < map.owned()) visit(static_cast<std::size_t>(v), local);
    }
  };
  for_owned([&](std::size_t v, const Triangle&) { ++offsets[v + 1]; });
  for (std::size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
  std::vector<Triangle> around(static_cast<std::size_t>(offsets.back()));
  std::vector<Index> next(offsets.begin(), offsets.end() - 1);
  for_owned([&](std::size_t v, const Triangle& local) { around[static_cast<std::size_t>(next[v]++)] = local; });
  offsets_.assign_host(offsets);
  triangles_.assign_host(around);
}

}  // namespace unbarred
