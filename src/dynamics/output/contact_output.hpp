#pragma once
// Contact as people look at it after a step: forces at vertices, between bodies, and the pairs themselves.
//
// Forces are those of the pairs that were active in the last solve: the normal force lambda n / h^2 with the multiplier
// after the solve, and the friction of the slip in the step. The weights of a pair sum to zero, so the forces at all
// vertices do, too.
#include <vector>

#include "dynamics/contact/contact_output_kernels.hpp"
#include "dynamics/contact/contact_problem.hpp"
#include "dynamics/loads/body_force.hpp"
#include "partitioning/halo.hpp"

namespace unbarred {

/// Of local vertices.
struct VertexContact {
  std::vector<Vec3> normal, friction;  ///< N
  std::vector<Real> pressure;          ///< |normal| over a third of the current area of the surface triangles, Pa
  std::vector<Real> gap;               ///< least of the pairs that the solver knows, m; NaN without one
};

/// Of owned vertices, where kernels run.
struct OwnedForces {
  DeviceArray<Vec3> normal, friction;  ///< N
};

/// A pair and its closest points.
struct ContactLine {
  Vec3 a, b;                    ///< m; a lies on body_a
  Real gap, multiplier;         ///< m, h^2 N
  bool active;                  ///< in the last solve
  std::int32_t body_a, body_b;  ///< of the mesh
};

class ContactOutput {
 public:
  /// Keeps references to the first four.
  ContactOutput(const ContactProblem& contact, const IndexMap& map, Halo& halo, const Communicator& communicator,
                Real time_step);

  /// @note Collective
  VertexContact at_vertices() const;
  /// The forces of at_vertices().
  OwnedForces at_owned() const;
  /// Every two bodies that push each other, in ascending order, on rank 0; elsewhere empty. What a body does to itself
  /// cancels and is left out. @note Collective
  std::vector<BodyForce> between_bodies() const;
  /// The pairs that this rank counts; each pair of the whole scene is counted by one rank.
  std::vector<ContactLine> lines() const;

 private:
  DeviceArray<PairForce> forces_of_pairs() const;

  const ContactProblem& contact_;
  const IndexMap& map_;
  Halo& halo_;
  const Communicator& communicator_;
  Real time_step_;
};

}  // namespace unbarred
