// Our conjugate gradients against Eigen's dense Cholesky factorization; where they stop, and what they leave.
#include "linear/pcg.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <Eigen/Dense>
#include <random>

#include "support/world.hpp"

namespace unbarred::test {
namespace {

using Dense = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Vec3 part(const Vector& all, Index v) { return {{all[3 * v], all[3 * v + 1], all[3 * v + 2]}}; }
Vector joined(const std::vector<Vec3>& parts) {
  Vector all(3 * static_cast<Index>(parts.size()));
  for (Index i = 0; i < all.size(); ++i) all[i] = parts[static_cast<std::size_t>(i / 3)][static_cast<int>(i % 3)];
  return all;
}

/// Masses in rows of seven on a net of random springs, some coordinates of them held.
class Net {
 public:
  explicit Net(Index masses)
      : map_(masses, numbers(masses), masses, {}, {}),
        transport_(make_transport(world())),
        halo_(world(), map_, *transport_),
        pattern_(neighbours(masses)),
        blocks_(pattern_.columns.size() + 1, Block{}),
        matrix_(pattern_) {
    for (Index i = 0; i < masses; ++i) {
      add(i, i, diagonal<Real>(0.1, 0.1, 0.1));
      for (const Index j : {i + 1, i + 7})
        if (j < masses) add_spring(i, j);
      masks_.push_back(i % 5 == 0 ? static_cast<AxisMask>(i / 5 % 8) : 0);
    }
    fixed_.assign_host(masks_);
    write();
  }

  /// Each of the two gets this share of what the other one does: negative curvature where it is large.
  void entangle(Index i, Index j, Real share) {
    const Mat3 block = diagonal(share, share, share);
    add(i, j, block);
    add(j, i, block);
    write();
  }

  LinearSystem system(const SolveGoal& goal = {}) {
    return {.communicator = world(), .map = map_, .halo = halo_, .matrix = matrix_, .fixed = fixed_, .goal = goal};
  }
  Field field(const Vector& values) const {
    std::vector<Vec3> host;
    for (Index v = 0; v < map_.owned(); ++v) host.push_back(part(values, v));
    Field field(map_);
    field.set_owned_from_host(host);
    return field;
  }
  Vector wave(Real phase) const {
    return Vector::NullaryExpr(size(), [&](Index i) { return std::sin(static_cast<Real>(i) * 0.7 + phase); });
  }
  Index size() const { return 3 * map_.owned(); }
  const IndexMap& map() const { return map_; }
  bool held(Index coordinate) const { return masks_[static_cast<std::size_t>(coordinate / 3)] >> coordinate % 3 & 1; }

  Dense dense() const {
    Dense a = Dense::Zero(size(), size());
    for (Index i = 0; i < map_.owned(); ++i)
      for (Index e = pattern_.offsets[i]; e < pattern_.offsets[i + 1]; ++e)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) a(3 * i + r, 3 * pattern_.columns[e] + c) = blocks_[e](r, c);
    return a;
  }
  std::vector<Index> free_coordinates() const {
    std::vector<Index> free;
    for (Index i = 0; i < size(); ++i)
      if (!held(i)) free.push_back(i);
    return free;
  }
  /// sqrt(r . P^-1 r) at p, P of the diagonal blocks.
  Real residual_norm(const Vector& b, const Vector& p) const {
    const Dense a = dense();
    Vector r = b - a * p;
    Dense diagonal = Dense::Zero(size(), size());
    for (Index i = 0; i < size(); ++i) {
      if (held(i)) {
        r[i] = 0;
        diagonal(i, i) = 1;
        continue;
      }
      for (Index j = i / 3 * 3; j < i / 3 * 3 + 3; ++j)
        if (!held(j)) diagonal(i, j) = a(i, j);
    }
    return std::sqrt(r.dot(diagonal.llt().solve(r)));
  }

