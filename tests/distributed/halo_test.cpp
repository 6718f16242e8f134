#include "partitioning/halo.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "partitioning/field.hpp"
#include "partitioning/partitioner.hpp"
#include "support/box_mesh.hpp"
#include "support/random_owners.hpp"
#include "support/world.hpp"

namespace unbarred::test {

/// Calls f(communicator, map, halo) on 1, 2, 3 and 4 ranks, for a random partition and one with an idle rank.
template <class F>
static void for_each_halo(F f) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    const auto transport = make_transport(ring);
    for (int idle : {-1, ranks - 1}) {
      BlockMesh block = Box{4}.mesh(ring);
      const std::vector<int> owners = random_owners(ring, block, 7, idle);
      const LocalMesh mesh = distribute(std::move(block), owners, ring);
      Halo halo(ring, mesh.map, *transport);
      f(ring, mesh.map, halo);
    }
  }
}

static Real value_of(GlobalIndex vertex, int component) { return static_cast<Real>(vertex) + 0.01 * component; }

static std::vector<Real> random_values(const IndexMap& map, int width, int seed, const Communicator& ring) {
  std::mt19937 random(static_cast<unsigned>(seed + 100 * ring.rank()));
  std::uniform_real_distribution<Real> any(-1, 1);
  std::vector<Real> values(static_cast<std::size_t>(map.local()) * width);
  for (Real& value : values) value = any(random);
  return values;
}

TEST(Halo, ForwardBringsOwnerValuesToGhosts) {
  for_each_halo([](const Communicator&, const IndexMap& map, Halo& halo) {
    for (int width : {1, 3, 9}) {
      std::vector<Real> values(static_cast<std::size_t>(map.local()) * width, -1);
      for (Index v = 0; v < map.owned(); ++v)
        for (int k = 0; k < width; ++k) values[v * width + k] = value_of(map.to_global(v), k);
      DeviceArray<Real> device(values);
      halo.forward(device.view(), width);
      const std::vector<Real> after = device.to_host();
      for (Index v = 0; v < map.local(); ++v)
        for (int k = 0; k < width; ++k) EXPECT_EQ(after[v * width + k], value_of(map.to_global(v), k));
    }
  });
}

TEST(Halo, ReverseAddIsTheAdjointOfForward) {
  for_each_halo([](const Communicator& ring, const IndexMap& map, Halo& halo) {
    const int width = 3;
    const std::size_t owned = static_cast<std::size_t>(map.owned()) * width;
    // x is given on owners (forward extends it), g on all local vertices.
    const std::vector<Real> g = random_values(map, width, 1, ring), x = random_values(map, width, 2, ring);
    DeviceArray<Real> device_g(g), device_x(x);
    halo.forward(device_x.view(), width);
    halo.reverse_add(device_g.view(), width);
    const std::vector<Real> added = device_g.to_host(), extended = device_x.to_host();
    Real left = 0, right = 0;
    for (std::size_t i = 0; i < owned; ++i) left += added[i] * x[i];
    for (std::size_t i = 0; i < g.size(); ++i) right += g[i] * extended[i];
    for (std::size_t i = owned; i < g.size(); ++i) EXPECT_EQ(added[i], g[i]) << "ghosts keep their values";
    EXPECT_NEAR(ring.sum(left), ring.sum(right), 1e-11);
  });
}

TEST(Halo, ReverseAddGivesTheSameBitsAgain) {
  for_each_halo([](const Communicator& ring, const IndexMap& map, Halo& halo) {
    const std::vector<Real> values = random_values(map, 3, 5, ring);
    std::vector<std::vector<Real>> results;
    for (int repeat = 0; repeat < 5; ++repeat) {
      DeviceArray<Real> device(values);
      halo.reverse_add(device.view(), 3);
      results.push_back(device.to_host());
    }
    for (const auto& result : results) EXPECT_EQ(result, results.front());
  });
}

TEST(Halo, CountsItsMessages) {
  for_each_halo([](const Communicator& ring, const IndexMap& map, Halo& halo) {
    EXPECT_EQ(ring.sum(halo.forward_values()), ring.sum(static_cast<std::int64_t>(map.ghosts())));
    EXPECT_LT(halo.neighbours(), ring.size());
    EXPECT_EQ(halo.neighbours() == 0, map.ghosts() == 0 && halo.forward_values() == 0);
  });
}

TEST(Field, RefusesStaleGhosts) {
  for_each_halo([](const Communicator&, const IndexMap& map, Halo& halo) {
    Field field(map);
    EXPECT_NO_THROW(field.local());
    field.write_owned();
    EXPECT_THROW(field.local(), std::logic_error);
    field.forward(halo);
    EXPECT_EQ(field.local().size(), map.local());
  });
}

}  // namespace unbarred::test
