#include <bit>

#include "app/run.hpp"

namespace unbarred {

// Finalizer of MurmurHash3: every input bit changes half of the output bits.
static std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdULL;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

/// Sum over the elements that this rank counts. `salt` tells the kinds of elements apart.
template <std::size_t vertices>
static std::uint64_t hash_of(const std::vector<std::array<Index, vertices>>& elements,
                             const std::vector<GlobalIndex>& ids, const std::vector<std::uint8_t>& counted,
                             const IndexMap& map, std::uint64_t salt) {
  std::uint64_t sum = 0;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    if (!counted[e]) continue;
    std::uint64_t h = mixed(salt ^ ~static_cast<std::uint64_t>(ids[e]));
    for (Index v : elements[e]) h = mixed(h ^ static_cast<std::uint64_t>(map.to_global(v)));
    sum += h;
  }
  return sum;
}

std::string mesh_hash(const Simulation& simulation, const Communicator& communicator) {
  const LocalMesh& mesh = simulation.mesh();
  std::uint64_t sum = 0;
  for (Index v = 0; v < mesh.map.owned(); ++v) {
    std::uint64_t h = mixed(static_cast<std::uint64_t>(mesh.map.to_global(v)));
    for (int k = 0; k < 3; ++k) h = mixed(h ^ std::bit_cast<std::uint64_t>(mesh.rest_positions[v][k]));
    sum += mixed(h ^ static_cast<std::uint64_t>(mesh.vertex_body[v]));
  }
  sum += hash_of(mesh.tetrahedra, mesh.tetrahedron_ids, mesh.counted, mesh.map, 0);
  sum += hash_of(mesh.triangles, mesh.triangle_ids, mesh.triangle_counted, mesh.map, std::uint64_t{1} << 62);
  sum = communicator.sum(sum);
  for (int k = 0; k < 3; ++k)
    sum = mixed(sum ^ std::bit_cast<std::uint64_t>(simulation.scene().origin[k] + 0.0));  // + 0.0: -0 is 0
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
  return text;
}

}  // namespace unbarred
