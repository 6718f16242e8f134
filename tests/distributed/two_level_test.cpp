// The coarse space of aggregates: symmetric, few iterations where block-Jacobi takes many, the same solution, with and
// without contact, on 1 to 4 ranks.
#include "linear/two_level.hpp"

#include <gtest/gtest.h>

#include "app/simulation.hpp"
#include "linear/aggregates.hpp"
#include "linear/pcg.hpp"
#include "support/gather.hpp"
#include "support/small_pile.hpp"
#include "support/waves.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

BlockPattern pattern_of(const Simulation& s) {
  return vertex_graph_pattern(s.mesh().map.owned(), s.mesh().map.local(), s.mesh().tetrahedra);
}

TwoLevel two_level(const Communicator& part, Simulation& s) {
  return {part, s.map(), s.halo(), pattern_of(s), s.mesh().vertex_body, TwoLevel::Options{}};
}

/// A stiff beam, one end of it held, after a step.
struct Beam {
  explicit Beam(const Communicator& part) : simulation(scene(), part), fixed(simulation.map().local()) {
    simulation.advance();
    x = simulation.state().x.to_host();
    std::vector<AxisMask> masks;
    for (const Vec3& at : x) masks.push_back(at[0] < -0.99 ? 7 : 0);
    fixed.assign_host(masks);
  }
  static Scene scene() {
    Scene scene = box_scene({{2, 0.1, 0.1}}, {{60, 3, 3}}, material(MaterialModel::stable_neo_hookean, 1e9, 0.3));
    scene.gravity = {{0, 0, -9.81}};
    return scene;
  }
  Simulation simulation;
  DeviceArray<AxisMask> fixed;
  std::vector<Vec3> x;
};

struct Solved {
  int iterations = 0;
  std::vector<Vec3> p;
};

Solved solve(const Communicator& part, Simulation& s, const DeviceArray<AxisMask>& fixed, CoarseSpace* coarse,
             CoarseSpace* stronger, const Field& b) {
  LinearSystem system{part, s.map(), s.halo(), s.matrix(), fixed, s.contact() ? &s.contact()->terms() : nullptr};
  system.coarse = coarse;
  system.stronger = stronger;
  Pcg pcg(s.map(), {.tolerance = 1e-10, .maximum_iterations = 20000});
  Field p(s.map());
  const SolveReport report = pcg.solve(system, b, p);
  EXPECT_EQ(report.reason, SolveReason::converged);
  return {report.iterations, gather(part, s.map(), p)};
}

std::vector<Solved> solve_beam(const Communicator& part) {
  Beam beam(part);
  Simulation& s = beam.simulation;
  TwoLevel coarse = two_level(part, s);
  coarse.linearize(s.matrix(), beam.fixed.view(), s.state().x);
  const Field b = wave(s.map(), beam.x, 1, 0);
  const Solved jacobi = solve(part, s, beam.fixed, nullptr, nullptr, b),
               both = solve(part, s, beam.fixed, &coarse, nullptr, b),
               late = solve(part, s, beam.fixed, nullptr, &coarse, b);
  return {jacobi, both, late};
}

TEST(TwoLevel, TakesATenthOfTheIterationsOnAStiffBeamOnAnyRanks) {
  const std::vector<Solved> alone = solve_beam(world().split(world().rank()));
  const auto& [jacobi, both, late] = std::tie(alone[0], alone[1], alone[2]);
  EXPECT_LT(10 * both.iterations, jacobi.iterations);
  EXPECT_LT(late.iterations, both.iterations + 60);
  EXPECT_GT(late.iterations, 50);
  EXPECT_LT(relative_difference(both.p, jacobi.p), 1e-6);
  EXPECT_LT(relative_difference(late.p, jacobi.p), 1e-6);
  for (const int ranks : {2, 3, 4}) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    const std::vector<Solved> shared = solve_beam(part);
    EXPECT_LT(shared[1].iterations, 1.25 * both.iterations) << ranks << " ranks";
    EXPECT_LT(relative_difference(shared[1].p, both.p), 1e-6) << ranks << " ranks";
  }
}

std::vector<Vec3> solve_pile(const Communicator& part) {
  Simulation s({small_pile(), local_mesh(small_pile(), part, 5)}, part);
  while (s.state().step < 12) s.advance();
  EXPECT_GT(part.sum(static_cast<Real>(s.contact()->active().size())), 0);
  std::vector<AxisMask> masks;
  for (const std::int32_t body : s.mesh().vertex_body)
    masks.push_back(s.energy().held()[static_cast<std::size_t>(body)] != 0 ? 7 : 0);
  const DeviceArray<AxisMask> fixed(masks);
  TwoLevel coarse = two_level(part, s);
  coarse.linearize(s.matrix(), fixed.view(), s.state().x);
  coarse.couple(&s.contact()->terms());
  const std::vector<Vec3> x = s.state().x.to_host();
  const Field a = wave(s.map(), x, 1, 0), b = wave(s.map(), x, 1, 1);
  Field of_a(s.map()), of_b(s.map());
  const Real squared = coarse.add_correction(a.owned(), of_a.write_owned());
  coarse.add_correction(b.owned(), of_b.write_owned());
  EXPECT_GT(squared, 0);
  EXPECT_NEAR(product(part, a, of_a), squared, 1e-11 * squared);
  EXPECT_NEAR(product(part, a, of_b), product(part, b, of_a), 1e-9 * squared);
  return solve(part, s, fixed, &coarse, nullptr, a).p;
}

TEST(TwoLevel, IsSymmetricWithContactAndSolvesTheSame) {
  const std::vector<Vec3> alone = solve_pile(world().split(world().rank()));
  for (const int ranks : {2, 3, 4}) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    EXPECT_LT(relative_difference(solve_pile(part), alone), 1e-6) << ranks << " ranks";
  }
}

TEST(TwoLevel, AggregatesHoldEveryVertexOfABodyAndNoOther) {
  const Communicator part = group(2);
  if (!works_in(2)) return;
  Simulation s({small_pile(), local_mesh(small_pile(), part, 5)}, part);
  const BlockPattern pattern = pattern_of(s);
  const std::vector<std::int32_t>& body = s.mesh().vertex_body;
  const std::vector<std::int32_t> of = make_aggregates(pattern, body, 8);
  std::vector<int> size, its_body;
  for (std::size_t v = 0; v < of.size(); ++v) {
    const bool alone = pattern.offsets[v + 1] - pattern.offsets[v] == 1;
    ASSERT_EQ(of[v] < 0, alone) << v;
    if (alone) continue;
    const auto a = static_cast<std::size_t>(of[v]);
    if (a >= size.size()) {
      size.resize(a + 1, 0);
      its_body.resize(a + 1, body[v]);
    }
    if (size[a]++ == 0) its_body[a] = body[v];
    EXPECT_EQ(its_body[a], body[v]);
  }
  for (const int n : size) {
    EXPECT_GE(n, 1);
    EXPECT_LT(n, 3 * 8);
  }
}

}  // namespace
}  // namespace unbarred::test
