// Forces, pressures and gaps of contact on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "dynamics/output/contact_output.hpp"
#include "support/contact_scene.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

/// Rows that each rank adds for the vertices that it owns.
struct Totals {
  Vec3 sum{{0, 0, 0}}, on_box{{0, 0, 0}}, friction_on_box{{0, 0, 0}};  ///< N
  Real size = 0;                                                       ///< sum of |components|, N
  Real least_gap = 1e300;
  std::int64_t with_gap = 0;
};

Totals totals(const Simulation& simulation, const VertexContact& contact, const Communicator& communicator) {
  Totals t;
  for (Index v = 0; v < simulation.map().owned(); ++v) {
    const bool of_box = simulation.mesh().vertex_body[v] == 0;
    for (const std::vector<Vec3>* field : {&contact.normal, &contact.friction}) {
      const Vec3 f = (*field)[v];
      t.sum += f;
      t.size += std::abs(f[0]) + std::abs(f[1]) + std::abs(f[2]);
      if (of_box) (field == &contact.normal ? t.on_box : t.friction_on_box) += f;
    }
    if (std::isnan(contact.gap[v])) continue;
    ++t.with_gap;
    t.least_gap = std::min(t.least_gap, contact.gap[v]);
  }
  for (Vec3* vector : {&t.sum, &t.on_box, &t.friction_on_box}) communicator.sum(std::span<Real>(vector->x, 3));
  t.size = communicator.sum(t.size);
  t.least_gap = communicator.min(t.least_gap);
  t.with_gap = communicator.sum(t.with_gap);
  return t;
}

/// The simulation after some steps, with its output.
struct Stepped {
  Stepped(const Scene& scene, const Communicator& communicator, int steps)
      : simulation(scene, communicator),
        output(*simulation.contact(), simulation.map(), simulation.halo(), communicator, scene.time_step) {
    for (int i = 0; i < steps; ++i) record = simulation.advance();
  }
  Simulation simulation;
  ContactOutput output;
  StepRecord record;
};

Scene sliding_box() {
  Scene scene = box_on_floor(3);
  scene.bodies[0].velocity = {{1, -0.5, 0.3}};
  tighten(scene);
  return scene;
}

TEST(ContactOutput, ActionIsReactionOnAnyNumberOfRanks) {
  std::vector<BodyForce> reference;
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    Stepped stepped(sliding_box(), ring, 6);
    const Totals t = totals(stepped.simulation, stepped.output.at_vertices(), ring);
    EXPECT_GT(t.size, weight_of_box);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(t.sum[k], 0, 1e-14 * t.size);
    // The box slides: friction holds it back with 0.3 of what the floor carries.
    const Vec3 friction = t.friction_on_box;
    EXPECT_LT(friction[0], 0);
    EXPECT_NEAR(std::hypot(friction[0], friction[2]), 0.3 * t.on_box[1], 0.02 * t.on_box[1]);
    EXPECT_NEAR(friction[2] / friction[0], 0.3, 0.05);

    const std::vector<BodyForce> between = stepped.output.between_bodies();
    if (!ring.is_root()) {
      EXPECT_TRUE(between.empty());
      continue;
    }
    ASSERT_EQ(between.size(), 1u);
    EXPECT_EQ(between[0].body_a, 0);
    EXPECT_EQ(between[0].body_b, 1);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(between[0].normal[k], t.on_box[k], 1e-13 * t.size);
      EXPECT_NEAR(between[0].friction[k], t.friction_on_box[k], 1e-13 * t.size);
    }
    if (ranks == 1) reference = between;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(between[0].normal[k], reference[0].normal[k], 1e-4 * t.size);
  }
}

