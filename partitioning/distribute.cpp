// From blocks of global numbers to one mesh a rank: vertices go to their owners, elements (tetrahedra of bodies,
// triangles of obstacles) to all owners of their vertices. Nothing is gathered, and elements travel in rounds so that
// the messages stay small beside the mesh.
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "partitioning/block_exchange.hpp"
#include "partitioning/morton.hpp"
#include "partitioning/partitioner.hpp"

namespace unbarred {

template <class Element>
struct SentElement {
  static constexpr int vertices = std::size(Element{}.v);
  Element element;
  GlobalIndex id;
  std::int32_t material;  // 0 of triangles
};
using SentTetrahedron = SentElement<GlobalTetrahedron>;
using SentTriangle = SentElement<GlobalTriangle>;

/// One kind of element in this rank's block.
template <class Element>
struct ElementBlock {
  const std::vector<Element>& elements;
  GlobalIndex first_id;
  const std::vector<std::int32_t>* material;
};

/// What a rank owns, by ascending global id.
struct OwnedVertices {
  std::vector<GlobalIndex> ids;
  std::vector<Vec3> positions;
  std::vector<std::int32_t> bodies;
  std::vector<std::uint8_t> shared;  // 1: a ghost on some other rank

  /// Number among the owned vertices, -1 when another rank owns it.
  std::int64_t find(GlobalIndex id) const {
    const auto found = std::lower_bound(ids.begin(), ids.end(), id);
    return found != ids.end() && *found == id ? found - ids.begin() : -1;
  }
};

template <class Element>
static void check_elements(const std::vector<Element>& elements, GlobalIndex vertices, const char* what) {
  for (const Element& element : elements)
    for (const GlobalIndex& vertex : element.v) {
      if (vertex < 0 || vertex >= vertices)
        throw Error(ExitCode::bad_input, std::string("a ") + what + " names vertex " + std::to_string(vertex) +
                                             ", but there are only " + std::to_string(vertices));
      if (std::find(std::begin(element.v), &vertex, vertex) != &vertex)
        throw Error(ExitCode::bad_input,
                    std::string("a ") + what + " names vertex " + std::to_string(vertex) + " more than once");
    }
}

static void check_input(const BlockMesh& mesh, const std::vector<int>& owners, const Communicator& communicator) {
  communicator.agree([&] {
    if (owners.size() != mesh.positions.size() || mesh.vertex_body.size() != mesh.positions.size() ||
        mesh.material.size() != mesh.connectivity.size())
      throw Error(ExitCode::internal, "distribute: the arrays of a block have different lengths");
    for (int owner : owners)
      if (owner < 0 || owner >= communicator.size())
        throw Error(ExitCode::internal, "distribute: rank " + std::to_string(owner) + " cannot own a vertex");
    check_elements(mesh.connectivity, mesh.vertices.size, "tetrahedron");
    check_elements(mesh.surface, mesh.vertices.size, "triangle");
  });
}

static OwnedVertices send_vertices(const BlockMesh& mesh, const std::vector<int>& owners,
                                   const Communicator& communicator) {
  const std::span<const int> to(owners);
  std::vector<GlobalIndex> ids(owners.size());
  std::iota(ids.begin(), ids.end(), mesh.vertices.begin(communicator.rank()));
  // Blocks ascend with the rank and each sender keeps its order, so the ids arrive sorted.
  OwnedVertices owned;
  owned.ids = send_each(communicator, std::span<const GlobalIndex>(ids), to);
  owned.positions = send_each(communicator, std::span<const Vec3>(mesh.positions), to);
  owned.bodies = send_each(communicator, std::span<const std::int32_t>(mesh.vertex_body), to);
  owned.shared.assign(owned.ids.size(), 0);
  return owned;
}

/// One round: elements [begin, end) of this rank's block go to every distinct owner of their vertices.
template <class Element>
static std::vector<SentElement<Element>> send_round(const BlockMesh& mesh, const ElementBlock<Element>& block,
                                                    const std::vector<int>& owners, std::size_t begin, std::size_t end,
                                                    const Communicator& communicator) {
  constexpr int count = SentElement<Element>::vertices;
  std::vector<GlobalIndex> vertices;
  vertices.reserve(count * (end - begin));
  for (std::size_t e = begin; e < end; ++e)
    vertices.insert(vertices.end(), std::begin(block.elements[e].v), std::end(block.elements[e].v));
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const std::vector<int> vertex_owners = fetch_from_blocks(
      communicator, mesh.vertices, std::span<const GlobalIndex>(vertices), std::span<const int>(owners));

  std::vector<SentElement<Element>> copies;
  std::vector<int> destinations;
  copies.reserve(end - begin);
  destinations.reserve(end - begin);
  for (std::size_t e = begin; e < end; ++e) {
    std::array<int, count> ranks;
    for (int i = 0; i < count; ++i) {
      const auto at = std::lower_bound(vertices.begin(), vertices.end(), block.elements[e].v[i]);
      ranks[i] = vertex_owners[static_cast<std::size_t>(at - vertices.begin())];
      if (std::find(ranks.begin(), ranks.begin() + i, ranks[i]) != ranks.begin() + i) continue;
      copies.push_back(
          {block.elements[e], block.first_id + static_cast<GlobalIndex>(e), block.material ? (*block.material)[e] : 0});
      destinations.push_back(ranks[i]);
    }
  }
  return send_each(communicator, std::span<const SentElement<Element>>(copies), std::span<const int>(destinations));
}

template <class Element>
static std::vector<SentElement<Element>> send_all(const BlockMesh& mesh, const ElementBlock<Element>& block,
                                                  const std::vector<int>& owners, const Communicator& communicator) {
  constexpr std::size_t round = std::size_t{1} << 17;
  const std::size_t count = block.elements.size();
  std::vector<SentElement<Element>> arrived;
  arrived.reserve(count + count / 8);
  const std::int64_t rounds = communicator.max(static_cast<std::int64_t>((count + round - 1) / round));
  for (std::int64_t r = 0; r < rounds; ++r) {
    const std::size_t begin = std::min(count, static_cast<std::size_t>(r) * round);
    const std::size_t end = std::min(count, begin + round);
    const auto part = send_round(mesh, block, owners, begin, end, communicator);
    arrived.insert(arrived.end(), part.begin(), part.end());
  }
  return arrived;
}

/// Appends the vertices that elements here touch but other ranks own. Marks the owned vertices that share an element
/// with one of them: exactly those are ghosts elsewhere.
template <class Element>
static void add_ghosts(const std::vector<SentElement<Element>>& elements, OwnedVertices& owned,
                       std::vector<GlobalIndex>& ghosts) {
  for (const SentElement<Element>& sent : elements) {
    std::int64_t found[SentElement<Element>::vertices];
    const std::size_t before = ghosts.size();
    for (int i = 0; i < SentElement<Element>::vertices; ++i) {
      found[i] = owned.find(sent.element.v[i]);
      if (found[i] < 0) ghosts.push_back(sent.element.v[i]);
    }
    if (ghosts.size() == before) continue;
    for (std::int64_t vertex : found)
      if (vertex >= 0) owned.shared[static_cast<std::size_t>(vertex)] = 1;
  }
}

/// Global ids of all ghosts, ascending.
static std::vector<GlobalIndex> find_ghosts(const std::vector<SentTetrahedron>& tetrahedra,
                                            const std::vector<SentTriangle>& triangles, OwnedVertices& owned) {
  std::vector<GlobalIndex> ghosts;
  add_ghosts(tetrahedra, owned, ghosts);
  add_ghosts(triangles, owned, ghosts);
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  return ghosts;
}

static MortonGrid grid_over(const std::vector<Vec3>& positions, const Communicator& communicator) {
  Real box[6];  // lower, -upper
  std::fill(box, box + 6, std::numeric_limits<Real>::max());
  for (const Vec3& position : positions)
    for (int axis = 0; axis < 3; ++axis) {
      box[axis] = std::min(box[axis], position[axis]);
      box[3 + axis] = std::min(box[3 + axis], -position[axis]);
    }
  communicator.min(std::span<Real>(box));
  return MortonGrid::over({{box[0], box[1], box[2]}}, {{-box[3], -box[4], -box[5]}});
}

/// Interior first, then shared; each along the Morton curve.
static std::vector<Index> vertex_order(const OwnedVertices& owned, const MortonGrid& grid) {
  std::vector<std::uint64_t> keys(owned.ids.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = grid.code(owned.positions[i]) | static_cast<std::uint64_t>(owned.shared[i]) << 63;
  std::vector<Index> order(keys.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;  // equal codes: by global id
  });
  return order;
}

template <class T>
static std::vector<T> in_order(const std::vector<T>& values, const std::vector<Index>& order) {
  std::vector<T> ordered(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) ordered[i] = values[static_cast<std::size_t>(order[i])];
  return ordered;
}

/// Vertices of the local mesh; ghost data come from the blocks of `mesh`.
static LocalMesh local_vertices(const BlockMesh& mesh, const std::vector<int>& owners, OwnedVertices&& owned,
                                const std::vector<GlobalIndex>& ghosts, const MortonGrid& grid,
                                const Communicator& communicator) {
  const std::vector<int> ghost_owners = fetch_from_blocks(
      communicator, mesh.vertices, std::span<const GlobalIndex>(ghosts), std::span<const int>(owners));
  std::vector<std::pair<int, GlobalIndex>> by_owner(ghosts.size());
  for (std::size_t g = 0; g < ghosts.size(); ++g) by_owner[g] = {ghost_owners[g], ghosts[g]};
  std::sort(by_owner.begin(), by_owner.end());
  std::vector<GlobalIndex> ghost_ids;
  std::vector<int> sorted_owners;
  for (const auto& [owner, id] : by_owner) {
    ghost_ids.push_back(id);
    sorted_owners.push_back(owner);
  }
  const std::span<const GlobalIndex> wanted(ghost_ids);
  const auto ghost_positions =
      fetch_from_blocks(communicator, mesh.vertices, wanted, std::span<const Vec3>(mesh.positions));
  const auto ghost_bodies =
      fetch_from_blocks(communicator, mesh.vertices, wanted, std::span<const std::int32_t>(mesh.vertex_body));

  const std::vector<Index> order = vertex_order(owned, grid);
  const Index interior = static_cast<Index>(std::count(owned.shared.begin(), owned.shared.end(), 0));
  std::vector<Vec3> positions = in_order(owned.positions, order);
  std::vector<std::int32_t> bodies = in_order(owned.bodies, order);
  positions.insert(positions.end(), ghost_positions.begin(), ghost_positions.end());
  bodies.insert(bodies.end(), ghost_bodies.begin(), ghost_bodies.end());
  return {.map = IndexMap(mesh.vertices.size, in_order(owned.ids, order), interior, std::move(ghost_ids),
                          std::move(sorted_owners)),
          .rest_positions = std::move(positions),
          .vertex_body = std::move(bodies),
          .tetrahedra = {},
          .tetrahedron_ids = {},
          .material = {},
          .counted = {},
          .global_tetrahedra = mesh.tetrahedra.size,
          .triangles = {},
          .triangle_ids = {},
          .triangle_counted = {},
          .global_triangles = mesh.triangles.size};
}

/// By material, then along the Morton curve of the centroids, then by global number.
template <class Element, std::size_t count>
static std::vector<Index> element_order(const std::vector<SentElement<Element>>& sent,
                                        const std::vector<std::array<Index, count>>& elements,
                                        const std::vector<Vec3>& positions, const MortonGrid& grid) {
  std::vector<std::uint64_t> codes(sent.size());
  for (std::size_t e = 0; e < sent.size(); ++e) {
    Vec3 sum{{0, 0, 0}};
    for (Index vertex : elements[e]) sum += positions[static_cast<std::size_t>(vertex)];
    codes[e] = grid.code((Real(1) / count) * sum);
  }
  std::vector<Index> order(sent.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    if (sent[a].material != sent[b].material) return sent[a].material < sent[b].material;
    return codes[a] != codes[b] ? codes[a] < codes[b] : sent[a].id < sent[b].id;
  });
  return order;
}

