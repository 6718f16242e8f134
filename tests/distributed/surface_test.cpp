// The contact surface is the same on any number of ranks, however the vertices are dealt out.
#include "contact/surface/surface.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "partitioning/range_exchange.hpp"
#include "support/random_owners.hpp"
#include "support/scenes.hpp"
#include "support/test_surfaces.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

template <int N>
using Ids = std::array<GlobalIndex, N>;

/// The sets of a surface, by global vertices.
struct Primitives {
  std::set<Ids<3>> triangles;  ///< turned until the smallest vertex is the first
  std::set<Ids<2>> edges;
  std::set<Ids<1>> vertices;
};

Ids<3> turned(Ids<3> triangle) {
  std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  return triangle;
}

/// Of the whole mesh, by counting faces and looking where the fourth vertex lies.
Primitives oracle(const BlockMesh& mesh, const Communicator& communicator) {
  const auto x = gather_range(communicator, mesh.positions, 0, mesh.vertices.size);
  std::map<Ids<3>, std::vector<GlobalTetrahedron>> faces;
  for (const auto& t : gather_range(communicator, mesh.connectivity, 0, mesh.tetrahedra.size))
    for (int left_out = 0; left_out < 4; ++left_out) {
      GlobalTetrahedron face = t;
      std::swap(face.v[left_out], face.v[3]);
      Ids<3> key{face.v[0], face.v[1], face.v[2]};
      std::sort(key.begin(), key.end());
      faces[key].push_back(face);
    }
  Primitives all;
  for (const auto& [key, with] : faces) {
    if (with.size() != 1) continue;
    Ids<3> triangle{key};
    const Vec3 normal = cross(x[key[1]] - x[key[0]], x[key[2]] - x[key[0]]);
    if (dot(normal, x[with[0].v[3]] - x[key[0]]) > 0) std::swap(triangle[1], triangle[2]);
    all.triangles.insert(turned(triangle));
  }
  for (const auto& t : gather_range(communicator, mesh.surface, 0, mesh.triangles.size))
    all.triangles.insert(turned({t.v[0], t.v[1], t.v[2]}));
  for (const Ids<3>& t : all.triangles)
    for (int i = 0; i < 3; ++i) {
      const auto [a, b] = std::minmax(t[i], t[(i + 1) % 3]);
      all.edges.insert({a, b});
      all.vertices.insert({t[i]});
    }
  return all;
}

/// The owned primitives of all ranks; each must come once, and in the order of bodies.
template <int N>
std::set<Ids<N>> united(const DeviceArray<Primitive<N>>& owned, const LocalMesh& mesh,
                        const Communicator& communicator) {
  std::vector<Ids<N>> ids;
  std::int32_t body = 0;
  for (const Primitive<N>& primitive : owned.to_host()) {
    Ids<N> global{};
    for (int i = 0; i < N; ++i) {
      global[i] = mesh.map.to_global(primitive.v[i]);
      EXPECT_EQ(mesh.vertex_body[primitive.v[i]], mesh.vertex_body[primitive.v[0]]);
    }
    EXPECT_LT(primitive.v[0], mesh.map.owned());
    EXPECT_EQ(*std::min_element(global.begin(), global.end()), global[0]);
    EXPECT_GE(mesh.vertex_body[primitive.v[0]], body);
    body = mesh.vertex_body[primitive.v[0]];
    ids.push_back(global);
  }
  const GlobalIndex all = communicator.sum(static_cast<GlobalIndex>(ids.size()));
  const auto gathered = gather_range(communicator, ids, 0, all);
  const std::set<Ids<N>> set(gathered.begin(), gathered.end());
  EXPECT_EQ(static_cast<GlobalIndex>(set.size()), all) << "a primitive with " << N << " vertices has two owners";
  return set;
}

void expect_surface(const Primitives& expected, const Surface& surface, const LocalMesh& mesh,
                    const Communicator& communicator) {
  EXPECT_EQ(united<3>(surface.owned_triangles, mesh, communicator), expected.triangles);
  EXPECT_EQ(united<2>(surface.owned_edges, mesh, communicator), expected.edges);
  EXPECT_EQ(united<1>(surface.owned_vertices, mesh, communicator), expected.vertices);
  EXPECT_EQ(surface.counts.triangles, static_cast<GlobalIndex>(expected.triangles.size()));
  EXPECT_EQ(surface.counts.edges, static_cast<GlobalIndex>(expected.edges.size()));
  EXPECT_EQ(surface.counts.vertices, static_cast<GlobalIndex>(expected.vertices.size()));
  EXPECT_EQ(surface.body.to_host(), mesh.vertex_body);
}

/// Two boxes, a ball and two squares, one of them turned.
Scene scene_of_all() {
  Scene scene = box_scene({{1, 1, 1}}, {{3, 2, 2}}, material(MaterialModel::corotated));
  scene.bodies[0].repeat.count = {2, 1, 1};
  scene.bodies[0].repeat.spacing = {{1.5, 0, 0}};
  BodySpec ball = scene.bodies[0];
  ball.repeat = {};
  ball.mesh.generator = "ball";
  ball.mesh.parameters = {{"radius", {0.5}}, {"cells", {4}}};
  ball.place.translate = {{0, 2, 0}};
  scene.bodies.push_back(ball);
  scene.obstacles = {obstacle("floor", {{0, 0, -1}}), obstacle("wall", {{0, -1, 0}}, 90)};
  return scene;
}

