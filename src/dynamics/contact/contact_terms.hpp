#pragma once
// The pairs in the Newton system: their forces, stiffness and energies, linearized at the feasible state and evaluated
// at the iterate, and the model of them along a Newton step (M3 to M9).
#include <vector>

#include "contact/pairs/constraint_kernels.hpp"
#include "contact/pairs/model_kernels.hpp"
#include "contact/pairs/pair_values.hpp"
#include "dynamics/contact/contact_output_kernels.hpp"
#include "linear/linear_solver.hpp"

namespace unbarred {

/// By body, of the pairs that this rank counts, h^2 N.
struct BodyForces {
  std::vector<Vec3> sum, torque;  ///< of contact and friction; about the centers, h^2 N m
  std::vector<Real> lever;        ///< largest distance from the center at which one acts, m
  std::vector<Real> size;         ///< sum of sizes
  std::vector<Real> friction;     ///< sum of sizes
  struct {
    std::vector<Real> size, energy;  ///< sum of sizes; what they bend where they act, h^2 J
    std::vector<Vec3> sum, torque;
  } error;  ///< what friction is off Coulomb's law by
};

/// Contact and friction of a pair in the linear system: a spring between a point of one body and a point of another, or
/// of the same.
struct BodySpring {
  std::int32_t body[2];
  Vec3 point[2];             ///< m
  SymmetricBlock stiffness;  ///< kg
};

class ContactTerms : public MatrixFreeTerms {
 public:
  /// Keeps references.
  ContactTerms(const Communicator& communicator, const IndexMap& map, ActiveSet& active);

  void begin_step(const ConstraintSettings& settings) { settings_ = settings; }
  /// Positions at the start of the step, for friction; received anew where pairs came or went. @note Collective
  VertexValues receive_start(const Field& x) { return start_.receive(x); }
  /// Links of all pairs at the feasible positions; keep: those that are linked keep their normals. @note Collective
  void linearize(const Field& feasible, bool keep);
  /// The feasible state has moved, links stay. @note Collective
  void receive_feasible(const Field& feasible) { feasible_.receive(feasible); }
  VertexValues feasible() const { return feasible_.values(); }
  VertexValues start() const { return start_.values(); }
  const ConstraintSettings& settings() const { return settings_; }

  /// Evaluates all pairs at the iterate: constraints, and the terms of the next solve. Limits of friction go the share
  /// `follow` of their way to the multipliers. @note Collective over neighbours
  void prepare(const Field& iterate, Real follow);
  void add_forces(View<Vec3> downhill) const;
  /// Multipliers and friction after a solve for p, of which the line search took step[body]. @note Collective
  void update_multipliers(const Field& p, const std::vector<Real>& step);

  /// For NewtonStep, after a solve for p with the terms at hand; values by body are sums over the pairs that this rank
  /// counts, as energies() has them. @note Collective over neighbours
  void set_candidate(const Field& p);
  /// model_kernels.hpp
  std::vector<Real> model_slopes(const std::vector<Real>& t);
  void accept_candidate(const std::vector<Real>& t);
  /// Which pairs hold, by their forces at the step so far; whether for some body that changes more than the share
  /// `negligible` of the forces on it, so that it should be solved again. The terms are then those of the next solve.
  /// @note Collective
  bool revise(const Field& iterate, std::size_t bodies, Real negligible);

  /// Contact and friction of the pairs that this rank counts, by a body of theirs that is not an obstacle where there
  /// is one, h^2 J. @note Collective over neighbours
  std::vector<Real> energies(const Field& y, std::size_t bodies);
  /// The same, of every pair for both of its bodies, all ranks'. @note Collective
  std::vector<Real> energies_on(const Field& y, std::size_t bodies);
  /// With the centers of bodies that torques are about. @note Collective over neighbours
  BodyForces forces_on_bodies(const std::vector<Vec3>& centers);
  PairSummary summary() const;

  Real add_product(const Field& x, View<const AxisMask> fixed, View<Vec3> y) override;
  void add_diagonal(View<SymmetricBlock> diagonal) override;
  std::vector<AddedBlock> blocks(const Field& labels) override;
  std::vector<AddedSpring> springs(const Field& a, const Field& b) override;
  /// Of the pairs that this rank counts, with the terms at hand. @note Collective over neighbours
  std::vector<BodySpring> body_springs(const Field& x);

 private:
  void compute_terms();
  const std::vector<Real>& measure_energies(const Field& y);
  std::vector<Real> by_body(const std::vector<Real>& of_pairs, std::size_t bodies) const;

  const Communicator& communicator_;
  const IndexMap& map_;
  ActiveSet& active_;
  ConstraintSettings settings_;
  PairValues start_, feasible_, iterate_, trial_, step_, factor_;  ///< factor: of a product or of labels
  DeviceArray<Real> energies_, pushes_, errors_, step_of_body_;
  std::vector<Real> energies_on_host_;
  DeviceArray<PairForce> forces_;
  DeviceArray<PairPoints> points_;
};

}  // namespace unbarred