/// The sent elements in local numbers and in their order; `sent` is put in that order, too.
template <class Element>
static auto local_elements(const IndexMap& map, const std::vector<Vec3>& positions, const MortonGrid& grid,
                           std::vector<SentElement<Element>>& sent) {
  constexpr int count = SentElement<Element>::vertices;
  std::vector<std::array<Index, count>> elements(sent.size());
  for (std::size_t e = 0; e < sent.size(); ++e)
    for (int i = 0; i < count; ++i) elements[e][i] = map.to_local(sent[e].element.v[i]);
  const std::vector<Index> order = element_order(sent, elements, positions, grid);
  sent = in_order(sent, order);
  return in_order(elements, order);
}

/// 1 where this rank owns the smallest global vertex.
template <std::size_t count>
static std::vector<std::uint8_t> counted_here(const IndexMap& map,
                                              const std::vector<std::array<Index, count>>& elements) {
  std::vector<std::uint8_t> counted;
  counted.reserve(elements.size());
  for (const auto& element : elements) {
    const Index smallest = *std::min_element(element.begin(), element.end(),
                                             [&](Index a, Index b) { return map.to_global(a) < map.to_global(b); });
    counted.push_back(smallest < map.owned());
  }
  return counted;
}

static void add_tetrahedra(LocalMesh& mesh, std::vector<SentTetrahedron>&& sent, const MortonGrid& grid) {
  mesh.tetrahedra = local_elements(mesh.map, mesh.rest_positions, grid, sent);
  mesh.counted = counted_here(mesh.map, mesh.tetrahedra);
  mesh.tetrahedron_ids.reserve(sent.size());
  mesh.material.reserve(sent.size());
  for (const SentTetrahedron& tetrahedron : sent) {
    mesh.tetrahedron_ids.push_back(tetrahedron.id);
    mesh.material.push_back(tetrahedron.material);
  }
}