TEST(Surface, IsThatOfTheWholeMeshForRandomOwners) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    for (int idle = -1; idle < (ranks > 1 ? ranks : 0); ++idle) {
      SCOPED_TRACE("ranks " + std::to_string(ranks) + ", idle " + std::to_string(idle));
      BlockMesh block = block_mesh(scene_of_all(), {square(5), square(1)}, ring);
      const Primitives expected = oracle(block, ring);
      const std::vector<int> owners = random_owners(ring, block, 7, idle);
      const LocalMesh mesh = distribute(std::move(block), owners, ring);
      const Surface surface = build_surface(mesh, ring);
      expect_surface(expected, surface, mesh, ring);
      EXPECT_EQ(surface.counts.border_edges, 4 * 5 + 4);
      EXPECT_EQ(surface.counts.non_manifold_edges, 0);
      EXPECT_EQ(surface.counts.duplicate_faces, 0);
      EXPECT_EQ(surface.counts.overlapping_faces, 0);
      if (ring.rank() == idle) {
        EXPECT_EQ(surface.owned_vertices.size(), 0);
      }
    }
  }
}

TEST(Surface, IsThatOfTheWholeMeshForGraphPartitions) {
  const BlockMesh block = block_mesh(scene_of_all(), {square(12), square(1)}, world());
  const Primitives expected = oracle(block, world());
  for (const auto& partitioner : {make_graph_partitioner(), make_geometric_partitioner()}) {
    BlockMesh copy = block;
    const std::vector<int> owners = partitioner->owners(world(), block);
    const LocalMesh mesh = distribute(std::move(copy), owners, world());
    expect_surface(expected, build_surface(mesh, world()), mesh, world());
  }
}

/// Six times the volume: of the tetrahedra that are counted, and inside the triangles by the divergence of x.
Real sixfold_volume(const LocalMesh& mesh) {
  Real sum = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    if (!mesh.counted[t]) continue;
    const auto& v = mesh.tetrahedra[t];
    const Vec3 origin = mesh.rest_positions[v[0]];
    sum += dot(cross(mesh.rest_positions[v[1]] - origin, mesh.rest_positions[v[2]] - origin),
               mesh.rest_positions[v[3]] - origin);
  }
  return sum;
}
Real sixfold_volume(const Surface& surface, const LocalMesh& mesh) {
  Real sum = 0;
  for (const Triangle& t : surface.owned_triangles.to_host())
    sum += dot(mesh.rest_positions[t.v[0]], cross(mesh.rest_positions[t.v[1]], mesh.rest_positions[t.v[2]]));
  return sum;
}

TEST(Surface, OfABallIsClosedAndLooksOutward) {
  Scene scene = scene_of_all();
  scene.bodies.erase(scene.bodies.begin());
  scene.obstacles.clear();
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    BlockMesh block = block_mesh(scene, {}, ring);
    const std::vector<int> owners = make_geometric_partitioner()->owners(ring, block);
    const LocalMesh mesh = distribute(std::move(block), owners, ring);
    const Surface surface = build_surface(mesh, ring);
    const SurfaceCounts& counts = surface.counts;
    EXPECT_EQ(counts.vertices - counts.edges + counts.triangles, 2);
    EXPECT_EQ(counts.border_edges, 0);
    EXPECT_EQ(counts.non_manifold_edges, 0);
    const Real inside = ring.sum(sixfold_volume(surface, mesh));
    EXPECT_GT(inside, 0);
    EXPECT_NEAR(inside, ring.sum(sixfold_volume(mesh)), 1e-12);
  }
}

TEST(Surface, CountsWhatIsWrongWithAMesh) {
  // Three pages of a book, one of them bound in three times, turned over and turned around.
  const std::vector<Vec3> corners{{{0, 0, 0}}, {{0, 0, 1}}, {{1, 0, 0}}, {{0, 1, 0}}, {{-1, 0, 0}}};
  const ListedSurface book(corners, {{{0, 1, 2}}, {{3, 0, 1}}, {{1, 3, 0}}, {{0, 3, 1}}, {{0, 1, 4}}});
  Scene scene;
  scene.obstacles = {obstacle("book", {{0, 0, 0}})};
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    BlockMesh block = block_mesh(scene, {book}, ring);
    const std::vector<int> owners = random_owners(ring, block, 3);
    const LocalMesh mesh = distribute(std::move(block), owners, ring);
    const Surface surface = build_surface(mesh, ring);
    EXPECT_EQ(surface.counts.triangles, 3);
    EXPECT_EQ(surface.counts.duplicate_faces, 2);
    EXPECT_EQ(surface.counts.edges, 7);
    EXPECT_EQ(surface.counts.non_manifold_edges, 1);
    EXPECT_EQ(surface.counts.border_edges, 6);
    // The first of the equal ones stays as it was given.
    EXPECT_EQ(united<3>(surface.owned_triangles, mesh, ring), (std::set<Ids<3>>{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}));
  }
}

TEST(Surface, LeavesOutFacesOfOverlappingTetrahedra) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    BlockMesh block;
    block.vertices = {6, ranks};
    block.tetrahedra = {3, ranks};
    const Vec3 all[6] = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{0, 0, 2}}, {{0, 0, 3}}};
    for (GlobalIndex v = block.vertices.begin(ring.rank()); v < block.vertices.end(ring.rank()); ++v)
      block.positions.push_back(all[v]);
    block.vertex_body.assign(block.positions.size(), 0);
    for (GlobalIndex t = block.tetrahedra.begin(ring.rank()); t < block.tetrahedra.end(ring.rank()); ++t)
      block.connectivity.push_back({{0, 1, 2, 3 + t}});
    block.material.assign(block.connectivity.size(), 0);
    const std::vector<int> owners = random_owners(ring, block, 4);
    const LocalMesh mesh = distribute(std::move(block), owners, ring);
    const Surface surface = build_surface(mesh, ring);
    EXPECT_EQ(surface.counts.overlapping_faces, 1);
    EXPECT_EQ(surface.counts.triangles, 9);
  }
}

}  // namespace
}  // namespace unbarred::test
