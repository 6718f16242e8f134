// Obstacles from the block mesh to a resumed run, on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "app/restore.hpp"
#include "app/run.hpp"
#include "partitioning/range_exchange.hpp"
#include "partitioning/vertex_graph.hpp"
#include "support/frame_reader.hpp"
#include "support/gather.hpp"
#include "support/random_owners.hpp"
#include "support/scenes.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_surfaces.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

constexpr GlobalIndex cells = 4;

/// A heavy box that hangs at one end, a floor, and a lid above it, which the tests move.
Scene box_between_plates() {
  Scene scene = box_scene({{1, 0.4, 0.4}}, {{5, 2, 2}}, material(MaterialModel::neo_hookean, 1e5, 0.35));
  scene.gravity = {{0, 0, -9.81}};
  scene.motions = {clamp_below(-0.5)};
  scene.obstacles = {obstacle("floor", {{0, 0, -1}}), obstacle("lid", {{0, 0, 1}})};
  tighten(scene);
  return scene;
}

MotionSpec lid_motion(MoveSpec::Kind kind) {
  MotionSpec motion;
  motion.name = "lid";
  motion.body = 2;  // after one body and the floor
  motion.move.kind = kind;
  return motion;
}

MotionSpec turning_lid() {
  MotionSpec motion = lid_motion(MoveSpec::Kind::rotate);
  motion.move.axis = {{0, 1, 0}};
  motion.move.center = {{0, 0, 1}};
  motion.move.rate = 90;
  return motion;
}

LocalMesh local_mesh(const Scene& scene, const Communicator& communicator, unsigned seed) {
  BlockMesh block = block_mesh(scene, {square(cells), square(cells)}, communicator);
  const std::vector<int> owners = random_owners(communicator, block, seed);
  return distribute(std::move(block), owners, communicator);
}

/// First vertex of the lid, which is the last obstacle.
std::size_t lid_begin(const std::vector<Vec3>& x) { return x.size() - (cells + 1) * (cells + 1); }
std::size_t floor_begin(const std::vector<Vec3>& x) { return x.size() - 2 * (cells + 1) * (cells + 1); }

struct Result {
  std::vector<Vec3> start, x, v;
};

Result run(const Scene& scene, const Communicator& communicator, int steps) {
  Simulation simulation({scene, local_mesh(scene, communicator, 11)}, communicator);
  Result result;
  result.start = gather(communicator, simulation.map(), simulation.state().x);
  for (int i = 0; i < steps; ++i) simulation.advance();
  result.x = gather(communicator, simulation.map(), simulation.state().x);
  result.v = gather(communicator, simulation.map(), simulation.state().v);
  return result;
}

TEST(Obstacles, ComeAfterTheBodiesPlacedOnAnyNumberOfRanks) {
  Scene scene = box_between_plates();
  scene.bodies[0].repeat.count = {2, 1, 1};
  scene.obstacles[1].place.axis = {{1, 0, 0}};
  scene.obstacles[1].place.degrees = 90;
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const BlockMesh mesh = block_mesh(scene, {square(cells), square(1)}, ring);
    const GlobalIndex in_boxes = 2 * 6 * 3 * 3, on_floor = (cells + 1) * (cells + 1);
    ASSERT_EQ(mesh.vertices.size, in_boxes + on_floor + 4);
    ASSERT_EQ(mesh.triangles.size, 2 * cells * cells + 2);
    const auto bodies = gather_range(ring, mesh.vertex_body, in_boxes - 1, mesh.vertices.size);
    EXPECT_EQ(bodies[0], 1);
    EXPECT_EQ(bodies[1], 2);
    EXPECT_EQ(bodies[on_floor], 2);
    EXPECT_EQ(bodies[on_floor + 1], 3);
    const auto x = gather_range(ring, mesh.positions, in_boxes, mesh.vertices.size);
    EXPECT_EQ(x[0][2], -1);
    EXPECT_NEAR(x[on_floor][1], 0, 1e-15);  // the lid's first vertex, at (-1/2, -1/2, 0) before it is placed
    EXPECT_NEAR(x[on_floor][2], 0.5, 1e-15);
    const auto triangles = gather_range(ring, mesh.surface, 0, mesh.triangles.size);
    EXPECT_EQ(triangles[0].v[0], in_boxes);
    EXPECT_EQ(triangles[2 * cells * cells].v[0], in_boxes + on_floor);
    EXPECT_EQ(triangles.back().v[1], in_boxes + on_floor + 3);
  }
}

