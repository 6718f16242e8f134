#include "dynamics/step/body_motion.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "dynamics/bodies/body_kernels.hpp"
#include "dynamics/step/rigid_kernels.hpp"

namespace unbarred {

void BodyMotion::take(const std::vector<std::uint8_t>& marked, const Field& trial, Field& y) {
  marked_.assign_host(marked);
  take_marked_bodies(energy_.vertex_bodies(), marked_.view(), trial.local(), y.write_local());
}

void BodyMotion::blend(const std::vector<Real>& t, const Field& x, Field& y) {
  step_.assign_host(energy_.by_body(t));
  blend_bodies(energy_.vertex_bodies(), step_.view(), x.values(), y.write_local());
}

void BodyMotion::move(const Field& x, const std::vector<Real>& step, const Field& p, Field& y) {
  step_.assign_host(energy_.by_body(step));
  move_bodies(energy_.vertex_bodies(), step_.view(), x.local(), p.local(), y.write_local());
  bend(x, energy_.by_body(step), y);
}

void BodyMotion::set_turns(const Field& x, const Field& p) {
  turn_.assign(energy_.bodies(), Vec3{{0, 0, 0}});
  if (!turns_bodies_) return;
  const std::vector<std::uint8_t>& held = energy_.held();
  if (std::ranges::find(held, 0) == held.end()) return;
  centers_.assign_host(energy_.centers(x));
  const View<const Real> mass = energy_.mass();
  const auto entries = [&](int offset) {
    return energy_.vector_sums([&](int axis, View<Real> entry) {
      inertia_entries(mass, axis, (axis + offset) % 3, energy_.vertex_bodies(), centers_.view(), x.owned(), entry);
    });
  };
  const std::vector<Vec3> diagonal = entries(0), beside = entries(1),
                          moment = energy_.vector_sums([&](int axis, View<Real> of_vertex) {
                            turning_moments(mass, axis, energy_.vertex_bodies(), centers_.view(), x.owned(), p.owned(),
                                            {}, of_vertex);
                          });
  for (std::size_t b = 0; b < energy_.bodies(); ++b) {
    if (held[b] != 0 || !(energy_.masses()[b] > 0)) continue;
    Eigen::Matrix3d inertia;
    inertia << diagonal[b][0], beside[b][0], beside[b][2], beside[b][0], diagonal[b][1], beside[b][1], beside[b][2],
        beside[b][1], diagonal[b][2];
    const Eigen::LLT<Eigen::Matrix3d> factor(inertia);
    if (factor.info() != Eigen::Success) continue;
    const Eigen::Vector3d turn = factor.solve(Eigen::Vector3d(moment[b][0], moment[b][1], moment[b][2]));
    if (turn.allFinite()) turn_[b] = {{turn[0], turn[1], turn[2]}};
  }
}

void BodyMotion::bend(const Field& x, Real step, Field& y) { bend(x, std::vector<Real>(energy_.bodies(), step), y); }

void BodyMotion::bend(const Field& x, const std::vector<Real>& step_of_body, Field& y) {
  // Less bends a way by less than its rounding.
  constexpr Real least = 1e-8;
  std::vector<Vec3> turns = turn_;
  bool any = false;
  for (std::size_t b = 0; b < turns.size(); ++b) {
    turns[b] = step_of_body[b] * turns[b];
    any = any || squared_norm(turns[b]) > least * least;
  }
  if (!any) return;
  turns_.assign_host(turns);
  bend_to_rotations(energy_.vertex_bodies(), centers_.view(), turns_.view(), x.local(), y.write_local());
}

// Loads of the system see translations as well: springs hold, pressures follow.
void BodyMotion::translate(View<const Vec3> downhill, Field& p) {
  if (energy_.loads_in_system()) return;
  const std::vector<Vec3> gaps = energy_.vector_sums(
      [&](int axis, View<Real> of_vertex) { translation_gaps(energy_.mass(), axis, downhill, p.owned(), of_vertex); });
  std::vector<Vec3> shift(energy_.bodies(), Vec3{{0, 0, 0}});
  const std::vector<Real> mass = energy_.by_body(energy_.island_sums(energy_.masses()));
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Real> gap;
    for (const Vec3& of_body : gaps) gap.push_back(of_body[axis]);
    const std::vector<Real> gap_of_island = energy_.by_body(energy_.island_sums(gap)),
                            held = energy_.by_body(energy_.island_sums(energy_.prescribed(axis)));
    for (std::size_t b = 0; b < shift.size(); ++b)
      if (!energy_.leans_on_obstacle(b) && held[b] == 0 && mass[b] > 0) shift[b][axis] = gap_of_island[b] / mass[b];
  }
  shift_.assign_host(shift);
  shift_bodies(energy_.vertex_bodies(), shift_.view(), p.write_local());
}

}  // namespace unbarred
