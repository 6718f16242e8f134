// Each rank joins what its own tetrahedra join; a vertex that two ranks hold joins their parts. A component is named by
// its smallest global vertex, which spreads over the ranks until no name changes.
#include "scene/mesh_components.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "partitioning/block_exchange.hpp"

namespace unbarred {

namespace {

/// Disjoint sets of local vertices; the smaller local number leads, so that paths only descend.
class VertexSets {
 public:
  explicit VertexSets(Index vertices) : parent_(static_cast<std::size_t>(vertices)) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index find(Index v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Index> parent_;
};

/// Smallest global vertex of the component of each local vertex.
class ComponentNames {
 public:
  explicit ComponentNames(const LocalMesh& mesh) : map_(mesh.map), set_(map_.global_ids().size()) {
    VertexSets sets(map_.local());
    for (const auto& t : mesh.tetrahedra)
      for (int i = 1; i < 4; ++i) sets.join(t[0], t[i]);
    name_ = map_.global_ids();
    for (Index v = 0; v < map_.local(); ++v) {
      set_[v] = sets.find(v);
      name_[set_[v]] = std::min(name_[set_[v]], map_.to_global(v));
    }
  }

  GlobalIndex operator[](Index v) const { return name_[set_[v]]; }

  /// Holders and owners tell each other the names of the vertices that they share, until all agree. A name crosses one
  /// rank's part of the component a round. @note Collective
  void spread(const Communicator& communicator) {
    const std::vector<GlobalIndex>& ids = map_.global_ids();
    std::vector<int> counts(static_cast<std::size_t>(communicator.size()), 0), asked;
    for (const int owner : map_.ghost_owners()) ++counts[owner];
    std::vector<Index> ghosts(static_cast<std::size_t>(map_.ghosts())), shared;
    std::iota(ghosts.begin(), ghosts.end(), map_.owned());
    const std::span<const GlobalIndex> ghost_ids(ids.data() + map_.owned(), ghosts.size());
    for (const GlobalIndex id : communicator.exchange(ghost_ids, std::span<const int>(counts), &asked))
      shared.push_back(map_.to_local(id));
    for (int changed = 1; changed;) {
      changed = lower(shared, communicator.exchange<GlobalIndex>(names(ghosts), counts));
      changed |= lower(ghosts, communicator.exchange<GlobalIndex>(names(shared), asked));
      changed = communicator.max(changed);
    }
  }

 private:
  std::vector<GlobalIndex> names(const std::vector<Index>& vertices) const {
    std::vector<GlobalIndex> names;
    names.reserve(vertices.size());
    for (const Index v : vertices) names.push_back((*this)[v]);
    return names;
  }
  /// 1 when a name became smaller.
  int lower(const std::vector<Index>& vertices, const std::vector<GlobalIndex>& names) {
    int changed = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      GlobalIndex& name = name_[set_[vertices[i]]];
      if (names[i] >= name) continue;
      name = names[i];
      changed = 1;
    }
    return changed;
  }

  const IndexMap& map_;
  std::vector<Index> set_;         // per local vertex: the vertex that leads its set
  std::vector<GlobalIndex> name_;  // per local vertex, of use where it leads a set
};

/// Where the components of each mesh body begin: first[b], and among the components of split bodies alone.
struct Numbering {
  std::vector<GlobalIndex> first, first_split;
};

Numbering number_bodies(const std::vector<std::uint8_t>& split, const std::vector<Real>& components) {
  Numbering numbers;
  GlobalIndex bodies = 0, split_bodies = 0;
  for (std::size_t b = 0; b < split.size(); ++b) {
    numbers.first.push_back(bodies);
    numbers.first_split.push_back(split_bodies);
    const auto count = static_cast<GlobalIndex>(components[b]);
    bodies += split[b] ? count : 1;
    split_bodies += count;
  }
  if (bodies > std::numeric_limits<std::int32_t>::max())
    throw Error(ExitCode::bad_input, "the connected components are more than 2^31 bodies: leave `components` out");
  numbers.first.push_back(bodies);
  return numbers;
}

/// Number of each named component among all of split bodies, in the order of their names; `own` are those whose name is
/// a vertex of this rank, `wanted` the names to look up. @note Collective
std::vector<GlobalIndex> look_up(const std::vector<GlobalIndex>& own, const std::vector<GlobalIndex>& wanted,
                                 GlobalIndex vertices, const Communicator& communicator) {
  const BlockDistribution blocks{vertices, communicator.size()};
  std::vector<int> homes;
  for (const GlobalIndex name : own) homes.push_back(blocks.part_of(name));
  std::vector<GlobalIndex> here =
      send_each(communicator, std::span<const GlobalIndex>(own), std::span<const int>(homes));
  std::sort(here.begin(), here.end());
  const GlobalIndex begin = blocks.begin(communicator.rank()), end = blocks.end(communicator.rank());
  GlobalIndex number = communicator.exclusive_sum(static_cast<GlobalIndex>(here.size()));
  std::vector<GlobalIndex> table(static_cast<std::size_t>(end - begin), -1);
  for (const GlobalIndex name : here) table[static_cast<std::size_t>(name - begin)] = number++;
  return fetch_from_blocks(communicator, blocks, std::span<const GlobalIndex>(wanted),
                           std::span<const GlobalIndex>(table));
}

}  // namespace

void split_components(const Scene& scene, const Communicator& communicator, LocalMesh& mesh) {
  const auto asks = [](const BodySpec& body) { return body.components; };
  if (std::none_of(scene.bodies.begin(), scene.bodies.end(), asks)) return;
  std::vector<std::uint8_t> split;  // per mesh body
  for (const int body : mesh.scene_body)
    split.push_back(static_cast<std::size_t>(body) < scene.bodies.size() && scene.bodies[body].components);

  ComponentNames names(mesh);
  names.spread(communicator);
  std::vector<GlobalIndex> own, wanted;
  std::vector<Real> components(split.size(), 0);  // exact up to 2^53
  for (Index v = 0; v < mesh.map.local(); ++v) {
    if (!split[mesh.vertex_body[v]]) continue;
    wanted.push_back(names[v]);
    if (v >= mesh.map.owned() || names[v] != mesh.map.to_global(v)) continue;
    own.push_back(names[v]);
    ++components[mesh.vertex_body[v]];
  }
  communicator.sum(std::span<Real>(components));
  const Numbering numbers = number_bodies(split, components);

  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const std::vector<GlobalIndex> found = look_up(own, wanted, mesh.map.global_size(), communicator);
  for (Index v = 0; v < mesh.map.local(); ++v) {
    const std::int32_t body = mesh.vertex_body[v];
    GlobalIndex number = numbers.first[body];
    if (split[body]) {
      const auto at = std::lower_bound(wanted.begin(), wanted.end(), names[v]) - wanted.begin();
      number += found[static_cast<std::size_t>(at)] - numbers.first_split[body];
    }
    mesh.vertex_body[v] = static_cast<std::int32_t>(number);
  }
  std::vector<int> scene_body(static_cast<std::size_t>(numbers.first.back()));
  for (std::size_t b = 0; b < split.size(); ++b)
    std::fill(scene_body.begin() + numbers.first[b], scene_body.begin() + numbers.first[b + 1], mesh.scene_body[b]);
  mesh.scene_body = std::move(scene_body);
}

}  // namespace unbarred
