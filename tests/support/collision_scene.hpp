#pragma once
// Surfaces in motion that every rank knows as a whole, dealt out to ranks at will, and what comes out of collision
// detection gathered again by global ids.
#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <vector>

#include "contact/filter/step_filter.hpp"
#include "contact/search/broad_phase.hpp"
#include "dynamics/elastic/elastic_mesh.hpp"
#include "partitioning/halo.hpp"
#include "partitioning/partitioner.hpp"
#include "partitioning/range_exchange.hpp"

namespace unbarred::test {

/// Vertices belong to a triangle or to a tetrahedron, whose outer faces are triangles as well.
struct CollisionScene {
  std::vector<Vec3> start, target;  ///< m
  std::vector<std::int32_t> body;
  std::vector<std::uint8_t> prescribed;
  std::vector<GlobalTriangle> triangles;
  std::vector<GlobalTetrahedron> tetrahedra;

  /// Appends another scene as the next bodies.
  void add(const CollisionScene& other) {
    const auto shift = static_cast<GlobalIndex>(start.size());
    const std::int32_t bodies = body.empty() ? 0 : *std::max_element(body.begin(), body.end()) + 1;
    start.insert(start.end(), other.start.begin(), other.start.end());
    target.insert(target.end(), other.target.begin(), other.target.end());
    prescribed.insert(prescribed.end(), other.prescribed.begin(), other.prescribed.end());
    for (const std::int32_t b : other.body) body.push_back(b + bodies);
    for (GlobalTriangle t : other.triangles) {
      for (GlobalIndex& v : t.v) v += shift;
      triangles.push_back(t);
    }
    for (GlobalTetrahedron t : other.tetrahedra) {
      for (GlobalIndex& v : t.v) v += shift;
      tetrahedra.push_back(t);
    }
  }
  template <class F>
  CollisionScene mapped(F&& f) const {
    CollisionScene scene = *this;
    for (Vec3& x : scene.start) x = f(x);
    scene.target = scene.start;
    return scene;
  }
};

/// One body at rest.
inline CollisionScene still(std::vector<Vec3> positions, std::vector<GlobalTriangle> triangles,
                            std::vector<GlobalTetrahedron> tetrahedra = {}) {
  const std::size_t n = positions.size();
  return {positions,
          positions,
          std::vector<std::int32_t>(n, 0),
          std::vector<std::uint8_t>(n, 0),
          std::move(triangles),
          std::move(tetrahedra)};
}

inline std::vector<int> random_owner_of_each(std::size_t vertices, int ranks, unsigned seed, int idle = -1) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> any(0, ranks - 1);
  std::vector<int> owners(vertices);
  for (int& owner : owners) do
      owner = any(random);
    while (owner == idle && ranks > 1);
  return owners;
}

/// A pair by global ids and the bits of its time of impact.
struct PairRow {
  std::int64_t kind;
  GlobalIndex ids[4];
  std::uint64_t time;
  auto operator<=>(const PairRow&) const = default;
};

/// The part of one rank.
class CollisionPart {
 public:
  /// owners: of every vertex of the scene. @note Collective
  CollisionPart(const CollisionScene& scene, const std::vector<int>& owners, const Communicator& communicator)
      : communicator_(communicator),
        mesh_(distribute(blocks(scene, communicator), block_of(owners, communicator), communicator)),
        transport_(make_transport(communicator)),
        surface_(build_surface(mesh_, communicator)),
        collision_mesh_(communicator, mesh_.map, *transport_, surface_, local_of(scene.prescribed)),
        start_(mesh_.map),
        target_(mesh_.map) {
    set_motion(scene);
  }

  void set_motion(const CollisionScene& scene) {
    set(start_, local_of(scene.start));
    set(target_, local_of(scene.target));
    collision_mesh_.set_motion(start_, target_);
  }

  CollisionMesh& collision_mesh() { return collision_mesh_; }
  const LocalMesh& mesh() const { return mesh_; }
  const Surface& surface() const { return surface_; }

