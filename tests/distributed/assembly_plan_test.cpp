// The tiles of the assembly hold what they promise, and what is assembled through them is the plain sum of the second
// derivatives of all tetrahedra, on 1 to 4 ranks and over several tiles.
#include "dynamics/elastic/assembly_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "dynamics/elastic/elastic_kernels.hpp"
#include "dynamics/elastic/element_geometry.hpp"
#include "model/principal_hessian.hpp"
#include "partitioning/partitioner.hpp"
#include "support/box_mesh.hpp"
#include "support/random_owners.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

constexpr Real time_step = 0.02;

std::vector<MaterialSpec> materials() {
  return {material(MaterialModel::stable_neo_hookean, 1e5, 0.3, 1000),
          material(MaterialModel::neo_hookean, 3e5, 0.2, 700)};
}
/// Pressed flat enough that second derivatives are negative here and there.
Vec3 deformed(const Vec3& x) {
  return {{x[0] + 0.02 * std::sin(7 * x[1]), 0.6 * x[1] + 0.02 * std::cos(9 * x[2]), x[2] + 0.01 * std::sin(5 * x[0])}};
}
Vec3 predicted(const Vec3& x) { return deformed(x) + Vec3{{0.1 * x[2], -0.2, 0.3 * x[0] * x[1]}}; }
bool exact(GlobalIndex tetrahedron) { return tetrahedron % 3 != 0; }

/// Sums over all tetrahedra of the box, by global vertices.
struct PlainSum {
  PlainSum(const Box& box, bool all_projected) {
    for (GlobalIndex t = 0; t < box.tetrahedron_count(); ++t) add(box, t, all_projected || !exact(t));
    for (auto& [vertex, force] : gradient) {
      const Vec3 x = box.position(vertex);
      force += mass[vertex] * (deformed(x) - predicted(x));
      for (int k = 0; k < 3; ++k) blocks[{vertex, vertex}](k, k) += mass[vertex];
    }
  }
  void add(const Box& box, GlobalIndex number, bool projected) {
    const GlobalTetrahedron t = box.tetrahedron(number);
    Mat3 rest, now;
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < 3; ++k) {
        rest(k, a) = (box.position(t.v[a + 1]) - box.position(t.v[0]))[k];
        now(k, a) = (deformed(box.position(t.v[a + 1])) - deformed(box.position(t.v[0])))[k];
      }
    const ElementGeometry<Real> g = element_geometry(rest, now);
    const MaterialSpec spec = materials()[static_cast<std::size_t>(box.material(number))];
    const auto state =
        std::visit([&](const auto& of) { return principal_state<Definiteness::exact>(of, g.F); }, make_material(spec));
    auto used = state;
    if (projected) clamp_modes(used, true);
    const Real weight = time_step * time_step * g.volume;
    for (int a = 0; a < 4; ++a) {
      mass[t.v[a]] += spec.density * g.volume / 4;
      gradient[t.v[a]] += weight * (first_piola(state) * g.gradient[a]);
      for (int b = 0; b < 4; ++b) {
        Mat3& block = blocks[{t.v[a], t.v[b]}];
        block = block + weight * hessian_block(used, principal_gradient(used, g.gradient[a]),
                                               principal_gradient(used, g.gradient[b]));
      }
    }
  }
  std::map<std::pair<GlobalIndex, GlobalIndex>, Mat3> blocks;
  std::map<GlobalIndex, Vec3> gradient;
  std::map<GlobalIndex, Real> mass;
};

/// What one rank has of the box.
struct Part {
  Part(const Box& box, const Communicator& communicator, int idle)
      : mesh(distributed(box, communicator, idle)),
        elastic(mesh, materials()),
        pattern(vertex_graph_pattern(mesh.map.owned(), mesh.map.local(), mesh.tetrahedra)),
        plan(mesh, elastic.runs, pattern),
        matrix(pattern),
        window(plan.largest_tile),
        x(on_device(deformed)),
        goal(on_device(predicted)) {}

