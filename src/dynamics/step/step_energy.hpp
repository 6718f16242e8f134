#pragma once
// What a step minimizes, split into what can be decided separately: bodies while nothing is said of contact, islands of
// bodies (Islands) with it. One body that sticks must not shorten the steps of all others (M30).
#include <array>
#include <functional>
#include <vector>

#include "dynamics/bodies/body_sums.hpp"
#include "dynamics/bodies/islands.hpp"
#include "dynamics/contact/contact_problem.hpp"
#include "dynamics/elastic/elastic_mesh.hpp"
#include "dynamics/loads/loads.hpp"
#include "linear/fixed_axes.hpp"
#include "partitioning/communicator.hpp"
#include "partitioning/field.hpp"

namespace unbarred {

class StepEnergy {
 public:
  /// Bodies of the mesh from number first_obstacle on are obstacles. Keeps references to all but the mesh.
  /// @note Collective
  StepEnergy(const Communicator& communicator, const ElasticMesh& elastic, const Loads& loads, const LocalMesh& mesh,
             std::size_t first_obstacle, Real time_step);
  void set_contact(ContactProblem& contact) { contact_ = &contact; }

  /// The step that ends at end_time. Keeps the view, and a reference to predicted (ghosts up to date). @note Collective
  void begin_step(Real end_time, View<const AxisMask> fixed, const Field& predicted);

  /// 1/2 (y - predicted)^T M (y - predicted) + h^2 sum V psi(F(y)) of every body over its free coordinates, without
  /// loads and contact, J s^2. @note Collective
  std::vector<Real> of_bodies(const Field& y);

  /// Bodies in which elements that may not invert lose more than half of their volume on the way from x to y.
  /// @note Collective
  std::vector<std::uint8_t> crushed(const Field& x, const Field& y);

  /// Islands anew, from the pairs that contact knows now. @note Collective
  void group();
  std::size_t islands() const { return islands_.count(); }
  /// One an island, J s^2.
  struct Island {
    Real energy;  ///< all terms: inertia, elasticity, loads, contact and friction
    Real size;    ///< sum of the terms' sizes, of which rounding is a part
  };
  /// @note Collective
  std::vector<Island> at(const Field& y);
  /// Remembers y, for again(). @note Collective
  void remember(const Field& y) { measure(y, false); }
  /// As at(y) of the y that at() or remember() had last, with contact as it is linearized now. @note Collective
  std::vector<Island> again(const Field& y);
  /// a . b over the free coordinates, by body. @note Collective
  std::vector<Real> products(View<const Vec3> a, View<const Vec3> b);
  /// As of_bodies(y) of the y that is remembered.
  std::vector<Real> last_of_bodies() const;
  std::vector<Real> island_sums(const std::vector<Real>& of_body) const { return islands_.sum(of_body); }

  /// Sums over ranks. @note Collective
  std::vector<Vec3> summed(std::vector<Vec3> of_body) const;
  std::vector<Real> summed(std::vector<Real> of_body) const;
  std::vector<Real> largest(std::vector<Real> of_body) const;

  bool touches_obstacle(std::size_t island) const { return islands_.touches_obstacle(island); }

  std::size_t bodies() const { return bodies_; }
  /// Of every local vertex.
  View<const std::int32_t> vertex_bodies() const { return body_.view(); }
  /// By body, of this rank's owned vertices.
  std::vector<Real> vertex_sums(View<const Real> values) { return vertices_.of(values); }
  const BodySums& vertices_of_bodies() const { return vertices_; }
  const std::vector<Real>& masses() const { return masses_; }
  /// Bodies with a prescribed coordinate in this step, and obstacles: not free to move as a whole.
  const std::vector<std::uint8_t>& held() const { return held_; }
  /// sum m (predicted - y) of every body over the coordinates that are free, kg m. @note Collective
  std::vector<Vec3> inertia_gaps(const Field& y);
  /// Centers of mass of all bodies at y; 0 without mass. @note Collective
  std::vector<Vec3> centers(const Field& y);
  /// sum (y - center) x m (predicted - y) of every body, kg m^2. @note Collective
  std::vector<Vec3> inertia_torques(const Field& y, const std::vector<Vec3>& centers);
  /// values(axis, of_vertex) writes a number for each owned vertex; their sums, by body. @note Collective
  std::vector<Vec3> vector_sums(const std::function<void(int axis, View<Real> of_vertex)>& values);
  /// Of owned vertices, kg.
  View<const Real> mass() const { return elastic_mesh_.mass.view(); }
  /// How many coordinates of each body are prescribed on an axis in this step.
  const std::vector<Real>& prescribed(int axis) const { return prescribed_[static_cast<std::size_t>(axis)]; }
  bool loads_in_system() const { return loads_.in_system(); }
  bool leans_on_obstacle(std::size_t body) const { return islands_.touches_obstacle(islands_.of(body)); }
  /// The value of its island for every body.
  std::vector<Real> by_body(const std::vector<Real>& of_island) const { return islands_.spread(of_island); }

 private:
  void measure(const Field& y, bool with_contact);
  std::vector<Island> combined() const;

  const Communicator& communicator_;
  const ElasticMesh& elastic_mesh_;
  const Loads& loads_;
  ContactProblem* contact_ = nullptr;
  Real time_step_, end_time_ = 0;
  View<const AxisMask> fixed_;
  const Field* predicted_ = nullptr;
  std::size_t first_obstacle_, bodies_;
  DeviceArray<std::int32_t> body_;  // of local vertices
  BodySums vertices_, tetrahedra_;
  Islands islands_;
  std::int64_t grouped_ = 0;  // version of the active set that islands_ are made of
  struct Parts {
    std::vector<Real> inertia, elastic, touch;  // of each body; touch: contact and friction
    Real load = 0;                              // of all bodies
  };
  Parts parts_;                                   // at the y that is remembered
  std::vector<Real> masses_;                      // of each body, kg
  std::array<std::vector<Real>, 3> prescribed_;   // coordinates of each body in this step, by axis
  std::vector<std::uint8_t> held_;                // bodies
  DeviceArray<Real> of_vertex_, of_tetrahedron_;  // scratch of sums
  DeviceArray<Vec3> centers_;                     // of each body, where torques are asked for
};

}  // namespace unbarred
