// Energy, stress and Hessian of every material against each other by finite differences, and the clamped Hessian
// against Eigen's projection of the exact one.
#include "model/materials.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "model/cauchy_stress.hpp"
#include "model/principal_hessian.hpp"
#include "support/in_lanes.hpp"
#include "support/random_matrices.hpp"

namespace unbarred {
namespace {

using Matrix9 = Eigen::Matrix<double, 9, 9>;
constexpr std::uint64_t seed = 2024;
constexpr Real young = 1.0, poisson = 0.4;

/// d^2 Psi/dF^2; entry F(i, j) has the number 3 j + i.
template <Definiteness definiteness, class Material>
Matrix9 full_hessian(const Material& material, const Mat3& F) {
  const PrincipalState<Real> state = principal_state<definiteness>(material, F);
  Vec3 w[3];
  for (int a = 0; a < 3; ++a) w[a] = principal_gradient(state, Vec3{{Real(a == 0), Real(a == 1), Real(a == 2)}});
  Matrix9 H;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const Mat3 block = hessian_block(state, w[a], w[b]);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) H(3 * a + i, 3 * b + j) = block(i, j);
    }
  return H;
}

template <class Material>
Mat3 stress_at(const Material& material, const Mat3& F) {
  return first_piola(principal_state(material, F));
}

/// Fourth-order central difference of f along entry (i, j) of F.
template <class F>
auto slope(const F& f, const Mat3& at, int i, int j) {
  constexpr Real h = 1e-3;
  const auto shifted = [&](Real by) {
    Mat3 x = at;
    x(i, j) += by;
    return f(x);
  };
  return (1 / (12 * h)) * (8.0 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h)));
}

template <class Material>
class Materials : public testing::Test {
 protected:
  const Material material = Material::from(young, poisson);

  /// Rotated stretches; inverted and flat states where the material has derivatives there.
  std::vector<Mat3> states(int repetitions) const {
    test::RandomMatrices random(seed);
    std::vector<Mat3> all{diagonal(1.0, 1.0, 1.0)};
    for (int n = 0; n < repetitions; ++n) {
      all.push_back(random.rotation());
      all.push_back(random.deformation(0.01));
      all.push_back(random.deformation(0.2));
      all.push_back(random.with_singular_values(1.4, 1.4, 0.6));
      all.push_back(random.with_singular_values(1.5, 0.7, 0.7));
      all.push_back(random.with_singular_values(0.6, 0.5, 0.4));
      if (!Material::allows_inversion) continue;
      all.push_back(random.with_singular_values(1.2, 0.9, -0.5));
      all.push_back(random.with_singular_values(2, 0.8, 0));
      all.push_back(random.with_singular_values(0.6, 0.5, -0.2));
      all.push_back(random.with_singular_values(1, 1, 0));
    }
    return all;
  }
};

using AllMaterials = testing::Types<StableNeoHookean, NeoHookean, Corotated>;
TYPED_TEST_SUITE(Materials, AllMaterials);

TYPED_TEST(Materials, stress_is_the_slope_of_the_energy) {
  const auto energy = [&](const Mat3& F) { return this->material.energy(F); };
  const std::vector<Mat3> states = this->states(30);
  for (std::size_t n = 0; n < states.size(); ++n) {
    const Mat3 P = stress_at(this->material, states[n]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) ASSERT_NEAR(P(i, j), slope(energy, states[n], i, j), 2e-9) << "state " << n;
  }
}

TYPED_TEST(Materials, exact_hessian_is_the_slope_of_the_stress) {
  const auto stress = [&](const Mat3& F) { return stress_at(this->material, F); };
  const std::vector<Mat3> states = this->states(30);
  for (std::size_t n = 0; n < states.size(); ++n) {
    const Matrix9 H = full_hessian<Definiteness::exact>(this->material, states[n]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Mat3 difference = slope(stress, states[n], i, j);
        for (int p = 0; p < 3; ++p)
          for (int q = 0; q < 3; ++q) ASSERT_NEAR(H(3 * q + p, 3 * j + i), difference(p, q), 2e-8) << "state " << n;
      }
  }
}

TYPED_TEST(Materials, collapsed_states_have_finite_derivatives) {
  const std::vector<Vec3> nearly{{{1e-3, 1e-3, 1e-3}}, {{1, 1e-6, 1e-6}}, {{1, 1, 1e-9}}};
  const std::vector<Vec3> fully{{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, -1}}, {{2, 1e-9, -1e-9}}};
  test::RandomMatrices random(seed);
  for (const Vec3& s : TypeParam::allows_inversion ? fully : nearly) {
    const Mat3 F = random.with_singular_values(s[0], s[1], s[2]);
    EXPECT_TRUE(std::isfinite(this->material.energy(F)));
    EXPECT_TRUE(std::isfinite(squared_norm(stress_at(this->material, F))));
    EXPECT_TRUE((full_hessian<Definiteness::clamped>(this->material, F).allFinite()));
    EXPECT_TRUE(std::isfinite(von_mises(cauchy_stress(this->material, F))));
  }
}