  static LocalMesh distributed(const Box& box, const Communicator& communicator, int idle) {
    BlockMesh block = box.mesh(communicator);
    const std::vector<int> owners = random_owners(communicator, block, 3, idle);
    return distribute(std::move(block), owners, communicator);
  }
  template <class F>
  DeviceArray<Vec3> on_device(F f) const {
    std::vector<Vec3> values;
    for (const Vec3& at : mesh.rest_positions) values.push_back(f(at));
    return DeviceArray<Vec3>(values);
  }
  std::vector<Vec3> assemble_all(bool all_projected) {
    std::vector<std::uint8_t> marks;
    if (!all_projected)
      for (const GlobalIndex t : mesh.tetrahedron_ids) marks.push_back(exact(t) ? 0 : 1);
    const DeviceArray<std::uint8_t> projected(marks);
    DeviceArray<Vec3> downhill(mesh.map.owned());
    assemble(elastic, plan, time_step, x.view(), goal.view(), projected.view(), window, matrix, downhill.view());
    return downhill.to_host();
  }

  LocalMesh mesh;
  ElasticMesh elastic;
  BlockPattern pattern;
  AssemblyPlan plan;
  BlockMatrix matrix;
  AssemblyWindow window;
  DeviceArray<Vec3> x, goal;
};

/// f(part of this rank) on 1, 2, 3 and 4 ranks, for random owners and with an idle rank.
template <class F>
void for_each_part(const Box& box, F f) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    for (const int idle : {-1, ranks - 1}) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, idle " + std::to_string(idle));
      Part part(box, ring, idle);
      f(part);
    }
  }
}

/// Rows enough for several tiles where tiles are those of a CPU.
constexpr Box large{17};

void expect_sum(Part& part, const PlainSum& expected, bool all_projected) {
  const std::vector<Vec3> downhill = part.assemble_all(all_projected);
  const std::vector<Block> values = part.matrix.values_to_host();
  const IndexMap& map = part.mesh.map;
  Real size = 0, force = 0, block_error = 0, force_error = 0;
  for (Index i = 0; i < map.owned(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const Real wanted = -expected.gradient.at(map.to_global(i))[k];
      force = std::max(force, std::abs(wanted));
      force_error = std::max(force_error, std::abs(downhill[static_cast<std::size_t>(i)][k] - wanted));
    }
    for (Index e = part.pattern.offsets[i]; e < part.pattern.offsets[i + 1]; ++e) {
      const Mat3& wanted = expected.blocks.at({map.to_global(i), map.to_global(part.pattern.columns[e])});
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          size = std::max(size, std::abs(wanted(r, c)));
          block_error = std::max(block_error, std::abs(values[static_cast<std::size_t>(e)](r, c) - wanted(r, c)));
        }
    }
  }
  EXPECT_LE(block_error, 1e-12 * size);
  EXPECT_LE(force_error, 1e-12 * force);
}

TEST(AssemblyPlan, AddsUpTheHessiansOfAllTetrahedraOnAnyRanks) {
  const Box box{4};
  for (const bool all_projected : {true, false}) {
    const PlainSum expected(box, all_projected);
    for_each_part(box, [&](Part& part) { expect_sum(part, expected, all_projected); });
  }
}

TEST(AssemblyPlan, AddsUpTheHessiansOfAllTetrahedraOverSeveralTiles) {
  const Communicator alone = world().split(world().rank());
  if (!world().is_root()) return;
  Part part(large, alone, -1);
#ifndef UNBARRED_CUDA
  ASSERT_GT(part.plan.tiles.size(), 1u);
#endif
  expect_sum(part, PlainSum(large, false), false);
}

TEST(AssemblyPlan, TellsExactSecondDerivativesFromProjectedOnes) {
  const Box box{2};
  const PlainSum projected(box, true), some(box, false);
  Real largest = 0, difference = 0;
  for (const auto& [place, block] : projected.blocks) {
    largest = std::max(largest, squared_norm(block));
    difference = std::max(difference, squared_norm(block - some.blocks.at(place)));
  }
  EXPECT_GT(difference, 1e-6 * largest);
}