 private:
  static std::vector<GlobalIndex> numbers(Index count) {
    std::vector<GlobalIndex> all;
    for (Index i = 0; i < count; ++i) all.push_back(i);
    return all;
  }
  static BlockPattern neighbours(Index masses) {
    BlockPattern pattern{.offsets = {0}, .columns = {}, .diagonal = {}};
    for (Index i = 0; i < masses; ++i) {
      for (const Index j : {i - 7, i - 1, i, i + 1, i + 7}) {
        if (j < 0 || j >= masses) continue;
        if (j == i) pattern.diagonal.push_back(static_cast<Index>(pattern.columns.size()));
        pattern.columns.push_back(j);
      }
      pattern.offsets.push_back(static_cast<Index>(pattern.columns.size()));
    }
    return pattern;
  }
  void add_spring(Index i, Index j) {
    Mat3 a;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) a(r, c) = normal_(random_);
    const Mat3 stiffness = a * transposed(a);
    add(i, i, stiffness);
    add(j, j, stiffness);
    add(i, j, Real(-1) * stiffness);
    add(j, i, Real(-1) * stiffness);
  }
  void add(Index i, Index j, const Mat3& block) {
    const auto begin = pattern_.columns.begin() + pattern_.offsets[i];
    const auto at = std::find(begin, pattern_.columns.begin() + pattern_.offsets[i + 1], j) - pattern_.columns.begin();
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) blocks_[static_cast<std::size_t>(at)](r, c) += block(r, c);
  }
  void write() { memory::copy_to_device(matrix_.values().data(), blocks_.data(), blocks_.size() * sizeof(Block)); }

  std::mt19937 random_{5};
  std::normal_distribution<Real> normal_;
  IndexMap map_;
  std::unique_ptr<Transport> transport_;
  Halo halo_;
  BlockPattern pattern_;
  std::vector<Block> blocks_;
  BlockMatrix matrix_;
  std::vector<AxisMask> masks_;
  DeviceArray<AxisMask> fixed_;
};

struct Solved {
  SolveReport report;
  Vector p;
};

constexpr int plenty = 10000;

Solved solve(Net& net, Real tolerance, const Vector& b, const Vector& start, const SolveGoal& goal = {},
             int maximum_iterations = plenty) {
  Pcg pcg(net.map(), {.tolerance = tolerance, .maximum_iterations = maximum_iterations});
  const Field right = net.field(b);
  Field p = net.field(start);
  Solved solved;
  solved.report = pcg.solve(net.system(goal), right, p);
  solved.report.negative = nullptr;
  solved.p = joined(p.to_host());
  return solved;
}

TEST(Pcg, SolvesAsADenseCholeskyFactorizationDoes) {
  Net net(40);
  const Vector b = net.wave(0), start = net.wave(1);
  const Solved solved = solve(net, 1e-13, b, start);
  EXPECT_EQ(solved.report.reason, SolveReason::converged);
  Vector held = start;
  const std::vector<Index> free = net.free_coordinates();
  ASSERT_LT(free.size(), static_cast<std::size_t>(net.size()));
  for (const Index i : free) held[i] = 0;
  const Dense a = net.dense();
  const Vector expected = Dense(a(free, free)).llt().solve(Vector((b - a * held)(free)));
  EXPECT_LT((solved.p(free) - expected).norm(), 1e-10 * expected.norm());
}

TEST(Pcg, LeavesPrescribedCoordinatesAsTheyAre) {
  Net net(40);
  const Vector start = net.wave(1);
  const Solved solved = solve(net, 1e-6, net.wave(0), start);
  int held = 0;
  for (Index i = 0; i < net.size(); ++i) {
    if (net.held(i)) {
      EXPECT_EQ(solved.p[i], start[i]) << i;
      ++held;
    } else {
      EXPECT_NE(solved.p[i], start[i]) << i;
    }
  }
  EXPECT_GT(held, 0);
}

