// Bodies in which exact second derivatives are not definite are the same on 1, 3 and 4 ranks.
#include <gtest/gtest.h>

#include "support/gather.hpp"
#include "support/pressed_bar.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

struct Result {
  std::vector<Vec3> x;
  int failures = 0;  ///< solves that were not definite
};

Result run(const Scene& scene, const Communicator& communicator) {
  Simulation simulation(scene, communicator);
  Result result;
  for (int i = 0; i < 8; ++i)
    for (const LinearSolveRecord& solve : simulation.advance().solves)
      result.failures += solve.reason == "indefinite" ? 1 : 0;
  result.x = gather(communicator, simulation.map(), simulation.state().x);
  return result;
}

TEST(HessianChoice, IsTheSameOnAnyRanks) {
  for (const MaterialModel model : {MaterialModel::neo_hookean, MaterialModel::corotated}) {
    Scene scene = pressed_bar(model);
    tighten(scene);
    const Result alone = run(scene, world().split(world().rank()));
    EXPECT_GT(alone.failures, 0);
    for (const int ranks : {3, 4}) {
      if (ranks > world().size()) continue;
      const Communicator part = group(ranks);
      if (!works_in(ranks)) continue;
      const Result result = run(scene, part);
      if (part.is_root()) std::printf("%d ranks: %d of %d failed solves\n", ranks, result.failures, alone.failures);
      EXPECT_GT(result.failures, 0);
      EXPECT_LT(relative_difference(result.x, alone.x), 1e-9);
    }
  }
}

}  // namespace
}  // namespace unbarred::test