TEST(AssemblyPlan, GradientOfATileHasTheBitsOfTheWholeAndLeavesOtherRows) {
  const Communicator alone = world().split(world().rank());
  if (!world().is_root()) return;
  Part part(large, alone, -1);
  const std::vector<Vec3> downhill = part.assemble_all(true);
  const auto last = static_cast<Index>(part.plan.tiles.size() - 1);
  const Index tiles[1] = {last};
  DeviceArray<Vec3> gradient(std::vector<Vec3>(downhill.size(), Vec3{{7, 7, 7}}));
  elastic_gradient(part.elastic, part.plan, tiles, time_step, part.x.view(), part.goal.view(), part.window,
                   gradient.view());
  const std::vector<Vec3> found = gradient.to_host();
  const AssemblyTile& tile = part.plan.tiles[static_cast<std::size_t>(last)];
  for (Index i = 0; i < part.mesh.map.owned(); ++i)
    for (int k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(i);
      EXPECT_EQ(found[v][k], i >= tile.row_begin && i < tile.row_end ? -downhill[v][k] : 7) << i;
    }
}

TEST(AssemblyPlan, PatternHasEveryPairOfVerticesOfATetrahedronAndNoOther) {
  const Box box{4};
  std::map<GlobalIndex, std::set<GlobalIndex>> neighbours;
  for (GlobalIndex t = 0; t < box.tetrahedron_count(); ++t)
    for (const GlobalIndex a : box.tetrahedron(t).v)
      for (const GlobalIndex b : box.tetrahedron(t).v) neighbours[a].insert(b);
  for_each_part(box, [&](Part& part) {
    const IndexMap& map = part.mesh.map;
    ASSERT_EQ(part.pattern.rows(), map.owned());
    for (Index i = 0; i < map.owned(); ++i) {
      const auto begin = part.pattern.columns.begin() + part.pattern.offsets[i],
                 end = part.pattern.columns.begin() + part.pattern.offsets[i + 1];
      EXPECT_TRUE(std::is_sorted(begin, end)) << i;
      std::set<GlobalIndex> found;
      for (auto at = begin; at != end; ++at) found.insert(map.to_global(*at));
      EXPECT_EQ(found.size(), static_cast<std::size_t>(end - begin)) << i;
      EXPECT_EQ(found, neighbours[map.to_global(i)]) << i;
      EXPECT_EQ(part.pattern.columns[static_cast<std::size_t>(part.pattern.diagonal[i])], i);
    }
  });
}

/// Of a run: whole packs of tetrahedra of its material, ascending, the last one repeated.
void expect_run(const Part& part, const MaterialRun& run, const Index* slots, std::set<Index>& met) {
  EXPECT_EQ(run.begin % lanes<KernelReal>, 0);
  EXPECT_EQ(run.end % lanes<KernelReal>, 0);
  EXPECT_LT(run.begin, run.end);
  for (Index slot = run.begin; slot < run.end; ++slot) {
    EXPECT_EQ(part.mesh.material[static_cast<std::size_t>(slots[slot])], run.material);
    if (slot == run.begin || slots[slot] > slots[slot - 1]) {
      EXPECT_TRUE(met.insert(slots[slot]).second) << "tetrahedron " << slots[slot] << " comes twice";
      continue;
    }
    EXPECT_EQ(slots[slot], slots[slot - 1]);
    EXPECT_LT(run.end - slot, lanes<KernelReal>) << "padding of more than a pack";
  }
}

