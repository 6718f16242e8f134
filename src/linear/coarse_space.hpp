#pragma once
// A small space that a preconditioner corrects in, beside its diagonal blocks: z = D^-1 r + Z B Z^T r, B positive
// semidefinite.
#include "core/vec3.hpp"
#include "core/view.hpp"

namespace unbarred {

class MatrixFreeTerms;

class CoarseSpace {
 public:
  virtual ~CoarseSpace() = default;
  /// Before the first correction of every system: what is added to its matrix, if anything. @note Collective
  virtual void couple(MatrixFreeTerms* added) { (void)added; }
  /// z += Z B Z^T r, owned vertices; returns r . Z B Z^T r over all ranks. @note Collective
  virtual Real add_correction(View<const Vec3> r, View<Vec3> z) = 0;
};

}  // namespace unbarred