TYPED_TEST(Materials, clamped_hessian_is_the_semidefinite_part_of_the_exact_one) {
  test::RandomMatrices random(seed);
  std::vector<Mat3> states = this->states(20);
  for (int n = 0; n < 100; ++n) states.push_back(TypeParam::allows_inversion ? random.matrix() : random.deformation(1));
  int definite = 0, indefinite = 0;
  for (std::size_t n = 0; n < states.size(); ++n) {
    const Matrix9 exact = full_hessian<Definiteness::exact>(this->material, states[n]);
    const Matrix9 clamped = full_hessian<Definiteness::clamped>(this->material, states[n]);
    const Eigen::SelfAdjointEigenSolver<Matrix9> eigen(exact);
    const Matrix9 oracle =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
    const Real size = eigen.eigenvalues().cwiseAbs().maxCoeff();
    ASSERT_LT((clamped - oracle).cwiseAbs().maxCoeff(), 1e-13 * size) << "seed " << seed << ", state " << n;
    ASSERT_LT((clamped - clamped.transpose()).cwiseAbs().maxCoeff(), 1e-14 * size);
    const bool positive = eigen.eigenvalues()[0] > 1e-10 * size;
    ASSERT_TRUE(!positive || clamped == exact) << "seed " << seed << ", state " << n;
    definite += positive;
    indefinite += eigen.eigenvalues()[0] < -1e-3 * size;
  }
  EXPECT_GT(definite, 5);
  EXPECT_GT(indefinite, 20);
}

TYPED_TEST(Materials, rotations_change_nothing) {
  test::RandomMatrices random(seed);
  for (const Mat3& F : this->states(20)) {
    const Mat3 R = random.rotation(), Q = random.rotation();
    const Real scale = 1 + std::fabs(this->material.energy(F));
    EXPECT_NEAR(this->material.energy(R * F * Q), this->material.energy(F), 2e-14 * scale);
    EXPECT_LT(test::difference(stress_at(this->material, R * F * Q), R * stress_at(this->material, F) * Q), 2e-14 * 10);
  }
}

TYPED_TEST(Materials, lanes_do_what_numbers_do) {
  const std::vector<Mat3> states = this->states(20);
  for (std::size_t n = 0; n + 3 < states.size(); ++n) {
    Mat3T<Pack<4>> F;
    for (int k = 0; k < 4; ++k) test::put_lane(F, k, states[n + k]);
    const Pack<4> energy = this->material.energy(F);
    const PrincipalState<Pack<4>> state = principal_state(this->material, F);
    const Mat3T<Pack<4>> P = first_piola(state);
    const Vec3T<Pack<4>> wa = principal_gradient(state, Vec3T<Pack<4>>{{1, 2, 3}});
    const Vec3T<Pack<4>> wb = principal_gradient(state, Vec3T<Pack<4>>{{-2, 0, 5}});
    const Mat3T<Pack<4>> block = hessian_block(state, wa, wb);
    for (int k = 0; k < 4; ++k) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", state " << n + k);
      const PrincipalState<Real> alone = principal_state(this->material, states[n + k]);
      ASSERT_EQ(lane(energy, k), this->material.energy(states[n + k]));
      ASSERT_TRUE(test::same(test::lane_of(P, k), first_piola(alone)));
      ASSERT_TRUE(test::same(test::lane_of(block, k), hessian_block(alone, principal_gradient(alone, Vec3{{1, 2, 3}}),
                                                                    principal_gradient(alone, Vec3{{-2, 0, 5}}))));
    }
  }
}

TYPED_TEST(Materials, small_strain_energy_keeps_its_digits_under_rotation) {
  // Energy of R (I + e G) over e^2 tends to that of linear elasticity; the textbook invariants keep 2 digits here.
  test::RandomMatrices random(seed);
  const Lame lame = lame_parameters(young, poisson);
  for (int n = 0; n < 100; ++n) {
    const Mat3 G = random.matrix();
    const Mat3 E = 0.5 * (G + transposed(G));
    const Real trace = E(0, 0) + E(1, 1) + E(2, 2);
    const Real linear = lame.mu * squared_norm(E) + 0.5 * lame.lambda * trace * trace;
    const Real e = 1e-7;
    const Real energy = this->material.energy(random.rotation() * (diagonal(1.0, 1.0, 1.0) + e * G));
    EXPECT_NEAR(energy / (e * e * linear), 1, 1e-5) << "seed " << seed << ", draw " << n;
  }
}

}  // namespace
}  // namespace unbarred
