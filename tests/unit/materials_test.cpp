// Materials at states with a closed form.
#include "model/materials.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "model/cauchy_stress.hpp"
#include "model/principal_hessian.hpp"
#include "support/random_matrices.hpp"

namespace unbarred {
namespace {

const Mat3 identity = diagonal(1.0, 1.0, 1.0);

template <class Material>
class MaterialsAtRest : public testing::Test {};
using AllMaterials = testing::Types<StableNeoHookean, NeoHookean, Corotated>;
TYPED_TEST_SUITE(MaterialsAtRest, AllMaterials);

TYPED_TEST(MaterialsAtRest, nothing_is_stored_and_nothing_pulls) {
  const TypeParam material = TypeParam::from(2e6, 0.3);
  EXPECT_EQ(material.energy(identity), 0);
  EXPECT_EQ(squared_norm(first_piola(principal_state(material, identity))), 0);
}

TYPED_TEST(MaterialsAtRest, hessian_is_that_of_linear_elasticity) {
  for (const Real poisson : {-0.3, 0.0, 0.3, 0.49}) {
    const Real young = 2e6;
    const TypeParam material = TypeParam::from(young, poisson);
    const PrincipalState<Real> state = principal_state<Definiteness::exact>(material, identity);
    const Lame lame = lame_parameters(young, poisson);
    const Real tolerance = 1e-14 * (lame.mu + std::fabs(lame.lambda));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(state.scaling(i, j), lame.lambda + (i == j ? 2 * lame.mu : 0), 2 * tolerance);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(state.twist[k], 0, tolerance);
      EXPECT_NEAR(state.flip[k], 2 * lame.mu, tolerance);
    }
  }
}

TEST(Lame, known_moduli) {
  const Lame lame = lame_parameters(2.5, 0.25);
  EXPECT_DOUBLE_EQ(lame.mu, 1);
  EXPECT_DOUBLE_EQ(lame.lambda, 1);
  EXPECT_DOUBLE_EQ(lame_parameters(3, 0).lambda, 0);
}

TEST(Materials, energies_of_a_stretch_are_the_formulas) {
  const Mat3 F = diagonal(2.0, 0.5, 1.5);  // J = 1.5, tr F^T F = 6.5
  const Real mu = 3, lambda = 5, logarithm = std::log(1.5);
  EXPECT_NEAR((StableNeoHookean{mu, lambda}.energy(F)), 0.5 * mu * 3.5 - mu * 0.5 + 0.5 * lambda * 0.25, 1e-14);
  EXPECT_NEAR((NeoHookean{mu, lambda}.energy(F)),
              0.5 * mu * 3.5 - mu * logarithm + 0.5 * lambda * logarithm * logarithm, 1e-14);
  EXPECT_NEAR((Corotated{mu, lambda}.energy(F)), mu * 1.5 + 0.5 * lambda, 1e-14);
}

TEST(NeoHookean, is_infinite_without_volume) {
  const NeoHookean material = NeoHookean::from(1e6, 0.3);
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  EXPECT_EQ(material.energy(diagonal(1.0, 1.0, 0.0)), infinity);
  EXPECT_EQ(material.energy(diagonal(1.0, 1.0, -1.0)), infinity);
  EXPECT_EQ(material.energy(diagonal(-1e-3, 1.0, 1.0)), infinity);
  EXPECT_TRUE(std::isfinite(material.energy(diagonal(1.0, 1.0, 1e-12))));
  EXPECT_GT(material.energy(diagonal(1.0, 1.0, 1e-12)), material.energy(diagonal(1.0, 1.0, 1e-6)));
  Mat3T<Pack<4>> lanes_of_F = diagonal(Pack<4>(1), Pack<4>(1), Pack<4>(1));
  set_lane(lanes_of_F(2, 2), 1, -1.0);
  EXPECT_EQ(lane(material.energy(lanes_of_F), 0), 0);
  EXPECT_EQ(lane(material.energy(lanes_of_F), 1), infinity);
}

TEST(NeoHookean, may_not_invert_the_others_may) {
  EXPECT_FALSE(NeoHookean::allows_inversion);
  EXPECT_TRUE(StableNeoHookean::allows_inversion);
  EXPECT_TRUE(Corotated::allows_inversion);
}

TEST(CauchyStress, of_a_stretched_neo_hookean_bar) {
  const NeoHookean material{3, 5};
  const Mat3 F = diagonal(2.0, 0.5, 1.5);
  const SymmetricTensor<Real> stress = cauchy_stress(material, F);
  const auto principal = [&](Real s) { return (3 * (s * s - 1) + 5 * std::log(1.5)) / 1.5; };
  EXPECT_NEAR(stress.xx, principal(2), 1e-14);
  EXPECT_NEAR(stress.yy, principal(0.5), 1e-14);
  EXPECT_NEAR(stress.zz, principal(1.5), 1e-14);
  EXPECT_NEAR(std::fabs(stress.xy) + std::fabs(stress.yz) + std::fabs(stress.xz), 0, 1e-14);
}

TEST(CauchyStress, is_first_piola_times_F_over_J) {
  const StableNeoHookean material = StableNeoHookean::from(1, 0.4);
  test::RandomMatrices random(7);
  for (int n = 0; n < 50; ++n) {
    const Mat3 F = random.matrix();
    const Mat3 expected = (1 / determinant(F)) * (first_piola(principal_state(material, F)) * transposed(F));
    const SymmetricTensor<Real> s = cauchy_stress(material, F);
    const Mat3 found{{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
    const Real scale = 1 + std::sqrt(squared_norm(expected));
    EXPECT_LT(test::difference(found, expected), 1e-11 * scale) << "seed 7, draw " << n;
  }
}

TEST(CauchyStress, von_mises_of_tension_shear_and_pressure) {
  EXPECT_DOUBLE_EQ(von_mises(SymmetricTensor<Real>{-4, 0, 0, 0, 0, 0}), 4);
  EXPECT_DOUBLE_EQ(von_mises(SymmetricTensor<Real>{0, 0, 0, 2, 0, 0}), 2 * std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(von_mises(SymmetricTensor<Real>{0, 0, 0, 0, 0, 2}), 2 * std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(von_mises(SymmetricTensor<Real>{7, 7, 7, 0, 0, 0}), 0);
}

}  // namespace
}  // namespace unbarred