TEST(ContactOutput, ARestingBoxIsCarriedWithItsWeightAndPressesWithItsHeight) {
  Scene scene = box_on_floor(4);
  Stepped stepped(scene, world(), 60);
  const VertexContact contact = stepped.output.at_vertices();
  const Totals t = totals(stepped.simulation, contact, world());
  EXPECT_NEAR(t.on_box[1], weight_of_box, 0.01 * weight_of_box);
  EXPECT_NEAR(t.least_gap, *stepped.record.gap_min, 1e-15);

  // Inside of the lower face the vertices' shares of the surface lie in it. The few pairs above rest carry less.
  const std::vector<Vec3> x = stepped.simulation.state().x.to_host();
  std::array<Real, 3> inside{0, 0, 0};  // pressures, their count, gaps missing
  Real most = 0, above = 0;
  for (Index v = 0; v < stepped.simulation.map().owned(); ++v) {
    if (stepped.simulation.mesh().vertex_body[v] != 0) continue;
    const Real y = x[v][1] + stepped.simulation.scene().origin[1];
    if (y > 0.02) above = std::max(above, contact.pressure[v]);
    if (y > 0.02 || std::abs(x[v][0]) > 0.08 || std::abs(x[v][2]) > 0.08) continue;
    inside[0] += contact.pressure[v];
    inside[1] += 1;
    inside[2] += std::isnan(contact.gap[v]) ? 1 : 0;
    most = std::max(most, contact.pressure[v]);
  }
  world().sum(inside);
  const Real expected = 1000 * 9.81 * 0.2;
  EXPECT_EQ(inside[1], 9);
  EXPECT_EQ(inside[2], 0);
  EXPECT_NEAR(inside[0] / inside[1], expected, 0.1 * expected);
  EXPECT_LT(world().max(most), 2 * expected);
  EXPECT_EQ(world().max(above), 0);
}

TEST(ContactOutput, GhostsHaveTheValuesOfTheirOwners) {
  Stepped stepped(sliding_box(), world(), 4);
  const VertexContact contact = stepped.output.at_vertices();
  const IndexMap& map = stepped.simulation.map();
  Field force(map), scalars(map);
  std::vector<Vec3> owned(contact.normal.begin(), contact.normal.begin() + map.owned()), others;
  for (Index v = 0; v < map.owned(); ++v)
    others.push_back({{contact.pressure[v], contact.gap[v], contact.friction[v][0]}});
  set_owned(force, stepped.simulation.halo(), owned);
  set_owned(scalars, stepped.simulation.halo(), others);
  const std::vector<Vec3> forces = force.to_host(), numbers = scalars.to_host();
  for (Index v = map.owned(); v < map.local(); ++v) {
    EXPECT_EQ(forces[v][1], contact.normal[v][1]);
    EXPECT_EQ(numbers[v][0], contact.pressure[v]);
    EXPECT_EQ(numbers[v][2], contact.friction[v][0]);
    const Real owners = numbers[v][1], gap = contact.gap[v];
    EXPECT_TRUE(std::isnan(owners) ? std::isnan(gap) : owners == gap);
  }
}

TEST(ContactOutput, EveryPairIsALineOnceBetweenItsClosestPoints) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator ring = group(ranks);
    if (!works_in(ranks)) continue;
    Stepped stepped(sliding_box(), ring, 6);
    const std::vector<ContactLine> lines = stepped.output.lines();
    std::int64_t active = 0;
    for (const ContactLine& line : lines) {
      EXPECT_NEAR(std::sqrt(squared_norm(line.a - line.b)), line.gap, 1e-12);
      EXPECT_EQ(line.body_a + line.body_b, 1);
      const Vec3& on_floor = line.body_a == 1 ? line.a : line.b;
      EXPECT_NEAR(on_floor[1] + stepped.simulation.scene().origin[1], 0, 1e-12);
      active += line.active;
    }
    EXPECT_GT(stepped.record.pairs, 0);
    EXPECT_EQ(ring.sum(static_cast<std::int64_t>(lines.size())), stepped.record.pairs);
    EXPECT_EQ(ring.sum(active), stepped.record.pairs_active);
  }
}

}  // namespace
}  // namespace unbarred::test