TEST(Obstacles, JoinTheirVerticesInTheGraph) {
  Scene scene = box_between_plates();
  scene.bodies.clear();
  scene.obstacles.resize(1);
  const BlockMesh mesh = block_mesh(scene, {square(2)}, world());
  const VertexGraph graph = build_vertex_graph(world(), mesh);
  const std::vector<std::vector<GlobalIndex>> expected{
      {1, 3, 4}, {0, 2, 4, 5}, {1, 5}, {0, 4, 6, 7}, {0, 1, 3, 5, 7, 8}, {1, 2, 4, 8}, {3, 7}, {3, 4, 6, 8}, {4, 5, 7}};
  const GlobalIndex begin = mesh.vertices.begin(world().rank());
  ASSERT_EQ(graph.offsets.size(), mesh.positions.size() + 1);
  for (std::size_t i = 0; i + 1 < graph.offsets.size(); ++i)
    EXPECT_EQ(std::vector<GlobalIndex>(graph.neighbours.begin() + graph.offsets[i],
                                       graph.neighbours.begin() + graph.offsets[i + 1]),
              expected[begin + static_cast<GlobalIndex>(i)]);
}

TEST(Obstacles, TravelLikeTetrahedra) {
  const Scene scene = box_between_plates();
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const LocalMesh mesh = local_mesh(scene, ring, 2);
    const IndexMap& map = mesh.map;
    const GlobalIndex triangles = 2 * 2 * cells * cells, first = map.global_size() - 2 * (cells + 1) * (cells + 1);
    EXPECT_EQ(mesh.global_triangles, triangles);
    ASSERT_EQ(mesh.triangle_ids.size(), mesh.triangles.size());
    std::vector<Real> counted(static_cast<std::size_t>(triangles), 0), here(counted);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const GlobalIndex id = mesh.triangle_ids[t];
      const GlobalTriangle expected = square(cells).triangles(ring, id % 32, id % 32 + 1)[0];
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(map.to_global(mesh.triangles[t][i]), first + id / 32 * (cells + 1) * (cells + 1) + expected.v[i]);
      const auto& v = mesh.triangles[t];
      EXPECT_TRUE(std::any_of(v.begin(), v.end(), [&](Index i) { return i < map.owned(); }));
      counted[id] += mesh.triangle_counted[t];
      here[id] += 1;
    }
    // Everywhere where a vertex is owned, and nowhere twice.
    for (GlobalIndex id = 0; id < triangles; ++id) {
      bool touches = false;
      const GlobalTriangle triangle = square(cells).triangles(ring, id % 32, id % 32 + 1)[0];
      for (const GlobalIndex v : triangle.v) {
        const Index local = map.to_local(first + id / 32 * (cells + 1) * (cells + 1) + v);
        touches |= local >= 0 && local < map.owned();
      }
      EXPECT_EQ(here[id], touches ? 1 : 0);
    }
    ring.sum(std::span<Real>(counted));
    EXPECT_EQ(counted, std::vector<Real>(counted.size(), 1));
  }
}

TEST(Obstacles, MakeVerticesSharedExactlyWhereOtherRanksHoldThem) {
  const LocalMesh mesh = local_mesh(box_between_plates(), world(), 5);
  std::vector<Real> ghosts(static_cast<std::size_t>(mesh.map.global_size()), 0);
  for (Index v = mesh.map.owned(); v < mesh.map.local(); ++v) ghosts[mesh.map.to_global(v)] += 1;
  world().sum(std::span<Real>(ghosts));
  for (Index v = 0; v < mesh.map.owned(); ++v)
    EXPECT_EQ(ghosts[mesh.map.to_global(v)] > 0, v >= mesh.map.interior()) << mesh.map.to_global(v);
  std::set<Index> used;
  for (const auto& t : mesh.tetrahedra) used.insert(t.begin(), t.end());
  for (const auto& t : mesh.triangles) used.insert(t.begin(), t.end());
  EXPECT_EQ(static_cast<Index>(used.size()), mesh.map.local()) << "no ghost without an element";
}