  /// Candidates of all ranks, ascending. `times` may be empty. @note Collective
  std::vector<PairRow> rows(View<const ContactPair> pairs, View<const Real> times) const {
    const auto host = copy(pairs);
    const auto host_times = copy(times);
    const auto ids = copy(collision_mesh_.ids());
    std::vector<PairRow> rows;
    for (std::size_t i = 0; i < host.size(); ++i) {
      PairRow row{static_cast<std::int64_t>(host[i].kind), {}, 0};
      for (int k = 0; k < 4; ++k) row.ids[k] = ids[static_cast<std::size_t>(host[i].v[k])];
      if (!host_times.empty()) row.time = std::bit_cast<std::uint64_t>(host_times[i]);
      rows.push_back(row);
    }
    return gathered(std::move(rows));
  }

  /// @note Collective
  std::vector<PairRow> gathered(std::vector<PairRow> rows) const {
    rows = gather_range(communicator_, rows, 0, communicator_.sum(static_cast<GlobalIndex>(rows.size())));
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  /// Of every vertex of the scene, from its owner. @note Collective
  std::vector<Real> owned_values(View<const Real> values) const {
    struct Row {
      GlobalIndex id;
      Real value;
    };
    const auto host = copy(values);
    std::vector<Row> rows;
    for (Index v = 0; v < mesh_.map.owned(); ++v) rows.push_back({mesh_.map.to_global(v), host[v]});
    std::vector<Real> all(static_cast<std::size_t>(mesh_.map.global_size()));
    for (const Row& row : gather_range(communicator_, rows, 0, mesh_.map.global_size()))
      all[static_cast<std::size_t>(row.id)] = row.value;
    return all;
  }

  template <class T>
  static std::vector<T> copy(View<const T> view) {
    std::vector<T> host(static_cast<std::size_t>(view.size()));
    if (view.size() > 0) memory::copy_to_host(host.data(), view.data(), host.size() * sizeof(T));
    return host;
  }

 private:
  static BlockMesh blocks(const CollisionScene& scene, const Communicator& communicator) {
    BlockMesh blocks;
    blocks.vertices = {static_cast<GlobalIndex>(scene.start.size()), communicator.size()};
    blocks.tetrahedra = {static_cast<GlobalIndex>(scene.tetrahedra.size()), communicator.size()};
    blocks.triangles = {static_cast<GlobalIndex>(scene.triangles.size()), communicator.size()};
    blocks.positions = part(scene.start, blocks.vertices, communicator);
    blocks.vertex_body = part(scene.body, blocks.vertices, communicator);
    blocks.connectivity = part(scene.tetrahedra, blocks.tetrahedra, communicator);
    blocks.material.assign(blocks.connectivity.size(), 0);
    blocks.surface = part(scene.triangles, blocks.triangles, communicator);
    return blocks;
  }
  static std::vector<int> block_of(const std::vector<int>& owners, const Communicator& communicator) {
    return part(owners, {static_cast<GlobalIndex>(owners.size()), communicator.size()}, communicator);
  }
  template <class T>
  static std::vector<T> part(const std::vector<T>& all, const BlockDistribution& blocks,
                             const Communicator& communicator) {
    const int rank = communicator.rank();
    return {all.begin() + blocks.begin(rank), all.begin() + blocks.end(rank)};
  }
  template <class T>
  std::vector<T> local_of(const std::vector<T>& all) const {
    std::vector<T> local;
    for (const GlobalIndex id : mesh_.map.global_ids()) local.push_back(all[static_cast<std::size_t>(id)]);
    return local;
  }
  static void set(Field& field, const std::vector<Vec3>& local) {
    const View<Vec3> values = field.write_local();
    if (values.size() > 0) memory::copy_to_device(values.data(), local.data(), local.size() * sizeof(Vec3));
  }

  const Communicator& communicator_;
  LocalMesh mesh_;
  std::unique_ptr<Transport> transport_;
  Surface surface_;
  CollisionMesh collision_mesh_;
  Field start_, target_;
};

}  // namespace unbarred::test
