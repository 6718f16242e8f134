#include "dynamics/step/step_energy.hpp"

#include <algorithm>
#include <cmath>

#include "core/fill_kernels.hpp"
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
  for (int axis = 0; axis < 3; ++axis) {
    prescribed_on_axis(fixed_, axis, of_vertex_.view());
    prescribed_[static_cast<std::size_t>(axis)] = summed(vertices_.of(of_vertex_.view()));
  }
  held_.assign(bodies_, 0);
  for (std::size_t b = 0; b < bodies_; ++b)
    held_[b] = b >= first_obstacle_ || prescribed_[0][b] + prescribed_[1][b] + prescribed_[2][b] > 0;
}

std::vector<Vec3> StepEnergy::vector_sums(const std::function<void(int axis, View<Real> of_vertex)>& values) {
  std::vector<Vec3> sums(bodies_);
  for (int axis = 0; axis < 3; ++axis) {
    values(axis, of_vertex_.view());
    const std::vector<Real> of = vertices_.of(of_vertex_.view());
    for (std::size_t b = 0; b < bodies_; ++b) sums[b][axis] = of[b];
  }
  return summed(std::move(sums));
}

std::vector<Vec3> StepEnergy::inertia_gaps(const Field& y) {
  return vector_sums([&](int axis, View<Real> of_vertex) {
    moments(elastic_mesh_.mass.view(), axis, predicted_->owned(), y.owned(), of_vertex);
  });
}

std::vector<Vec3> StepEnergy::centers(const Field& y) {
  std::vector<Vec3> centers = vector_sums(
      [&](int axis, View<Real> of_vertex) { moments(elastic_mesh_.mass.view(), axis, y.owned(), {}, of_vertex); });
  for (std::size_t b = 0; b < bodies_; ++b) centers[b] = masses_[b] > 0 ? 1 / masses_[b] * centers[b] : Vec3{{0, 0, 0}};
  return centers;
}

std::vector<Vec3> StepEnergy::inertia_torques(const Field& y, const std::vector<Vec3>& centers) {
  centers_.assign_host(centers);
  return vector_sums([&](int axis, View<Real> of_vertex) {
    turning_moments(elastic_mesh_.mass.view(), axis, body_.view(), centers_.view(), y.owned(), predicted_->owned(),
                    y.owned(), of_vertex);
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

void StepEnergy::measure(const Field& y, bool with_contact) {
  inertia_energies(elastic_mesh_.mass.view(), fixed_, y.local(), predicted_->local(), of_vertex_.view());
  elastic_energies(elastic_mesh_, y.local(), of_tetrahedron_.view());
  const Real scale = time_step_ * time_step_;
  std::vector<Real> sums = vertices_.of(of_vertex_.view());
  for (const Real elastic : tetrahedra_.of(of_tetrahedron_.view())) sums.push_back(scale * elastic);
  append(sums, with_contact && contact_ ? contact_->terms().energies(y, bodies_) : std::vector<Real>(bodies_, 0));
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
    if (!allows_inversion(elastic_mesh_.materials[run.material]))
      find_crushed(run, elastic_mesh_.tetrahedra.view(), x.local(), y.local(), of_tetrahedron_.view());
  std::vector<Real> counts = tetrahedra_.of(of_tetrahedron_.view());
  communicator_.sum(std::span<Real>(counts));
  std::vector<std::uint8_t> some;
  for (const Real count : counts) some.push_back(count > 0 ? 1 : 0);
  return some;
}

void StepEnergy::group() {
  if (!contact_ || loads_.in_system()) return;
  if (contact_->constants().line_search == ContactConstants::LineSearch::scene) return islands_.couple_all();
  if (contact_->active().version() == grouped_) return;
  islands_.couple(contact_->active().holders(), communicator_);
  grouped_ = contact_->active().version();
}

std::vector<StepEnergy::Island> StepEnergy::at(const Field& y) {
  measure(y, true);
  return combined();
}

std::vector<StepEnergy::Island> StepEnergy::again(const Field& y) {
  if (contact_) {
    parts_.touch = contact_->terms().energies(y, bodies_);
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

}  // namespace unbarred
