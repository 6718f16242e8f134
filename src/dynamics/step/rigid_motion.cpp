#include "dynamics/step/rigid_motion.hpp"

#include <algorithm>

#include "dynamics/vertex_kernels.hpp"
#include "linear/pcg.hpp"

namespace unbarred {

RigidMotion::RigidMotion(const Communicator& communicator, const IndexMap& map, StepEnergy& energy)
    : communicator_(communicator), energy_(energy), mode_(map), image_(map) {}

// Z^T a, summed over ranks.
void RigidMotion::products(View<const Vec3> x, View<const Vec3> a, Vector& of) {
  const BodySums::Chunks chunks = energy_.vertices_of_bodies().chunks();
  const std::size_t count = chunks.body.size();
  sums_.resize_discard(static_cast<std::int64_t>(count));
  rigid_sums(chunks.order, chunks.begins, energy_.vertex_bodies(), centers_.view(), x, a, sums_.view());
  chunk_sums_.resize(count);
  if (count > 0) memory::copy_to_host(chunk_sums_.data(), sums_.data(), count * sizeof(RigidSum));
  of.assign(center_.size(), Modes::Zero());
  for (std::size_t c = 0; c < count; ++c) {
    const auto& [f, t] = chunk_sums_[c];
    of[static_cast<std::size_t>(chunks.body[c])] += Modes(f[0], f[1], f[2], t[0], t[1], t[2]);
  }
  communicator_.sum(std::span<Real>(of.empty() ? nullptr : of.front().data(), 6 * of.size()));
}

void RigidMotion::move(const Vector& y, View<const Vec3> x, View<Vec3> p) {
  shift_.clear();
  turn_.clear();
  for (const Modes& of : y) {
    shift_.push_back({{of[0], of[1], of[2]}});
    turn_.push_back({{of[3], of[4], of[5]}});
  }
  shifts_.assign_host(shift_);
  turns_.assign_host(turn_);
  move_rigidly(energy_.vertex_bodies(), centers_.view(), shifts_.view(), turns_.view(), x, p);
}

// Elastic forces do not feel translations, and about the center of mass rotations do not couple with them.
void RigidMotion::linearize(LinearSystem system, const Field& x) {
  const std::vector<Real>& mass = energy_.masses();
  some_ = std::ranges::find(energy_.held(), 0) != energy_.held().end();
  if (!some_) return;
  center_ = energy_.centers(x);
  centers_.assign_host(center_);
  block_.assign(center_.size(), ModeBlock::Zero());
  system.added = nullptr;
  for (int turn = 3; turn < 6; ++turn) {
    rigid_modes(turn, energy_.vertex_bodies(), centers_.view(), x.local(), mode_.write_local());
    apply(system, mode_, image_);
    products(x.owned(), image_.owned(), product_);
    for (std::size_t b = 0; b < block_.size(); ++b) block_[b].block<3, 1>(3, turn) = product_[b].tail<3>();
  }
  for (std::size_t b = 0; b < block_.size(); ++b) {
    const ModeBlock turns = (block_[b] + block_[b].transpose()) / 2;
    block_[b] = turns;
    for (int axis = 0; axis < 3; ++axis) block_[b](axis, axis) = mass[b];
    if (energy_.held()[b] != 0 || !(mass[b] > 0) || block_[b].llt().info() != Eigen::Success) block_[b].setZero();
  }
}

// (shift, turn) of a body moves the point at `lever` from its center by `moved`.
static Eigen::Matrix<Real, 3, 6> motion_at(const Vec3& lever) {
  Eigen::Matrix<Real, 3, 6> g;
  g << 1, 0, 0, 0, lever[2], -lever[1], 0, 1, 0, -lever[2], 0, lever[0], 0, 0, 1, lever[1], -lever[0], 0;
  return g;
}

// Diagonal blocks of this rank's springs into inverse_, the others into couples_.
void RigidMotion::add_springs(const std::vector<BodySpring>& springs) {
  inverse_.assign(block_.size(), ModeBlock::Zero());
  couples_.clear();
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const auto [a, b] = std::minmax(springs[i].body[0], springs[i].body[1]);
    order.push_back({static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b), i});
  }
  std::sort(order.begin(), order.end());
  for (const auto& [key, i] : order) {
    const BodySpring& spring = springs[i];
    const Mat3 whole = full(spring.stiffness);
    const Eigen::Map<const Eigen::Matrix<Real, 3, 3>> stiffness(&whole(0, 0));
    Eigen::Matrix<Real, 3, 6> g[2];
    bool free[2];
    for (int side = 0; side < 2; ++side) {
      const auto b = static_cast<std::size_t>(spring.body[side]);
      g[side] = motion_at(spring.point[side] - center_[b]);
      free[side] = block_[b](0, 0) > 0;
      if (free[side]) inverse_[b] += g[side].transpose() * stiffness * g[side];
    }
    if (!free[0] || !free[1]) continue;
    const int first = spring.body[0] <= spring.body[1] ? 0 : 1;
    const ModeBlock block = -(g[first].transpose() * stiffness * g[1 - first]);
    if (spring.body[0] == spring.body[1]) {
      inverse_[static_cast<std::size_t>(spring.body[0])] += block + block.transpose();
      continue;
    }
    const std::int32_t a = spring.body[first], b = spring.body[1 - first];
    if (couples_.empty() || couples_.back().a != a || couples_.back().b != b)
      couples_.push_back({a, b, ModeBlock::Zero()});
    couples_.back().block += block;
  }
  communicator_.sum(std::span<Real>(inverse_.empty() ? nullptr : inverse_.front().data(), 36 * inverse_.size()));
  whole_ = block_;
  for (std::size_t b = 0; b < block_.size(); ++b) {
    if (!(block_[b](0, 0) > 0)) continue;
    whole_[b] += inverse_[b];
    inverse_[b] = whole_[b].llt().solve(ModeBlock::Identity());
  }
}

