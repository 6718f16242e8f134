#include "dynamics/motions/prescribed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "dynamics/motions/prescribed_kernels.hpp"

namespace unbarred {

namespace {

Mat3 unit() { return diagonal<Real>(1, 1, 1); }

/// Rodrigues' formula.
Mat3 rotation(const Vec3& axis, Real angle) {
  const Vec3 n = (1 / std::sqrt(squared_norm(axis))) * axis;
  const Mat3 cross_matrix{{{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}}};
  return unit() + std::sin(angle) * cross_matrix + (1 - std::cos(angle)) * (cross_matrix * cross_matrix);
}

AxisMask mask_of(const std::array<bool, 3>& axes) {
  return static_cast<AxisMask>((axes[0] ? 1 : 0) | (axes[1] ? 2 : 0) | (axes[2] ? 4 : 0));
}

/// Displacement along each axis at time t, of a table or an expression, m.
Vec3 displacement(const MoveSpec& move, Real t) {
  if (move.kind == MoveSpec::Kind::expression)
    return {{move.expression[0](t), move.expression[1](t), move.expression[2](t)}};
  const std::vector<Real>& times = move.table.times;
  const std::vector<Vec3>& u = move.table.displacements;
  const auto next = std::upper_bound(times.begin(), times.end(), t);
  if (next == times.begin()) return u.front();
  if (next == times.end()) return u.back();
  const auto i = static_cast<std::size_t>(next - times.begin());
  const Real part = (t - times[i - 1]) / (times[i] - times[i - 1]);
  return u[i - 1] + part * (u[i] - u[i - 1]);
}

struct Conflict {
  std::size_t first, second;
};

/// Motions that meet on a vertex of this rank with a common axis and overlapping windows.
std::optional<Conflict> find_conflict(const std::vector<MotionSpec>& motions,
                                      const std::vector<std::vector<Index>>& selected, Index vertices) {
  std::vector<std::vector<std::size_t>> at(static_cast<std::size_t>(vertices));
  for (std::size_t m = 0; m < motions.size(); ++m)
    for (Index v : selected[m]) {
      for (std::size_t other : at[v]) {
        const MotionSpec &a = motions[other], &b = motions[m];
        const bool same_axis = mask_of(a.axes) & mask_of(b.axes);
        if (same_axis && std::max(a.from, b.from) < std::min(a.to, b.to)) return Conflict{other, m};
      }
      at[v].push_back(m);
    }
  return std::nullopt;
}

}  // namespace

StepMap step_map(const MotionSpec& motion, Real time, Real time_step) {
  const Real begin = std::max(time, motion.from), end = std::min(time + time_step, motion.to);
  // A window that ends with the step before is over, in spite of the rounding of n h.
  if (end - begin < 1e-6 * time_step) return {unit(), {{0, 0, 0}}, 0};
  const Real dt = end - begin;
  const MoveSpec& move = motion.move;
  StepMap map{unit(), {{0, 0, 0}}, mask_of(motion.axes)};
  switch (move.kind) {
    case MoveSpec::Kind::fixed:
      break;
    case MoveSpec::Kind::velocity:
      map.shift = dt * move.velocity;
      break;
    case MoveSpec::Kind::rotate:
      map.linear = rotation(move.axis, move.rate * dt * std::numbers::pi / 180);
      map.shift = move.center - map.linear * move.center;
      break;
    case MoveSpec::Kind::scale: {
      const Real factor = (1 + move.rate * (end - motion.from)) / (1 + move.rate * (begin - motion.from));
      map.linear = factor * unit();
      map.shift = (1 - factor) * move.center;
      break;
    }
    case MoveSpec::Kind::table:
    case MoveSpec::Kind::expression:
      map.shift = displacement(move, end) - displacement(move, begin);
      break;
  }
  return map;
}

std::vector<std::vector<Index>> select_vertices(const std::vector<MotionSpec>& motions, const LocalMesh& mesh,
                                                const std::vector<int>& scene_body, const Communicator& communicator) {
  std::vector<std::vector<Index>> selected(motions.size());
  for (std::size_t m = 0; m < motions.size(); ++m) {
    selected[m] = selected_vertices(motions[m].select, motions[m].body, motions[m].place, mesh, scene_body);
    if (communicator.sum(static_cast<GlobalIndex>(selected[m].size())) == 0)
      throw bad_input(motions[m].place, "motion `" + motions[m].name +
                                            "` selects no vertex of its body; the selection is compared with the "
                                            "positions at the start");
  }
  communicator.agree([&] {
    if (const auto conflict = find_conflict(motions, selected, mesh.map.local()))
      throw bad_input(motions[conflict->second].place,
                      "motion `" + motions[conflict->second].name + "` prescribes vertices that `" +
                          motions[conflict->first].name +
                          "` prescribes too, along the same axis at the same time; separate their selections, axes or "
                          "times");
  });
  return selected;
}

std::vector<AxisMask> always_prescribed(const LocalMesh& mesh, const std::vector<int>& scene_body, int first_obstacle) {
  constexpr AxisMask nothing = 0, all_axes = 7;
  std::vector<AxisMask> mask;
  mask.reserve(mesh.vertex_body.size());
  for (const std::int32_t body : mesh.vertex_body)
    mask.push_back(scene_body[body] >= first_obstacle ? all_axes : nothing);
  return mask;
}

PrescribedMotion::PrescribedMotion(const std::vector<MotionSpec>& motions,
                                   const std::vector<std::vector<Index>>& selected, const std::vector<AxisMask>& always)
    : motions_(motions), offsets_{0}, always_(always) {
  std::vector<Index> vertices;
  for (const std::vector<Index>& list : selected) {
    vertices.insert(vertices.end(), list.begin(), list.end());
    offsets_.push_back(static_cast<Index>(vertices.size()));
  }
  vertices_ = DeviceArray<Index>(vertices);
}

void PrescribedMotion::begin_step(Real time, Real time_step, View<const Vec3> x, View<AxisMask> fixed,
                                  View<Vec3> target) const {
  memory::copy_on_device(fixed.data(), always_.data(), static_cast<std::size_t>(fixed.size()) * sizeof(AxisMask));
  memory::copy_on_device(target.data(), x.data(), static_cast<std::size_t>(x.size()) * sizeof(Vec3));
  for (std::size_t m = 0; m < motions_.size(); ++m) {
    const StepMap map = step_map(motions_[m], time, time_step);
    if (map.axes) apply_step_map(map, vertices(m), x, fixed, target);
  }
}

}  // namespace unbarred
