#include "app/bench/bench_surface.hpp"

namespace unbarred {

namespace {

LocalMesh partitioned(BlockMesh&& mesh, const Communicator& communicator) {
  const std::vector<int> owners = make_geometric_partitioner()->owners(communicator, mesh);
  return distribute(std::move(mesh), owners, communicator);
}

}  // namespace

BenchSurface::BenchSurface(BlockMesh&& mesh, const Communicator& communicator)
    : mesh_(partitioned(std::move(mesh), communicator)),
      transport_(make_transport(communicator)),
      surface_(build_surface(mesh_, communicator)),
      collision_mesh_(communicator, mesh_.map, *transport_, surface_,
                      std::vector<std::uint8_t>(static_cast<std::size_t>(mesh_.map.local()), 0)),
      start_(mesh_.map),
      target_(mesh_.map) {}

void BenchSurface::set_motion(const Place& start, const Place& target) {
  const auto set = [&](Field& field, const Place& place) {
    std::vector<Vec3> positions;
    positions.reserve(mesh_.rest_positions.size());
    for (std::size_t v = 0; v < mesh_.rest_positions.size(); ++v)
      positions.push_back(place(mesh_.rest_positions[v], mesh_.map.to_global(static_cast<Index>(v))));
    if (!positions.empty())
      memory::copy_to_device(field.write_local().data(), positions.data(), positions.size() * sizeof(Vec3));
  };
  set(start_, start);
  set(target_, target);
  collision_mesh_.set_motion(start_, target_);
}

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
Real noise(GlobalIndex number, int which) {
  std::uint64_t z = static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(which + 1);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return static_cast<Real>(z >> 11) * 0x1p-52 - 1;
}

}  // namespace unbarred