TEST(Obstacles, ATriangleWithAVertexTwiceIsRefused) {
  const Scene scene = box_between_plates();
  BlockMesh block = block_mesh(scene, {square(cells), square(cells)}, world());
  if (!block.surface.empty()) block.surface[0].v[2] = block.surface[0].v[0];
  const std::vector<int> owners(block.positions.size(), 0);
  EXPECT_THROW(distribute(std::move(block), owners, world()), Error);
}

TEST(Obstacles, StandStillAndFollowTheirMotion) {
  Scene scene = box_between_plates();
  scene.motions.push_back(turning_lid());
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const Result result = run(scene, ring, 10);
    for (std::size_t i = floor_begin(result.x); i < lid_begin(result.x); ++i)
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(result.x[i][k], result.start[i][k]);
        EXPECT_EQ(result.v[i][k], 0);
      }
    const Real angle = 9 * std::numbers::pi / 180;  // 0.1 s
    for (std::size_t i = lid_begin(result.x); i < result.x.size(); ++i) {
      const Real x = result.start[i][0];
      EXPECT_NEAR(result.x[i][0], std::cos(angle) * x, 1e-14);
      EXPECT_NEAR(result.x[i][1], result.start[i][1], 1e-14);
      EXPECT_NEAR(result.x[i][2], 1 - std::sin(angle) * x, 1e-14);
    }
  }
}

TEST(Obstacles, MoveOnlyInTheWindowAndAlongTheAxesOfTheirMotion) {
  Scene scene = box_between_plates();
  MotionSpec motion = lid_motion(MoveSpec::Kind::velocity);
  motion.move.velocity = {{0, 3, -2}};
  motion.axes = {false, false, true};
  motion.from = 0.02;
  motion.to = 0.05;
  scene.motions.push_back(motion);
  const Result early = run(scene, world(), 2), late = run(scene, world(), 8);
  for (std::size_t i = lid_begin(late.x); i < late.x.size(); ++i) {
    EXPECT_EQ(early.x[i][2], 1);
    EXPECT_NEAR(late.x[i][2], 1 - 0.06, 1e-15);
    for (int axis : {0, 1}) EXPECT_EQ(late.x[i][axis], late.start[i][axis]);
    EXPECT_EQ(late.v[i][2], 0);
  }
}

TEST(Obstacles, DoNotDisturbBodies) {
  Scene scene = box_between_plates();
  const Result with = run(scene, world(), 5);
  scene.motions.push_back(turning_lid());
  const Result moving = run(scene, world(), 5);
  for (std::size_t i = 0; i < floor_begin(with.x); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(with.x[i][k], moving.x[i][k], 1e-12);
}

TEST(Obstacles, AgreeOnAnyNumberOfRanksAndWithPetsc) {
  Scene scene = box_between_plates();
  scene.motions.push_back(turning_lid());
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone, 5);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const Result result = run(scene, ring, 5);
    EXPECT_LT(relative_difference(result.x, reference.x), 1e-10);
    EXPECT_LT(relative_difference(result.v, reference.v), 1e-10);
    for (std::size_t i = floor_begin(result.x); i < result.x.size(); ++i)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(result.x[i][k], reference.x[i][k]);
  }
  scene.solver.linear.method = LinearSpec::Method::ksp;
  for (const char* options : {"", "-pc_type jacobi", "-mat_type baij -pc_type pbjacobi"}) {
    scene.solver.linear.options = options;
    EXPECT_LT(relative_difference(run(scene, world(), 5).x, reference.x), 1e-10) << options;
  }
}