TEST(Pcg, StopsAtTheFirstResidualBelowItsShareOfTheFirst) {
  Net net(40);
  const Vector b = net.wave(0), start = net.wave(1);
  for (const Real tolerance : {1e-2, 1e-6}) {
    const Solved solved = solve(net, tolerance, b, start);
    const Real first = net.residual_norm(b, start);
    EXPECT_NEAR(solved.report.first, first, 1e-12 * first);
    EXPECT_DOUBLE_EQ(solved.report.enough, tolerance * solved.report.first);
    EXPECT_LE(solved.report.residual, tolerance);
    EXPECT_NEAR(solved.report.residual, net.residual_norm(b, solved.p) / first, 1e-6 * tolerance);
    const Solved shorter = solve(net, tolerance, b, start, {}, solved.report.iterations - 1);
    EXPECT_EQ(shorter.report.reason, SolveReason::iteration_limit);
    EXPECT_GT(net.residual_norm(b, shorter.p), tolerance * first);
  }
}

TEST(Pcg, MeasuresItsToleranceByTheReferenceAndTheLeastReduction) {
  Net net(40);
  const Vector b = net.wave(0), start = net.wave(1);
  const Real first = solve(net, 1e-8, b, start).report.first;
  struct Case {
    Real reference, enough;  // in first residuals
  };
  for (const auto& [reference, enough] : {Case{0, 1e-8}, Case{0.01, 1e-8}, Case{1e3, 1e-5}, Case{1e7, 1e-3}}) {
    const Solved solved = solve(net, 1e-8, b, start, {.reference = reference * first, .least_reduction = 1e-3});
    EXPECT_NEAR(solved.report.enough, enough * first, 1e-12 * enough * first) << reference;
    EXPECT_LE(solved.report.residual, enough) << reference;
    EXPECT_GT(solved.report.residual, enough / 1e3) << reference;
  }
}

TEST(Pcg, TakesTheEnoughOfAnotherSolveInPlaceOfItsTolerance) {
  Net net(40);
  const Vector b = net.wave(0), start = net.wave(1);
  const Real first = solve(net, 1e-8, b, start).report.first;
  const Solved solved =
      solve(net, 1e-8, b, start, {.reference = 1e5 * first, .rounding = first, .enough = 0.1 * first});
  EXPECT_EQ(solved.report.enough, 0.1 * first);
  EXPECT_LE(solved.report.residual, 0.1);
  EXPECT_GT(solved.report.residual, 1e-3);
}

TEST(Pcg, TakesNoIterationWhereOnlyRoundingIsLeft) {
  Net net(40);
  const Vector start = net.wave(1), b = 1e-14 * net.wave(0), zero = Vector::Zero(net.size());
  const Real first = solve(net, 1e-8, b, zero).report.first;
  const Solved rounding = solve(net, 1e-8, b, zero, {.rounding = 1.01 * first});
  EXPECT_EQ(rounding.report.iterations, 0);
  EXPECT_EQ(rounding.report.reason, SolveReason::converged);
  EXPECT_EQ(rounding.p, zero);
  const Solved more = solve(net, 1e-8, b, zero, {.rounding = 0.99 * first});
  EXPECT_GT(more.report.iterations, 0);
  EXPECT_NE(more.p, zero);
}

TEST(Pcg, TakesNoIterationWhereNothingIsAsked) {
  Net net(40);
  const Vector zero = Vector::Zero(net.size());
  const Solved solved = solve(net, 1e-8, zero, zero);
  EXPECT_EQ(solved.report.iterations, 0);
  EXPECT_EQ(solved.report.reason, SolveReason::converged);
  EXPECT_EQ(solved.report.residual, 0);
  EXPECT_EQ(solved.p, zero);
}

