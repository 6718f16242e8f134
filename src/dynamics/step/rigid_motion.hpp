#pragma once
// The linear system in the space of rigid motions of free bodies. A stiff body's balance of forces and of torques is
// what conjugate gradients see last: with block-Jacobi its residual is divided by the stiffness of the material, not by
// the mass that it moves. A step p of the solver gets the rigid motions y that are missing,
//   p += Z y,   Z^T A Z y = Z^T (b - A p),
// three translations and three rotations a body, coupled by contact: so each body's forces and torques balance to the
// last digits, whatever the tolerance of the linear solver.
#include <Eigen/Dense>
#include <vector>

#include "dynamics/contact/contact_terms.hpp"
#include "dynamics/step/rigid_kernels.hpp"
#include "dynamics/step/step_energy.hpp"
#include "linear/linear_solver.hpp"

namespace unbarred {

class RigidMotion : public CoarseSpace {
 public:
  /// Keeps references to the first and the last.
  RigidMotion(const Communicator& communicator, const IndexMap& map, StepEnergy& energy);

  /// Of the matrix without what is added, at x. @note Collective
  void linearize(LinearSystem system, const Field& x);
  /// Whether any body is free to move as a whole.
  bool some() const { return some_; }
  /// With contact as its terms are now. x: as in linearize(), kept by reference. @note Collective
  void couple(ContactTerms& contact, const Field& x);
  /// b, p: of the system. @note Collective
  void correct(const LinearSystem& system, const Field& b, Field& p);
  /// Each body for itself: B = diagonal blocks of Z^T A Z, inverted.
  Real add_correction(View<const Vec3> r, View<Vec3> z) override;

 private:
  using Modes = Eigen::Matrix<Real, 6, 1>;
  using ModeBlock = Eigen::Matrix<Real, 6, 6>;
  using Vector = std::vector<Modes>;  // one a body
  void products(View<const Vec3> x, View<const Vec3> a, Vector& of);
  void move(const Vector& y, View<const Vec3> x, View<Vec3> p);
  void add_springs(const std::vector<BodySpring>& springs);
  void multiply(const Vector& x, Vector& y) const;
  void solve(Vector& residual, Vector& y);

  const Communicator& communicator_;
  StepEnergy& energy_;
  std::vector<Vec3> center_;
  std::vector<ModeBlock> block_, whole_,
      inverse_;  // Z^T A Z of a body without contact, with it, and inverse; 0: not free
  struct Couple {
    std::int32_t a, b;
    ModeBlock block;
  };
  std::vector<Couple> couples_;  // of this rank
  DeviceArray<Vec3> centers_, shifts_, turns_;
  DeviceArray<RigidSum> sums_;
  const Field* x_ = nullptr;
  bool some_ = false;
  // Kept so that nothing is allocated in every iteration of a solver.
  std::vector<RigidSum> chunk_sums_;
  std::vector<Vec3> shift_, turn_;
  Vector residual_, solution_, preconditioned_, direction_, product_;
  Field mode_, image_;
};

}  // namespace unbarred
