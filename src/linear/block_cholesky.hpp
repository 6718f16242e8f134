#pragma once
// Direct factorization of a small sparse symmetric matrix of dense blocks, A = L D L^T, on one rank.
#include <Eigen/Dense>
#include <array>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace unbarred {

template <int m>
class BlockCholesky {
 public:
  using Block = Eigen::Matrix<Real, m, m>;
  using Part = Eigen::Matrix<Real, m, 1>;
  struct Entry {
    std::int32_t row, column;        ///< row <= column; entries of the same place add up
    std::array<Real, m * m> values;  ///< by columns
    Eigen::Map<const Block> block() const { return Eigen::Map<const Block>(values.data()); }
    Entry(std::int32_t r, std::int32_t c, const Block& b) : row(r), column(c) { Eigen::Map<Block>(values.data()) = b; }
    Entry() = default;
  };

  /// Of n x n blocks. Directions in which the matrix has nothing are left out: solve() is then that of the rest, and
  /// always positive semidefinite.
  void factorize(std::int32_t n, std::span<const Entry> entries);
  /// x becomes A^-1 x.
  void solve(std::span<Part> x);
  std::size_t blocks() const { return rows_.size(); }

 private:
  void order(std::int32_t n, std::span<const Entry> entries);
  void find_structure(std::span<const Entry> entries);
  void fill(std::span<const Entry> entries);
  void eliminate(std::int32_t k);
  Block* at(std::int32_t row, std::int32_t column);

  std::vector<std::int32_t> place_;      // of each row, after ordering
  std::vector<std::size_t> begins_;      // of each column's blocks below the diagonal
  std::vector<std::int32_t> rows_;       // ascending in a column
  std::vector<Block> lower_, diagonal_;  // L below the diagonal; D, then its inverse
  std::vector<Part> scale_, ordered_;    // diagonal entries of A
  std::vector<Block> scaled_;            // a column of L D
};

}  // namespace unbarred