TEST(Pcg, GoesOnFromWhereALooseSolveStopped) {
  Net net(40);
  const Vector b = net.wave(0), start = net.wave(1);
  const Solved whole = solve(net, 1e-8, b, start);
  Pcg pcg(net.map(), {.tolerance = 1e-8, .maximum_iterations = plenty});
  const Field right = net.field(b);
  Field p = net.field(start);
  LinearSystem system = net.system({.loose = 0.05});
  const SolveReport loose = pcg.solve(system, right, p);
  EXPECT_EQ(loose.reason, SolveReason::converged);
  EXPECT_LE(loose.residual, 0.05);
  EXPECT_GT(loose.iterations, 0);
  EXPECT_LT(loose.iterations, whole.report.iterations);
  EXPECT_EQ(loose.enough, whole.report.enough);
  system.goal.loose = 0;
  system.resumes = true;
  const SolveReport rest = pcg.solve(system, right, p);
  EXPECT_EQ(loose.iterations + rest.iterations, whole.report.iterations);
  EXPECT_EQ(rest.residual, whole.report.residual);
  EXPECT_EQ(joined(p.to_host()), whole.p);
}

// The net is pushed at its first corner; what makes it indefinite is at the last one, so it takes a while to be found.
TEST(Pcg, ReportsNegativeCurvatureAndKeepsWhatItWonBefore) {
  Net net(40);
  net.entangle(38, 39, 1000);
  Vector b = Vector::Zero(net.size()), start = Vector::Zero(net.size());
  b[3] = 1;
  Pcg pcg(net.map(), {.tolerance = 1e-12, .maximum_iterations = plenty});
  const Field right = net.field(b);
  Field p = net.field(start);
  const SolveReport report = pcg.solve(net.system(), right, p);
  EXPECT_EQ(report.reason, SolveReason::indefinite);
  EXPECT_GT(report.iterations, 0);
  ASSERT_NE(report.negative, nullptr);
  const Dense a = net.dense();
  const Vector direction = joined(report.negative->to_host()), found = joined(p.to_host());
  EXPECT_LE(direction.dot(a * direction), 0);
  EXPECT_GT(direction.norm(), 0);
  for (Index i = 0; i < net.size(); ++i)
    if (net.held(i)) {
      EXPECT_EQ(direction[i], 0) << i;
      EXPECT_EQ(found[i], start[i]) << i;
    }
  EXPECT_LT(found.dot(a * found) / 2 - b.dot(found), 0);
}

TEST(Pcg, LeavesItsStartWhereTheFirstDirectionIsNegative) {
  Net net(40);
  net.entangle(38, 39, 1000);
  Vector b = Vector::Zero(net.size());
  for (int k = 0; k < 3; ++k) {
    b[3 * 38 + k] = 1;
    b[3 * 39 + k] = -1;
  }
  const Solved solved = solve(net, 1e-8, b, Vector::Zero(net.size()));
  EXPECT_EQ(solved.report.reason, SolveReason::indefinite);
  EXPECT_EQ(solved.report.iterations, 0);
  EXPECT_EQ(solved.p.norm(), 0);
}

TEST(Pcg, SaysThatItMetNoNumber) {
  Net net(40);
  Vector b = net.wave(0);
  b[4] = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(solve(net, 1e-8, b, net.wave(1)).report.reason, SolveReason::not_a_number);
}

// Enough rows for sums to be cut among threads.
TEST(Pcg, HasTheSameBitsOnOneAndTwoThreads) {
  Net net(140000);
  const Vector b = net.wave(0), start = net.wave(1);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Solved one = solve(net, 1e-12, b, start, {}, 12);
  omp_set_num_threads(2);
  const Solved two = solve(net, 1e-12, b, start, {}, 12);
  omp_set_num_threads(before);
  EXPECT_EQ(one.report.iterations, 12);
  EXPECT_EQ(one.report.residual, two.report.residual);
  EXPECT_EQ(one.p, two.p);
}

}  // namespace
}  // namespace unbarred::test