TEST(Obstacles, AreEnoughForAScene) {
  Scene scene = box_between_plates();
  scene.bodies.clear();
  MotionSpec motion = turning_lid();
  motion.body = 1;
  scene.motions = {motion};
  const Result result = run(scene, world(), 3);
  const Real angle = 2.7 * std::numbers::pi / 180;
  for (std::size_t i = lid_begin(result.x); i < result.x.size(); ++i)
    EXPECT_NEAR(result.x[i][2], 1 - std::sin(angle) * result.start[i][0], 1e-14);
}

/// The file has both obstacles, and the lid turned for `time`.
void expect_lid_frame(const std::filesystem::path& file, Real time) {
  if (!world().is_root()) return;
  const auto grid = read_pvtu(file);
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->GetNumberOfCells(), 2 * 2 * cells * cells);
  vtkDataArray* displacement = grid->GetPointData()->GetArray("displacement");
  vtkDataArray* body = grid->GetPointData()->GetArray("body");
  ASSERT_TRUE(displacement && body && grid->GetPointData()->GetArray("velocity"));
  EXPECT_TRUE(grid->GetCellData()->GetArray("rank"));
  EXPECT_FALSE(grid->GetCellData()->GetArray("von_mises"));
  Real largest = 0;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
    const bool lid = body->GetTuple1(i) == 2;
    const Real up = displacement->GetTuple3(i)[2];
    largest = std::max(largest, up);
    EXPECT_TRUE(lid || up == 0);
  }
  EXPECT_NEAR(largest, 0.5 * std::sin(time * 90 * std::numbers::pi / 180), 1e-14);
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) EXPECT_EQ(grid->GetCellType(c), VTK_TRIANGLE);
}

TEST(Obstacles, AreWhereTheyWereAfterAResume) {
  Scene scene = box_between_plates();
  scene.motions.push_back(turning_lid());
  scene.output.every = 2;
  scene.resolved_yaml = "none";
  const Result reference = run(scene, world(), 8);
  const TemporaryFolder folder(world());
  {
    Simulation simulation({scene, local_mesh(scene, world(), 11)}, world());
    unbarred::Run(RunFolder::create(folder.path() / "run", true, world()), simulation, world(),
                  {.last_step = 4, .resumed_step = {}})
        .go();
  }
  expect_lid_frame(folder.path() / "run" / "frames" / "box_obstacles_000004.pvtu", 0.04);
  // On fewer ranks and other parts.
  const Communicator ring = group(3);
  if (!works_in(3)) return;
  const CheckpointData data = read_newest_checkpoint(folder.path() / "run" / "checkpoints", ring);
  Simulation simulation({scene, local_mesh(scene, ring, 12)}, ring);
  restore(simulation, data, ring);
  EXPECT_EQ(simulation.state().step, 4);
  for (int i = 0; i < 4; ++i) simulation.advance();
  const std::vector<Vec3> x = gather(ring, simulation.map(), simulation.state().x);
  EXPECT_LT(relative_difference(x, reference.x), 1e-10);
  for (std::size_t i = floor_begin(x); i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(x[i][k], reference.x[i][k]);
}

TEST(Obstacles, BelongToTheHashOfTheMesh) {
  const Scene scene = box_between_plates();
  const auto hash_with = [&](const ListedSurface& lid) {
    BlockMesh block = block_mesh(scene, {square(cells), lid}, world());
    const std::vector<int> owners = random_owners(world(), block, 1);
    const Simulation simulation({scene, distribute(std::move(block), owners, world())}, world());
    return mesh_hash(simulation, world());
  };
  std::vector<Vec3> vertices = square(cells).vertices(world(), 0, (cells + 1) * (cells + 1));
  std::vector<GlobalTriangle> triangles = square(cells).triangles(world(), 0, 2 * cells * cells);
  EXPECT_EQ(hash_with(ListedSurface(vertices, triangles)), hash_with(square(cells)));
  std::swap(triangles[3].v[0], triangles[3].v[1]);
  EXPECT_NE(hash_with(ListedSurface(vertices, triangles)), hash_with(square(cells)));
}

}  // namespace
}  // namespace unbarred::test
