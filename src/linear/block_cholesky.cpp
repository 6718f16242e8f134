#include "linear/block_cholesky.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace unbarred {

template <int m>
void BlockCholesky<m>::factorize(std::int32_t n, std::span<const Entry> entries) {
  order(n, entries);
  find_structure(entries);
  fill(entries);
  for (std::int32_t k = 0; k < n; ++k) eliminate(k);
}

// Least degree first.
template <int m>
void BlockCholesky<m>::order(std::int32_t n, std::span<const Entry> entries) {
  std::vector<Eigen::Triplet<Real>> places;
  for (std::int32_t i = 0; i < n; ++i) places.emplace_back(i, i, 1);
  for (const Entry& e : entries) {
    places.emplace_back(e.row, e.column, 1);
    places.emplace_back(e.column, e.row, 1);
  }
  Eigen::SparseMatrix<Real> graph(n, n);
  graph.setFromTriplets(places.begin(), places.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  place_.resize(static_cast<std::size_t>(n));
  for (std::int32_t k = 0; k < n; ++k) place_[static_cast<std::size_t>(permutation.indices()[k])] = k;
}

// A column's rows are those of the matrix and those of the columns that it is the first row of.
template <int m>
void BlockCholesky<m>::find_structure(std::span<const Entry> entries) {
  const std::size_t n = place_.size();
  std::vector<std::vector<std::int32_t>> below(n);
  for (const Entry& e : entries) {
    const auto [first, last] = std::minmax(place_[e.row], place_[e.column]);
    if (first != last) below[static_cast<std::size_t>(first)].push_back(last);
  }
  begins_.assign(n + 1, 0);
  rows_.clear();
  std::vector<std::int32_t> merged;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<std::int32_t>& of = below[k];
    std::sort(of.begin(), of.end());
    of.erase(std::unique(of.begin(), of.end()), of.end());
    begins_[k] = rows_.size();
    rows_.insert(rows_.end(), of.begin(), of.end());
    begins_[k + 1] = rows_.size();
    if (of.empty()) continue;
    std::vector<std::int32_t>& parent = below[static_cast<std::size_t>(of.front())];
    parent.insert(parent.end(), of.begin() + 1, of.end());
    of = {};
  }
}

template <int m>
typename BlockCholesky<m>::Block* BlockCholesky<m>::at(std::int32_t row, std::int32_t column) {
  const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(begins_[column]),
             end = rows_.begin() + static_cast<std::ptrdiff_t>(begins_[column + 1]);
  return &lower_[static_cast<std::size_t>(std::lower_bound(begin, end, row) - rows_.begin())];
}

template <int m>
void BlockCholesky<m>::fill(std::span<const Entry> entries) {
  lower_.assign(rows_.size(), Block::Zero());
  diagonal_.assign(place_.size(), Block::Zero());
  for (const Entry& e : entries) {
    const std::int32_t row = place_[static_cast<std::size_t>(e.row)],
                       column = place_[static_cast<std::size_t>(e.column)];
    if (row == column) diagonal_[static_cast<std::size_t>(row)] += e.block();
    else if (row > column) *at(row, column) += e.block();
    else *at(column, row) += e.block().transpose();
  }
  scale_.clear();
  for (const Block& d : diagonal_) scale_.push_back(d.diagonal());
}

// Of a positive semidefinite block, without directions in which next to nothing is left of `whole`, its diagonal
// before elimination.
template <int m>
static Eigen::Matrix<Real, m, m> inverse_of(const Eigen::Matrix<Real, m, m>& block,
                                            const Eigen::Matrix<Real, m, 1>& whole) {
  using Block = Eigen::Matrix<Real, m, m>;
  constexpr Real least = 1e-10;
  Eigen::Matrix<Real, m, 1> root;
  for (int i = 0; i < m; ++i) root[i] = whole[i] > 0 ? 1 / std::sqrt(whole[i]) : 0;
  const Block scaled = root.asDiagonal() * block * root.asDiagonal();
  const Eigen::LLT<Block> factor(scaled);
  const auto pivots = factor.matrixLLT().diagonal().array();
  if (factor.info() == Eigen::Success && (pivots * pivots > least).all())
    return root.asDiagonal() * factor.solve(Block::Identity()) * root.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Block> modes(scaled);
  Eigen::Matrix<Real, m, 1> inverse;
  for (int i = 0; i < m; ++i) inverse[i] = modes.eigenvalues()[i] > least ? 1 / modes.eigenvalues()[i] : 0;
  const Block vectors = root.asDiagonal() * modes.eigenvectors();
  return vectors * inverse.asDiagonal() * vectors.transpose();
}

template <int m>
void BlockCholesky<m>::eliminate(std::int32_t k) {
  const std::size_t begin = begins_[k], end = begins_[k + 1];
  diagonal_[k] = inverse_of<m>(diagonal_[k], scale_[k]);
  scaled_.assign(lower_.begin() + static_cast<std::ptrdiff_t>(begin),
                 lower_.begin() + static_cast<std::ptrdiff_t>(end));
  for (std::size_t i = begin; i < end; ++i) lower_[i] = scaled_[i - begin] * diagonal_[k];
  for (std::size_t j = begin; j < end; ++j) {
    const auto column = static_cast<std::size_t>(rows_[j]);
    diagonal_[column].noalias() -= lower_[j] * scaled_[j - begin].transpose();
    std::size_t target = begins_[column];
    for (std::size_t i = j + 1; i < end; ++i) {
      while (rows_[target] != rows_[i]) ++target;
      lower_[target].noalias() -= lower_[i] * scaled_[j - begin].transpose();
    }
  }
}

template <int m>
void BlockCholesky<m>::solve(std::span<Part> x) {
  const std::size_t n = place_.size();
  ordered_.resize(n);
  for (std::size_t i = 0; i < n; ++i) ordered_[static_cast<std::size_t>(place_[i])] = x[i];
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = begins_[k]; i < begins_[k + 1]; ++i)
      ordered_[static_cast<std::size_t>(rows_[i])].noalias() -= lower_[i] * ordered_[k];
  for (std::size_t k = n; k-- > 0;) {
    Part sum = diagonal_[k] * ordered_[k];
    for (std::size_t i = begins_[k]; i < begins_[k + 1]; ++i)
      sum.noalias() -= lower_[i].transpose() * ordered_[static_cast<std::size_t>(rows_[i])];
    ordered_[k] = sum;
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = ordered_[static_cast<std::size_t>(place_[i])];
}

template class BlockCholesky<6>;

}  // namespace unbarred