void RigidMotion::multiply(const Vector& x, Vector& y) const {
  for (Modes& of : y) of.setZero();
  for (const Couple& couple : couples_) {
    const auto a = static_cast<std::size_t>(couple.a), b = static_cast<std::size_t>(couple.b);
    y[a] += couple.block * x[b];
    y[b] += couple.block.transpose() * x[a];
  }
  communicator_.sum(std::span<Real>(y.empty() ? nullptr : y.front().data(), 6 * y.size()));
  for (std::size_t b = 0; b < y.size(); ++b) y[b] += whole_[b] * x[b];
}

static Real dot(const std::vector<Eigen::Matrix<Real, 6, 1>>& a, const std::vector<Eigen::Matrix<Real, 6, 1>>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

// Conjugate gradients; what they leave is the linear solver's.
void RigidMotion::solve(Vector& residual, Vector& y) {
  constexpr Real tolerance = 1e-6;
  const int most_iterations = 6 * static_cast<int>(residual.size());
  const std::size_t bodies = residual.size();
  y.assign(bodies, Modes::Zero());
  direction_.assign(bodies, Modes::Zero());
  preconditioned_.resize(bodies);
  product_.resize(bodies);
  Real squared = 0, first = 0;
  for (int iteration = 0; iteration <= most_iterations; ++iteration) {
    for (std::size_t b = 0; b < bodies; ++b) preconditioned_[b] = inverse_[b] * residual[b];
    const Real now = dot(residual, preconditioned_);
    if (iteration == 0) first = now;
    if (!(now > tolerance * tolerance * first)) break;
    const Real factor = iteration > 0 ? now / squared : 0;
    for (std::size_t b = 0; b < bodies; ++b) direction_[b] = preconditioned_[b] + factor * direction_[b];
    squared = now;
    multiply(direction_, product_);
    const Real curvature = dot(direction_, product_);
    if (!(curvature > 0)) break;
    for (std::size_t b = 0; b < bodies; ++b) {
      y[b] += squared / curvature * direction_[b];
      residual[b] -= squared / curvature * product_[b];
    }
  }
}

void RigidMotion::couple(ContactTerms& contact, const Field& x) {
  x_ = &x;
  add_springs(contact.body_springs(x));
}

Real RigidMotion::add_correction(View<const Vec3> r, View<Vec3> z) {
  products(x_->owned(), r, residual_);
  solution_.resize(residual_.size());
  for (std::size_t b = 0; b < residual_.size(); ++b) solution_[b] = inverse_[b] * residual_[b];
  move(solution_, x_->owned(), z);
  return dot(solution_, residual_);
}

void RigidMotion::correct(const LinearSystem& system, const Field& b, Field& p) {
  apply(system, p, image_);
  add_scaled(-1, b.owned(), image_.write_owned());
  products(x_->owned(), image_.owned(), residual_);
  for (Modes& of : residual_) of = -of;
  solve(residual_, solution_);
  move(solution_, x_->local(), p.write_local());
}

}  // namespace unbarred