void expect_tiles(const Part& part) {
  const std::vector<Index> slots = part.plan.slot_tetrahedra.to_host();
  Index row = 0, largest = 0;
  std::int64_t slot = 0;
  for (const AssemblyTile& tile : part.plan.tiles) {
    EXPECT_EQ(tile.row_begin, row);
    EXPECT_LT(tile.row_begin, tile.row_end);
    EXPECT_EQ(tile.first_slot, slot);
    std::set<Index> met, expected;
    Index at = 0;
    for (const MaterialRun& run : tile.runs) {
      EXPECT_EQ(run.begin, at);
      expect_run(part, run, slots.data() + tile.first_slot, met);
      at = run.end;
    }
    EXPECT_EQ(tile.slots(), at);
    for (std::size_t t = 0; t < part.mesh.tetrahedra.size(); ++t)
      for (const Index v : part.mesh.tetrahedra[t])
        if (v >= tile.row_begin && v < tile.row_end) expected.insert(static_cast<Index>(t));
    EXPECT_EQ(met, expected);
    row = tile.row_end;
    slot += tile.slots();
    largest = std::max(largest, tile.slots());
  }
  EXPECT_EQ(row, part.mesh.map.owned());
  EXPECT_EQ(slot, static_cast<std::int64_t>(slots.size()));
  EXPECT_EQ(part.plan.largest_tile, largest);
}

TEST(AssemblyPlan, TilesHoldEveryTetrahedronOfTheirRowsOnceInWholePacksOfAMaterial) {
  for_each_part(Box{4}, [](Part& part) { expect_tiles(part); });
  const Communicator alone = world().split(world().rank());
  if (world().is_root()) expect_tiles(Part(large, alone, -1));
}

/// The sources of a row name each tetrahedron around it once: its force, and its block to each other vertex.
void expect_sources(const Part& part) {
  const AssemblyPlan& plan = part.plan;
  const std::vector<Index> slots = plan.slot_tetrahedra.to_host(), block_offsets = plan.block_offsets.to_host(),
                           blocks = plan.block_sources.to_host(), force_offsets = plan.force_offsets.to_host(),
                           forces = plan.force_sources.to_host();
  std::vector<Index> offsets, around;
  vertex_tetrahedra(part.mesh.map.owned(), part.mesh.tetrahedra, offsets, around);
  for (const AssemblyTile& tile : plan.tiles)
    for (Index i = tile.row_begin; i < tile.row_end; ++i) {
      const std::set<Index> here(around.begin() + offsets[i], around.begin() + offsets[i + 1]);
      std::set<Index> met;
      for (Index k = force_offsets[i]; k < force_offsets[i + 1]; ++k) {
        const Index t = slots[static_cast<std::size_t>(tile.first_slot + forces[k] / 4)];
        EXPECT_TRUE(met.insert(t).second);
        EXPECT_EQ(part.mesh.tetrahedra[t][forces[k] % 4], i);
      }
      EXPECT_EQ(met, here);
      std::set<std::pair<Index, Index>> given, wanted;  // tetrahedron, column
      for (const Index t : here)
        for (const Index v : part.mesh.tetrahedra[t])
          if (v != i) wanted.insert({t, v});
      for (Index e = part.pattern.offsets[i]; e < part.pattern.offsets[i + 1]; ++e)
        for (Index k = block_offsets[e]; k < block_offsets[e + 1]; ++k) {
          const Index t = slots[static_cast<std::size_t>(tile.first_slot + blocks[k] / 16)];
          const int edge = blocks[k] / 2 % 8, from = blocks[k] % 2;
          EXPECT_EQ(part.mesh.tetrahedra[t][tetrahedron_edge(edge, from)], i);
          EXPECT_EQ(part.mesh.tetrahedra[t][tetrahedron_edge(edge, 1 - from)], part.pattern.columns[e]);
          EXPECT_TRUE(given.insert({t, part.pattern.columns[e]}).second);
        }
      EXPECT_EQ(given, wanted);
    }
}

TEST(AssemblyPlan, SourcesOfARowNameEveryTetrahedronAroundItOnce) {
  for_each_part(Box{4}, [](Part& part) { expect_sources(part); });
  const Communicator alone = world().split(world().rank());
  if (world().is_root()) expect_sources(Part(large, alone, -1));
}

}  // namespace
}  // namespace unbarred::test
