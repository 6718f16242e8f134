#include "dynamics/step/step_energy.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "dynamics/bodies/body_kernels.hpp"
#include "dynamics/elastic/elastic_kernels.hpp"
#include "dynamics/elastic/inversion_kernels.hpp"
#include "dynamics/step/rigid_kernels.hpp"

namespace unbarred {

static std::vector<std::int32_t> owned_bodies(const LocalMesh& mesh) {
  return {mesh.vertex_body.begin(), mesh.vertex_body.begin() + mesh.map.owned()};
}

static std::vector<std::int32_t> tetrahedron_bodies(const LocalMesh& mesh) {
  std::vector<std::int32_t> bodies;
  bodies.reserve(mesh.tetrahedra.size());
  for (const auto& t : mesh.tetrahedra) bodies.push_back(mesh.vertex_body[static_cast<std::size_t>(t[0])]);
  return bodies;
}

static void append(std::vector<Real>& all, const std::vector<Real>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Of parts that each have a value a body, the one with this number.
static std::vector<Real> part_of(const std::vector<Real>& parts, int number, std::size_t bodies) {
  const auto begin = parts.begin() + number * static_cast<std::ptrdiff_t>(bodies);
  return {begin, begin + static_cast<std::ptrdiff_t>(bodies)};
}

StepEnergy::StepEnergy(const Communicator& communicator, const ElasticMesh& elastic, const Loads& loads,
                       const LocalMesh& mesh, std::size_t first_obstacle, Real time_step)
    : communicator_(communicator),
      elastic_mesh_(elastic),
      loads_(loads),
      time_step_(time_step),
      first_obstacle_(first_obstacle),
      bodies_(mesh.scene_body.size()),
      body_(std::vector<std::int32_t>(mesh.vertex_body.begin(), mesh.vertex_body.end())),
      vertices_(owned_bodies(mesh), bodies_),
      tetrahedra_(tetrahedron_bodies(mesh), bodies_),
      islands_(bodies_, first_obstacle),
      of_vertex_(mesh.map.owned()),
      of_tetrahedron_(elastic.tetrahedron_count()) {
  if (loads.in_system()) islands_.couple_all();  // their energy is known as a whole only
  masses_ = vertices_.of(elastic.mass.view());
  communicator.sum(std::span<Real>(masses_));
}

void StepEnergy::begin_step(Real end_time, View<const AxisMask> fixed, const Field& predicted) {
  end_time_ = end_time;
  fixed_ = fixed;
  predicted_ = &predicted;
  prescribed_.clear();
  for (int axis = 0; axis < 3; ++axis) {
    prescribed_on_axis(fixed_, axis, of_vertex_.view());
    append(prescribed_, vertices_.of(of_vertex_.view()));
  }
  communicator_.sum(std::span<Real>(prescribed_));
  held_.assign(bodies_, 0);
  for (std::size_t b = 0; b < bodies_; ++b)
    held_[b] = b >= first_obstacle_ || prescribed_[b] + prescribed_[bodies_ + b] + prescribed_[2 * bodies_ + b] > 0;
}

// values(axis) writes of_vertex_.
template <class Values>
std::vector<Vec3> StepEnergy::vectors_of_bodies(Values&& values) {
  std::vector<Vec3> sums(bodies_);
  for (int axis = 0; axis < 3; ++axis) {
    values(axis);
    const std::vector<Real> of = vertices_.of(of_vertex_.view());
    for (std::size_t b = 0; b < bodies_; ++b) sums[b][axis] = of[b];
  }
  return summed(std::move(sums));
}

std::vector<Vec3> StepEnergy::inertia_gaps(const Field& y) {
  return vectors_of_bodies(
      [&](int axis) { moments(elastic_mesh_.mass.view(), axis, predicted_->owned(), y.owned(), of_vertex_.view()); });
}

std::vector<Vec3> StepEnergy::centers(const Field& y) {
  std::vector<Vec3> centers =
      vectors_of_bodies([&](int axis) { moments(elastic_mesh_.mass.view(), axis, y.owned(), {}, of_vertex_.view()); });
  for (std::size_t b = 0; b < bodies_; ++b) centers[b] = masses_[b] > 0 ? 1 / masses_[b] * centers[b] : Vec3{{0, 0, 0}};
  return centers;
}

std::vector<Vec3> StepEnergy::inertia_torques(const Field& y, const std::vector<Vec3>& centers) {
  centers_.assign_host(centers);
  return vectors_of_bodies([&](int axis) {
    turning_moments(elastic_mesh_.mass.view(), axis, body_.view(), centers_.view(), y.owned(), predicted_->owned(),
                    y.owned(), of_vertex_.view());
  });
}

std::vector<Vec3> StepEnergy::summed(std::vector<Vec3> of_body) const {
  communicator_.sum(std::span<Real>(of_body.empty() ? nullptr : &of_body.front()[0], 3 * of_body.size()));
  return of_body;
}

std::vector<Real> StepEnergy::summed(std::vector<Real> of_body) const {
  communicator_.sum(std::span<Real>(of_body));
  return of_body;
}

std::vector<Real> StepEnergy::largest(std::vector<Real> of_body) const {
  communicator_.max(std::span<Real>(of_body));
  return of_body;
}

std::vector<Real> StepEnergy::last_of_bodies() const {
  std::vector<Real> energies = parts_.inertia;
  for (std::size_t b = 0; b < bodies_; ++b) energies[b] += parts_.elastic[b];
  return energies;
}

// Loads of the system see translations as well: springs hold, pressures follow.
void StepEnergy::translate(View<const Vec3> downhill, Field& p) {
  if (loads_.in_system()) return;
  std::vector<Real> gaps;
  for (int axis = 0; axis < 3; ++axis) {
    translation_gaps(elastic_mesh_.mass.view(), axis, downhill, p.owned(), of_vertex_.view());
    append(gaps, vertices_.of(of_vertex_.view()));
  }
  communicator_.sum(std::span<Real>(gaps));
  std::vector<Vec3> shift(bodies_, Vec3{{0, 0, 0}});
  const std::vector<Real> mass = islands_.sum(masses_);
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<Real> gap = islands_.sum(part_of(gaps, axis, bodies_)),
                            held = islands_.sum(part_of(prescribed_, axis, bodies_));
    for (std::size_t b = 0; b < bodies_; ++b) {
      const std::size_t i = islands_.of(b);
      if (!islands_.touches_obstacle(i) && held[i] == 0 && mass[i] > 0) shift[b][axis] = gap[i] / mass[i];
    }
  }
  shift_.assign_host(shift);
  shift_bodies(body_.view(), shift_.view(), p.write_local());
}

void StepEnergy::measure(const Field& y, bool with_contact) {
  inertia_energies(elastic_mesh_.mass.view(), fixed_, y.local(), predicted_->local(), of_vertex_.view());
  elastic_energies(elastic_mesh_, y.local(), of_tetrahedron_.view());
  const Real scale = time_step_ * time_step_;
  std::vector<Real> sums = vertices_.of(of_vertex_.view());
  for (const Real elastic : tetrahedra_.of(of_tetrahedron_.view())) sums.push_back(scale * elastic);
  append(sums, with_contact && contact_ ? contact_->energies(y, bodies_) : std::vector<Real>(bodies_, 0));
  sums.push_back(scale * loads_.energy(end_time_, y.local()));
  communicator_.sum(std::span<Real>(sums));
  parts_.inertia = part_of(sums, 0, bodies_);
  parts_.elastic = part_of(sums, 1, bodies_);
  parts_.touch = part_of(sums, 2, bodies_);
  parts_.load = sums.back();
}

std::vector<Real> StepEnergy::of_bodies(const Field& y) {
  const Parts kept = std::move(parts_);
  measure(y, false);
  const std::vector<Real> energies = last_of_bodies();
  parts_ = kept;
  return energies;
}

std::vector<std::uint8_t> StepEnergy::crushed(const Field& x, const Field& y) {
  fill(of_tetrahedron_.view(), 0);
  for (const MaterialRun& run : elastic_mesh_.runs)
    if (std::holds_alternative<NeoHookean>(elastic_mesh_.materials[run.material]))
      find_crushed(run, elastic_mesh_.tetrahedra.view(), x.local(), y.local(), of_tetrahedron_.view());
  std::vector<Real> counts = tetrahedra_.of(of_tetrahedron_.view());
  communicator_.sum(std::span<Real>(counts));
  std::vector<std::uint8_t> some;
  for (const Real count : counts) some.push_back(count > 0 ? 1 : 0);
  return some;
}

void StepEnergy::group() {
  if (!contact_ || loads_.in_system() || contact_->active().version() == grouped_) return;
  islands_.couple(contact_->active().holders(), communicator_);
  grouped_ = contact_->active().version();
}

std::vector<StepEnergy::Island> StepEnergy::at(const Field& y) {
  measure(y, true);
  return combined();
}

std::vector<StepEnergy::Island> StepEnergy::again(const Field& y) {
  if (contact_) {
    parts_.touch = contact_->energies(y, bodies_);
    communicator_.sum(std::span<Real>(parts_.touch));
  }
  return combined();
}

std::vector<StepEnergy::Island> StepEnergy::combined() const {
  std::vector<Island> islands(islands_.count(), {0, 0});
  for (std::size_t b = 0; b < bodies_; ++b) {
    Island& island = islands[islands_.of(b)];
    island.energy += parts_.inertia[b] + parts_.elastic[b] + parts_.touch[b];
    island.size += std::abs(parts_.inertia[b]) + std::abs(parts_.elastic[b]) + std::abs(parts_.touch[b]);
  }
  if (loads_.in_system() && !islands.empty()) {
    islands.front().energy += parts_.load;
    islands.front().size += std::abs(parts_.load);
  }
  return islands;
}

std::vector<Real> StepEnergy::products(View<const Vec3> a, View<const Vec3> b) {
  free_products(fixed_, a, b, of_vertex_.view());
  std::vector<Real> sums = vertices_.of(of_vertex_.view());
  communicator_.sum(std::span<Real>(sums));
  return sums;
}

void StepEnergy::take(const std::vector<std::uint8_t>& marked, const Field& trial, Field& y) {
  marked_.assign_host(marked);
  take_marked_bodies(body_.view(), marked_.view(), trial.local(), y.write_local());
}

void StepEnergy::blend(const std::vector<Real>& t, const Field& x, Field& y) {
  step_.assign_host(islands_.spread(t));
  blend_bodies(body_.view(), step_.view(), x.values(), y.write_local());
}

void StepEnergy::move(const Field& x, const std::vector<Real>& step, const Field& p, Field& y) {
  step_.assign_host(islands_.spread(step));
  move_bodies(body_.view(), step_.view(), x.local(), p.local(), y.write_local());
  bend(x, islands_.spread(step), y);
}

void StepEnergy::set_turns(const Field& x, const Field& p) {
  turn_.assign(bodies_, Vec3{{0, 0, 0}});
  if (std::ranges::find(held_, 0) == held_.end()) return;
  centers_.assign_host(centers(x));
  const View<const Real> mass = elastic_mesh_.mass.view();
  const auto entries = [&](int offset) {
    return vectors_of_bodies([&](int axis) {
      inertia_entries(mass, axis, (axis + offset) % 3, body_.view(), centers_.view(), x.owned(), of_vertex_.view());
    });
  };
  const std::vector<Vec3> diagonal = entries(0), beside = entries(1),
                          moment = vectors_of_bodies([&](int axis) {
                            turning_moments(mass, axis, body_.view(), centers_.view(), x.owned(), p.owned(), {},
                                            of_vertex_.view());
                          });
  for (std::size_t b = 0; b < bodies_; ++b) {
    if (held_[b] != 0 || !(masses_[b] > 0)) continue;
    Eigen::Matrix3d inertia;
    inertia << diagonal[b][0], beside[b][0], beside[b][2], beside[b][0], diagonal[b][1], beside[b][1], beside[b][2],
        beside[b][1], diagonal[b][2];
    const Eigen::LLT<Eigen::Matrix3d> factor(inertia);
    if (factor.info() != Eigen::Success) continue;
    const Eigen::Vector3d turn = factor.solve(Eigen::Vector3d(moment[b][0], moment[b][1], moment[b][2]));
    if (turn.allFinite()) turn_[b] = {{turn[0], turn[1], turn[2]}};
  }
}

void StepEnergy::bend(const Field& x, Real step, Field& y) { bend(x, std::vector<Real>(bodies_, step), y); }

void StepEnergy::bend(const Field& x, const std::vector<Real>& step_of_body, Field& y) {
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
  bend_to_rotations(body_.view(), centers_.view(), turns_.view(), x.local(), y.write_local());
}

}  // namespace unbarred
