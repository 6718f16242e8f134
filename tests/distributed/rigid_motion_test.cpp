// What RigidMotion adds to a solution balances the forces and torques on every free body, on 1 to 4 ranks, with contact
// between bodies; as a preconditioner it is symmetric.
#include "dynamics/step/rigid_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "app/simulation.hpp"
#include "linear/pcg.hpp"
#include "support/gather.hpp"
#include "support/small_pile.hpp"
#include "support/waves.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

struct Sums {
  Vec3 force{{0, 0, 0}}, torque{{0, 0, 0}};
  Real size = 0;  // sum |r|
};

/// Of r, by body.
std::vector<Sums> sums_of(Simulation& s, const Communicator& part, const std::vector<Vec3>& r,
                          const std::vector<Vec3>& x) {
  std::vector<Sums> sums(s.energy().bodies());
  for (Index i = 0; i < s.map().owned(); ++i) {
    const auto v = static_cast<std::size_t>(i);
    Sums& of = sums[static_cast<std::size_t>(s.mesh().vertex_body[v])];
    of.force += r[v];
    of.torque += cross(x[v], r[v]);
    of.size += std::sqrt(squared_norm(r[v]));
  }
  for (Sums& of : sums) part.sum(std::span<Real>(&of.force[0], 7));
  return sums;
}

/// A few boxes that touch each other and the floor.
struct Touching {
  explicit Touching(const Communicator& part)
      : simulation({small_pile(), local_mesh(small_pile(), part, 5)}, part),
        fixed(DeviceArray<AxisMask>::zeros(simulation.map().local())) {
    while (simulation.state().step < 12) simulation.advance();
    x = simulation.state().x.to_host();
  }
  Simulation simulation;
  DeviceArray<AxisMask> fixed;
  std::vector<Vec3> x;
};

std::vector<Vec3> corrected(const Communicator& part) {
  Touching touching(part);
  Simulation& s = touching.simulation;
  EXPECT_GT(part.sum(static_cast<Real>(s.contact()->active().size())), 0);
  const LinearSystem system{part, s.map(), s.halo(), s.matrix(), touching.fixed, &s.contact()->terms()};
  RigidMotion rigid(part, s.map(), s.energy());
  rigid.linearize(system, s.state().x);
  rigid.couple(s.contact()->terms(), s.state().x);
  EXPECT_TRUE(rigid.some());
  const Field b = wave(s.map(), touching.x, 10, 0);
  Field p(s.map()), image(s.map());
  rigid.correct(system, b, p);
  std::vector<Vec3> step = gather(part, s.map(), p);
  apply(system, p, image);
  std::vector<Vec3> left = b.to_host();
  const std::vector<Vec3> done = image.to_host();
  for (std::size_t v = 0; v < left.size(); ++v) left[v] = left[v] - done[v];
  const std::vector<Sums> sums = sums_of(s, part, left, touching.x);
  for (std::size_t body = 0; body < sums.size(); ++body) {
    if (s.energy().held()[body] != 0) continue;
    EXPECT_LT(std::sqrt(squared_norm(sums[body].force)), 1e-5 * sums[body].size) << "body " << body;
    EXPECT_LT(std::sqrt(squared_norm(sums[body].torque)), 1e-5 * sums[body].size) << "body " << body;
  }
  return step;
}

TEST(RigidMotion, BalancesForcesAndTorquesOfEveryBodyOnAnyRanks) {
  const std::vector<Vec3> alone = corrected(world().split(world().rank()));
  for (const int ranks : {2, 3, 4}) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    EXPECT_LT(relative_difference(corrected(part), alone), 1e-5) << ranks << " ranks";
  }
}

TEST(RigidMotion, IsASymmetricPreconditioner) {
  const Communicator part = group(2);
  if (!works_in(2)) return;
  Touching touching(part);
  Simulation& s = touching.simulation;
  const LinearSystem system{part, s.map(), s.halo(), s.matrix(), touching.fixed, &s.contact()->terms()};
  RigidMotion rigid(part, s.map(), s.energy());
  rigid.linearize(system, s.state().x);
  rigid.couple(s.contact()->terms(), s.state().x);
  const Field a = wave(s.map(), touching.x, 10, 0), b = wave(s.map(), touching.x, 10, 1);
  Field of_a(s.map()), of_b(s.map());
  const Real squared = rigid.add_correction(a.owned(), of_a.write_owned());
  rigid.add_correction(b.owned(), of_b.write_owned());
  EXPECT_GT(squared, 0);
  EXPECT_NEAR(product(part, a, of_a), squared, 1e-12 * squared);
  EXPECT_NEAR(product(part, a, of_b), product(part, b, of_a), 1e-12 * squared);
}

}  // namespace
}  // namespace unbarred::test
