#pragma once
// The coarse space of small motions of aggregates of vertices: z = D^-1 r + Z (Z^T A Z)^-1 Z^T r. Block-Jacobi alone
// passes what one end of a stiff body feels to the other a row of elements an iteration.
#include <vector>

#include "linear/block_cholesky.hpp"
#include "linear/coarse_kernels.hpp"
#include "linear/linear_solver.hpp"

namespace unbarred {

class TwoLevel : public CoarseSpace {
 public:
  struct Options {
    int vertices = 32;               ///< of an aggregate
    std::int64_t aggregates = 2000;  ///< over all ranks; larger ones when there would be more
  };
  /// body: of local vertices. @note Collective
  TwoLevel(const Communicator& communicator, const IndexMap& map, Halo& halo, const BlockPattern& pattern,
           const std::vector<std::int32_t>& body, const Options& options);

  /// The matrix without what is added, prescribed coordinates of local vertices, and x (ghosts up to date): for
  /// couple() to work with when it is first called.
  void linearize(const BlockMatrix& matrix, View<const AxisMask> fixed, const Field& x);
  void couple(MatrixFreeTerms* added) override;
  Real add_correction(View<const Vec3> r, View<Vec3> z) override;

 private:
  using Cholesky = BlockCholesky<coarse_modes>;
  using Modes = Cholesky::Block;
  void find_rows(const BlockPattern& pattern);
  void compute_rows();
  void add_springs(MatrixFreeTerms& added, std::vector<Cholesky::Entry>& entries);
  AggregateVertices vertices() const { return {vertex_offsets_.view(), vertices_.view()}; }
  CoarseVertices at() const { return {aggregate_.view(), levers_.values(), fixed_}; }

  const Communicator& communicator_;
  const IndexMap& map_;
  Halo& halo_;
  Index first_ = 0, count_ = 0;  // this rank's aggregates in the numbers over all ranks
  std::int32_t all_ = 0;         // aggregates of all ranks
  DeviceArray<std::int32_t> aggregate_;
  DeviceArray<Index> vertex_offsets_, vertices_, row_offsets_, columns_;
  std::vector<Index> host_offsets_, host_columns_;
  DeviceArray<Real> values_, sums_;
  Field levers_, names_;
  View<const AxisMask> fixed_;
  const BlockMatrix* matrix_ = nullptr;  // not looked at yet
  const Field* x_ = nullptr;
  std::vector<Cholesky::Entry> entries_;  // of this rank's rows, without what is added
  std::vector<Cholesky::Part> residual_, solution_;
  Cholesky factor_;
};

}  // namespace unbarred