static void add_triangles(LocalMesh& mesh, std::vector<SentTriangle>&& sent, const MortonGrid& grid) {
  mesh.triangles = local_elements(mesh.map, mesh.rest_positions, grid, sent);
  mesh.triangle_counted = counted_here(mesh.map, mesh.triangles);
  mesh.triangle_ids.reserve(sent.size());
  for (const SentTriangle& triangle : sent) mesh.triangle_ids.push_back(triangle.id);
}

LocalMesh distribute(BlockMesh&& mesh, const std::vector<int>& owners, const Communicator& communicator) {
  check_input(mesh, owners, communicator);
  BlockMesh block = std::move(mesh);
  const int rank = communicator.rank();
  OwnedVertices owned = send_vertices(block, owners, communicator);
  std::vector<SentTetrahedron> tetrahedra = send_all<GlobalTetrahedron>(
      block, {block.connectivity, block.tetrahedra.begin(rank), &block.material}, owners, communicator);
  std::vector<SentTriangle> triangles =
      send_all<GlobalTriangle>(block, {block.surface, block.triangles.begin(rank), nullptr}, owners, communicator);
  block.connectivity = {};
  block.material = {};
  block.surface = {};
  const std::vector<GlobalIndex> ghosts = find_ghosts(tetrahedra, triangles, owned);
  communicator.agree([&] {
    const std::size_t largest = std::max({tetrahedra.size(), triangles.size(), owned.ids.size() + ghosts.size()});
    if (largest > static_cast<std::size_t>(std::numeric_limits<Index>::max() / 4))
      throw Error(ExitCode::out_of_capacity, "one rank would hold " + std::to_string(largest) +
                                                 " vertices, tetrahedra or triangles; run on more ranks");
  });
  const MortonGrid grid = grid_over(owned.positions, communicator);
  LocalMesh local = local_vertices(block, owners, std::move(owned), ghosts, grid, communicator);
  block = {};
  add_tetrahedra(local, std::move(tetrahedra), grid);
  add_triangles(local, std::move(triangles), grid);
  return local;
}

}  // namespace unbarred
