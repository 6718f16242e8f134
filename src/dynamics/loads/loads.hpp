#pragma once
// What acts on bodies beside gravity: forces on volumes, pressures, springs to fixed points.
//
// Forces that a step takes as constant enter its prediction: h^2 f / m, as gravity does, exact for any f. These are
// body forces, and pressures on a part of a boundary, whose force at the start of the step is taken: such a follower
// load has no potential (error O(h), as that of the time integration).
// What has a potential enters energy, gradient and matrix at the iterate: springs, and pressures on the whole, closed
// boundary of a body, whose potential is p times the enclosed volume. The matrix leaves out the second derivatives of
// the volume, which are indefinite: Newton then converges linearly, with a ratio of about p / Young's modulus.
#include <vector>

#include "core/device_array.hpp"
#include "dynamics/loads/load_plan.hpp"
#include "linear/block_matrix.hpp"

namespace unbarred {

/// A PressurePlan where kernels run.
struct PressureSurface {
  explicit PressureSurface(const PressurePlan& plan);

  Real pressure, from, to;
  bool closed;
  Index counted;
  DeviceArray<SurfaceTriangle> triangles;
  DeviceArray<Index> vertices, offsets, around;
};

class Loads {
 public:
  /// The plan has the same loads on every rank.
  Loads(const LoadPlan& plan, Real time_step);

  /// True, on every rank, when add_to_prediction() has something to do.
  bool in_prediction() const { return in_prediction_; }
  /// True, on every rank, when add_to_system() and energy() have something to do.
  bool in_system() const { return in_system_; }

  /// predicted += h^2 f / m for the step from x that ends at end_time. x: local vertices; the others: owned.
  void add_to_prediction(Real end_time, View<const Real> mass, View<const Vec3> x, View<Vec3> predicted) const;
  /// gradient = h^2 times that of the potentials at x, owned vertices; taken from downhill; h^2 times the springs'
  /// stiffness goes into the diagonal of the matrix.
  void add_to_system(Real end_time, View<const Vec3> x, BlockMatrix& matrix, View<Vec3> downhill,
                     View<Vec3> gradient) const;
  /// gradient += h^2 times that of the potentials of add_to_system() at x; owned vertices.
  void add_gradient(Real end_time, View<const Vec3> x, View<Vec3> gradient) const;
  /// Potentials of add_to_system() without h^2: this rank's share, J.
  Real energy(Real time, View<const Vec3> x) const;
  /// Potential of the body forces, this rank's share, J. Positions are origin + x.
  Real body_force_energy(const Vec3& origin, View<const Vec3> x) const;

 private:
  bool acts(const PressureSurface& surface, Real end_time) const;

  Real time_step_;
  bool in_prediction_ = false, in_system_ = false;
  DeviceArray<Vec3> body_force_;
  std::vector<PressureSurface> pressures_;
  std::vector<DeviceArray<VertexSpring>> springs_;
};

}  // namespace unbarred
