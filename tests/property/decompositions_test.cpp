// svd3 and positive_part over the corpus of awkward matrices, with Eigen as the oracle.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "core/svd3.hpp"
#include "core/symmetric3.hpp"
#include "support/in_lanes.hpp"
#include "support/random_matrices.hpp"

namespace unbarred {
namespace {

constexpr Real tolerance = 2e-14;
const Mat3 identity = diagonal(1.0, 1.0, 1.0);

class Decompositions : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(seeds, Decompositions, testing::Values(1, 2, 3));

TEST_P(Decompositions, svd_reproduces_every_matrix) {
  const std::vector<Mat3> corpus = test::matrix_corpus(GetParam(), 400);
  for (std::size_t n = 0; n < corpus.size(); ++n) {
    const Mat3& F = corpus[n];
    const Svd3<Real> svd = svd3(F);
    SCOPED_TRACE(testing::Message() << "seed " << GetParam() << ", matrix " << n << ", sigma " << svd.sigma[0] << " "
                                    << svd.sigma[1] << " " << svd.sigma[2]);
    // Comparisons are written so that NaN fails.
    ASSERT_LT(test::difference(transposed(svd.U) * svd.U, identity), tolerance);
    ASSERT_LT(test::difference(transposed(svd.V) * svd.V, identity), tolerance);
    ASSERT_NEAR(determinant(svd.U), 1, tolerance);
    ASSERT_NEAR(determinant(svd.V), 1, tolerance);
    ASSERT_GE(svd.sigma[0], svd.sigma[1]);
    ASSERT_GE(svd.sigma[1], std::fabs(svd.sigma[2]));
    const Real size = detail::largest_entry(F);
    const Real unit = power_of_two_below(size);
    const Vec3 s = (1 / unit) * svd.sigma;
    const Mat3 scaled = (1 / unit) * F;
    // A subnormal number is no closer than half of its last place.
    const Real noise = size < 1e-300 ? 1e-323 / unit : 0;
    ASSERT_LT(test::difference(svd.U * diagonal(s[0], s[1], s[2]) * transposed(svd.V), scaled), tolerance + 4 * noise);
    const Real volume = determinant(scaled);
    ASSERT_TRUE(std::fabs(volume) <= 1e-13 || volume * s[2] > 0);
  }
}

TEST_P(Decompositions, svd_finds_small_singular_values_of_graded_columns) {
  test::RandomMatrices random(GetParam());
  for (int n = 0; n < 2000; ++n) {
    // One-sided Jacobi is accurate relative to each singular value when columns are scaled orthogonal ones.
    const Vec3 s{{1, std::pow(10, random.uniform(-60, 0)), std::pow(10, random.uniform(-60, 0))}};
    const Svd3<Real> svd = svd3(random.rotation() * diagonal(s[0], s[1], s[2]));
    ASSERT_NEAR(svd.sigma[0], 1, tolerance);
    ASSERT_NEAR(svd.sigma[1] / std::fmax(s[1], s[2]), 1, tolerance) << "seed " << GetParam() << ", draw " << n;
    ASSERT_NEAR(svd.sigma[2] / std::fmin(s[1], s[2]), 1, tolerance) << "seed " << GetParam() << ", draw " << n;
  }
}

TEST_P(Decompositions, svd_of_a_lane_ignores_its_neighbors) {
  const std::vector<Mat3> corpus = test::matrix_corpus(GetParam(), 100);
  for (std::size_t n = 0; n + 17 < corpus.size(); ++n) {
    Mat3T<Pack<4>> F;
    const std::size_t chosen[4] = {n, n + 1, n + 5, n + 17};
    for (int k = 0; k < 4; ++k) test::put_lane(F, k, corpus[chosen[k]]);
    const Svd3<Pack<4>> svd = svd3(F);
    for (int k = 0; k < 4; ++k) {
      const Svd3<Real> alone = svd3(corpus[chosen[k]]);
      ASSERT_TRUE(test::same(test::lane_of(svd.U, k), alone.U)) << "seed " << GetParam() << ", matrix " << chosen[k];
      ASSERT_TRUE(test::same(test::lane_of(svd.V, k), alone.V)) << "seed " << GetParam() << ", matrix " << chosen[k];
      ASSERT_TRUE(test::same(test::lane_of(svd.sigma, k), alone.sigma)) << "seed " << GetParam();
    }
  }
}

Mat3 symmetric_part(const Mat3& a) { return 0.5 * (a + transposed(a)); }

TEST_P(Decompositions, positive_part_is_the_nearest_semidefinite_matrix) {
  const std::vector<Mat3> corpus = test::matrix_corpus(GetParam(), 300);
  for (std::size_t n = 0; n < corpus.size(); ++n) {
    const Mat3 A = symmetric_part(corpus[n]);
    const Mat3 P = positive_part(A);
    const Real size = power_of_two_below(detail::largest_entry(A));
    Eigen::Matrix3d scaled;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) scaled(i, j) = A(i, j) / size;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(scaled);
    const Eigen::Matrix3d oracle =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        ASSERT_NEAR(P(i, j) / size, oracle(i, j), 1e-14) << "seed " << GetParam() << ", matrix " << n;
        ASSERT_EQ(P(i, j), P(j, i));
      }
    ASSERT_TRUE(eigen.eigenvalues()[0] <= 1e-14 || test::same(P, A)) << "seed " << GetParam() << ", matrix " << n;
  }
}

TEST_P(Decompositions, positive_part_of_a_lane_ignores_its_neighbors) {
  const std::vector<Mat3> corpus = test::matrix_corpus(GetParam(), 100);
  for (std::size_t n = 0; n + 3 < corpus.size(); ++n) {
    Mat3T<Pack<4>> A;
    for (int k = 0; k < 4; ++k) test::put_lane(A, k, symmetric_part(corpus[n + k]));
    const Mat3T<Pack<4>> P = positive_part(A);
    for (int k = 0; k < 4; ++k)
      ASSERT_TRUE(test::same(test::lane_of(P, k), positive_part(test::lane_of(A, k))))
          << "seed " << GetParam() << ", matrix " << n + k;
  }
}

}  // namespace
}  // namespace unbarred
