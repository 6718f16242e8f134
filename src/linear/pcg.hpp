#pragma once
// Conjugate gradients with 3x3 block-Jacobi. Parallel only through `apply` and the summed dot products.
#include "linear/linear_kernels.hpp"
#include "linear/linear_solver.hpp"

namespace unbarred {

/// y = free part of A x, with the interior rows computed while the halo of x travels.
/// Returns x . y summed over all ranks. @note Collective
Real apply(const LinearSystem& system, Field& x, Field& y);

class Pcg : public LinearSolver {
 public:
  struct Options {
    /// Stop when sqrt(r . P^-1 r) <= tolerance * its first value, or where LinearSystem::goal is content (M37).
    Real tolerance = 1e-4;
    int maximum_iterations = 10000;
  };
  Pcg(const IndexMap& map, const Options& options);
  SolveReport solve(const LinearSystem& system, const Field& b, Field& p) override;
  const char* name() const override { return "pcg"; }

 private:
  void start(const LinearSystem& system, const Field& b, Field& p);
  void correct_with(CoarseSpace* coarse, MatrixFreeTerms* added);
  void strengthen(const LinearSystem& system, Field& p, SolveReport& report);

  Options options_;
  Field residual_, preconditioned_, direction_, image_;
  DeviceArray<SymmetricBlock> inverse_;
  CoarseSpace* coarse_ = nullptr;
  Real squared_ = 0, first_ = 0;  // r . P^-1 r now, its root at the start
  int iterations_ = 0;            // since the start
};

}  // namespace unbarred
