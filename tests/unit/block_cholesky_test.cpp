// The factorization against Eigen's dense one, also of matrices in which directions are missing.
#include "linear/block_cholesky.hpp"

#include <gtest/gtest.h>

#include <random>

namespace unbarred {
namespace {

using Cholesky = BlockCholesky<6>;
using Dense = Eigen::MatrixXd;

/// Springs of random stiffness along a ring of n blocks with some chords, as entries and as a dense matrix.
struct Ring {
  std::vector<Cholesky::Entry> entries;
  Dense dense;

  Ring(int n, unsigned seed, bool held) : dense(Dense::Zero(6 * n, 6 * n)), random_(seed) {
    for (int i = 0; i < n; ++i) {
      connect(i, (i + 1) % n);
      if (i % 3 == 0) connect(i, (5 * i + 2) % n);
      if (held) add(i, i, square(6));
    }
  }

 private:
  Cholesky::Block square(int rank) {
    std::normal_distribution<Real> normal;
    const Dense a = Dense::NullaryExpr(6, rank, [&] { return normal(random_); });
    return a * a.transpose();
  }
  void connect(int i, int j) {
    if (i == j) return;
    const Cholesky::Block k = square(6);
    add(i, i, k);
    add(j, j, k);
    add(std::min(i, j), std::max(i, j), -k);
  }
  void add(int i, int j, const Cholesky::Block& block) {
    entries.emplace_back(i, j, block);
    dense.block<6, 6>(6 * i, 6 * j) += block;
    if (i != j) dense.block<6, 6>(6 * j, 6 * i) += block.transpose();
  }
  std::mt19937 random_;
};

Eigen::VectorXd solved(Cholesky& factor, const Eigen::VectorXd& b) {
  std::vector<Cholesky::Part> x;
  for (Eigen::Index i = 0; i < b.size(); i += 6) x.push_back(b.segment<6>(i));
  factor.solve(x);
  Eigen::VectorXd all(b.size());
  for (std::size_t i = 0; i < x.size(); ++i) all.segment<6>(6 * static_cast<Eigen::Index>(i)) = x[i];
  return all;
}

TEST(BlockCholesky, SolvesAsADenseFactorizationDoes) {
  Cholesky factor;
  for (const int n : {1, 2, 7, 40}) {
    const Ring ring(n, static_cast<unsigned>(n), true);
    factor.factorize(n, ring.entries);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(6 * n, -1, 2);
    const Eigen::VectorXd expected = ring.dense.llt().solve(b);
    EXPECT_LT((solved(factor, b) - expected).norm(), 1e-10 * expected.norm()) << n;
  }
}

TEST(BlockCholesky, LeavesOutDirectionsThatTheMatrixDoesNotHave) {
  // Nothing holds this ring: the same motion of all blocks costs nothing. A seventh block is not connected at all.
  const int n = 6;
  const Ring ring(n, 3, false);
  Cholesky factor;
  factor.factorize(n + 1, ring.entries);
  Eigen::VectorXd b = Eigen::VectorXd::Random(6 * n);
  for (int k = 0; k < 6; ++k) {
    Real mean = 0;
    for (int i = 0; i < n; ++i) mean += b[6 * i + k] / n;
    for (int i = 0; i < n; ++i) b[6 * i + k] -= mean;
  }
  Eigen::VectorXd with_seventh = Eigen::VectorXd::Ones(6 * n + 6);
  with_seventh.head(6 * n) = b;
  const Eigen::VectorXd x = solved(factor, with_seventh);
  EXPECT_LT((ring.dense * x.head(6 * n) - b).norm(), 1e-8 * b.norm());
  EXPECT_EQ(x.tail(6).norm(), 0);
}

TEST(BlockCholesky, IsPositiveSemidefiniteWhateverTheMatrix) {
  Ring ring(8, 11, true);
  for (Cholesky::Entry& entry : ring.entries)
    if (entry.row == 3 && entry.column == 3) entry.values[0] -= 100;  // negative curvature
  Cholesky factor;
  factor.factorize(8, ring.entries);
  for (int seed = 0; seed < 50; ++seed) {
    const Eigen::VectorXd b = Eigen::VectorXd::Random(48);
    EXPECT_GE(b.dot(solved(factor, b)), 0);
  }
}

}  // namespace
}  // namespace unbarred
