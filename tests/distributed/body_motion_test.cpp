// Bodies moved one by one: on the way of a rotation, by shares of a step, and so that momentum is kept; 1 to 4 ranks.
#include "dynamics/step/body_motion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "support/two_boxes.hpp"

namespace unbarred::test {
namespace {

Vec3 same(const Vec3& x, int) { return x; }
/// One turn of a third of a revolution, one that is small.
Vec3 turn(int body) { return body == 0 ? Vec3{{0.9, -1.5, 1.1}} : Vec3{{0.02, 0.03, -0.05}}; }
Vec3 shift(int body) { return body == 0 ? Vec3{{0.3, -0.2, 0.5}} : Vec3{{-0.1, 0.4, 0.05}}; }

Vec3 rotated(const Vec3& r, const Vec3& by) {
  const Eigen::Vector3d axis(by[0], by[1], by[2]), arm(r[0], r[1], r[2]);
  if (axis.norm() == 0) return r;
  const Eigen::Vector3d image = Eigen::AngleAxisd(axis.norm(), axis.normalized()) * arm;
  return {{image[0], image[1], image[2]}};
}

/// Both boxes turn about their centers and are shifted: p is the tangent of this motion at rest.
struct Turning {
  Turning(const Communicator& part, bool turns)
      : boxes(part),
        center{boxes.center(0), boxes.center(1)},
        x(boxes.field(same)),
        p(boxes.field([&](const Vec3& at, int b) { return shift(b) + cross(turn(b), at - center[b]); })),
        y(boxes.simulation.map()),
        motion(boxes.energy(), turns) {}

  Field rigid(Real step_of_first, Real step_of_second) const {
    return boxes.field([&](const Vec3& at, int b) {
      const Real step = b == 0 ? step_of_first : step_of_second;
      return center[b] + step * shift(b) + rotated(at - center[b], step * turn(b));
    });
  }
  TwoBoxes boxes;
  Vec3 center[2];
  Field x, p, y;
  BodyMotion motion;
};

/// Over local vertices, ghosts as well.
Real largest_difference(const Field& a, const Field& b) {
  EXPECT_FALSE(a.ghosts_stale() || b.ghosts_stale());
  const std::vector<Vec3> first = a.to_host(), second = b.to_host();
  Real largest = 0;
  for (std::size_t v = 0; v < first.size(); ++v)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(first[v][k] - second[v][k]));
  return largest;
}

/// Of all edges of the tetrahedra of the body: the largest relative change of length from x to y. @note Collective
Real stretch(const TwoBoxes& boxes, const Field& x, const Field& y, int body) {
  const std::vector<Vec3> from = x.to_host(), to = y.to_host();
  Real largest = 0;
  for (const auto& t : boxes.mesh().tetrahedra)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) {
        const auto a = static_cast<std::size_t>(t[i]), b = static_cast<std::size_t>(t[j]);
        if (boxes.mesh().vertex_body[a] != body) continue;
        const Real change = std::sqrt(squared_norm(to[a] - to[b]) / squared_norm(from[a] - from[b])) - 1;
        largest = std::max(largest, std::abs(change));
      }
  return boxes.part.max(largest);
}

TEST(BodyMotion, RotationsKeepLengthsWhereTheStraightWayStretches) {
  on_any_ranks([](const Communicator& part) {
    Turning bent(part, true), straight(part, false);
    for (Turning* t : {&bent, &straight}) {
      t->motion.set_turns(t->x, t->p);
      t->motion.move(t->x, {1, 1}, t->p, t->y);
    }
    for (const int body : {0, 1}) EXPECT_LT(stretch(bent.boxes, bent.x, bent.y, body), 1e-13);
    EXPECT_GT(stretch(straight.boxes, straight.x, straight.y, 0), 1);
    EXPECT_GT(stretch(straight.boxes, straight.x, straight.y, 1), 1e-3);
    EXPECT_LT(largest_difference(bent.y, bent.rigid(1, 1)), 1e-13);
    const Field tangent = straight.boxes.field(
        [&](const Vec3& x, int b) { return x + shift(b) + cross(turn(b), x - straight.center[b]); });
    EXPECT_LT(largest_difference(straight.y, tangent), 1e-15);
  });
}

TEST(BodyMotion, EveryIslandGoesItsShareOnTheWayOfItsRotation) {
  on_any_ranks([](const Communicator& part) {
    Turning turning(part, true);
    turning.motion.set_turns(turning.x, turning.p);
    for (const auto& [first, second] : {std::pair<Real, Real>{0.5, 1}, {1, 0.25}, {0, 1}, {0.1, 0}}) {
      turning.motion.move(turning.x, {first, second}, turning.p, turning.y);
      EXPECT_LT(largest_difference(turning.y, turning.rigid(first, second)), 1e-13) << first << " " << second;
    }
  });
}

TEST(BodyMotion, BendMakesOfAStraightWayTheSameAsMove) {
  on_any_ranks([](const Communicator& part) {
    Turning turning(part, true);
    turning.motion.set_turns(turning.x, turning.p);
    for (const Real step : {0.0, 0.3, 1.0}) {
      Field y = turning.boxes.field(
          [&](const Vec3& x, int b) { return x + step * (shift(b) + cross(turn(b), x - turning.center[b])); });
      turning.motion.bend(turning.x, step, y);
      EXPECT_LT(largest_difference(y, turning.rigid(step, step)), 1e-13) << step;
    }
  });
}

// A seventh of the turns is about where the exact formula and its series for small angles meet.
TEST(BodyMotion, SmallRotationsAreAsExactAsLargeOnes) {
  on_any_ranks([](const Communicator& part) {
    Turning turning(part, true);
    turning.motion.set_turns(turning.x, turning.p);
    for (const Real angle : {0.2, 0.1001, 0.0999, 0.01, 1e-4, 1e-7}) {
      const Real step = angle / std::sqrt(squared_norm(turn(0)));
      turning.motion.move(turning.x, {step, 0}, turning.p, turning.y);
      EXPECT_LT(largest_difference(turning.y, turning.rigid(step, 0)), 2e-15) << angle;
    }
  });
}

TEST(BodyMotion, HeldBodiesGoStraight) {
  on_any_ranks([](const Communicator& part) {
    Turning turning(part, true);
    turning.boxes.begin(same, [](const Vec3& x, int b) { return static_cast<AxisMask>(b == 0 && x[0] < 0 ? 4 : 0); });
    turning.motion.set_turns(turning.x, turning.p);
    turning.motion.move(turning.x, {1, 1}, turning.p, turning.y);
    const Field expected = turning.boxes.field([&](const Vec3& x, int b) {
      const Vec3 r = x - turning.center[b];
      return turning.center[b] + shift(b) + (b == 0 ? r + cross(turn(b), r) : rotated(r, turn(b)));
    });
    EXPECT_LT(largest_difference(turning.y, expected), 1e-13);
  });
}

TEST(BodyMotion, FindsTheTurnAnewForEveryStep) {
  on_any_ranks([](const Communicator& part) {
    Turning turning(part, true);
    turning.motion.set_turns(turning.x, turning.p);
    const Field along = turning.boxes.field([](const Vec3&, int b) { return shift(b); });
    turning.motion.set_turns(turning.x, along);
    turning.motion.move(turning.x, {1, 1}, along, turning.y);
    const Field expected = turning.boxes.field([](const Vec3& x, int b) { return x + shift(b); });
    EXPECT_LT(largest_difference(turning.y, expected), 1e-15);
  });
}

TEST(BodyMotion, TakesTheMarkedBodiesOnly) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    BodyMotion motion(boxes.energy(), true);
    const Field trial = boxes.field([](const Vec3& x, int b) { return x + shift(b); });
    Field y = boxes.field(same);
    motion.take({0, 1}, trial, y);
    const Field expected = boxes.field([](const Vec3& x, int b) { return b == 1 ? x + shift(b) : x; });
    EXPECT_EQ(largest_difference(y, expected), 0);
    motion.take({0, 0}, boxes.field([](const Vec3& x, int) { return Real(2) * x; }), y);
    EXPECT_EQ(largest_difference(y, expected), 0);
  });
}

TEST(BodyMotion, BlendsEveryIslandByItsShare) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    BodyMotion motion(boxes.energy(), true);
    const Field x = boxes.field(same);
    Field y = boxes.field([](const Vec3& at, int b) { return at + shift(b); });
    motion.blend({0.25, 0}, x, y);
    const Field expected = boxes.field([](const Vec3& at, int b) { return at + (b == 0 ? 0.75 : 1.0) * shift(b); });
    EXPECT_LT(largest_difference(y, expected), 1e-15);
    motion.blend({1, 1}, x, y);
    EXPECT_LT(largest_difference(y, x), 1e-15);
  });
}

/// What a linear solver asks for and what it found, with a large error.
struct Translated {
  Translated(const Communicator& part, const Scene& scene) : boxes(part, scene) {}
  void go(const std::function<AxisMask(const Vec3& x, int body)>& mask) {
    boxes.begin(same, mask);
    downhill = boxes.field([](const Vec3& x, int b) { return Vec3{{1 + x[0], 0.3 * x[1] - b, std::sin(9 * x[2])}}; });
    before = boxes.field([](const Vec3& x, int) { return Vec3{{0.1 * x[2], 0.2, std::cos(7 * x[0])}}; });
    after.assign(before);
    BodyMotion(boxes.energy(), true).translate(downhill.owned(), after);
  }
  /// Sums of downhill and of m p, by body.
  std::vector<Real> asked(int axis) {
    const std::vector<Vec3> host = downhill.to_host();
    return boxes.sums([&](Index v, const Vec3&, Real) { return host[static_cast<std::size_t>(v)][axis]; });
  }
  std::vector<Real> momentum(const Field& p, int axis) {
    const std::vector<Vec3> host = p.to_host();
    return boxes.sums([&](Index v, const Vec3&, Real m) { return m * host[static_cast<std::size_t>(v)][axis]; });
  }
  TwoBoxes boxes;
  Field downhill{boxes.simulation.map()}, before{boxes.simulation.map()}, after{boxes.simulation.map()};
};

TEST(BodyMotion, TranslateGivesFreeBodiesTheirMomentumExactly) {
  on_any_ranks([](const Communicator& part) {
    Translated t(part, two_boxes());
    t.go(nullptr);
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<Real> asked = t.asked(axis), wrong = t.momentum(t.before, axis),
                              right = t.momentum(t.after, axis);
      for (std::size_t b = 0; b < 2; ++b) {
        EXPECT_GT(std::abs(wrong[b] - asked[b]), 0.01) << axis;
        EXPECT_NEAR(right[b], asked[b], 1e-12 * masses_of_boxes[b]) << "body " << b << ", axis " << axis;
      }
    }
  });
}

TEST(BodyMotion, TranslateMovesAllOfABodyAlike) {
  on_any_ranks([](const Communicator& part) {
    Translated t(part, two_boxes());
    t.go(nullptr);
    Vec3 by[2];
    for (int axis = 0; axis < 3; ++axis)
      for (std::size_t b = 0; b < 2; ++b)
        by[b][axis] = (t.asked(axis)[b] - t.momentum(t.before, axis)[b]) / masses_of_boxes[b];
    const std::vector<Vec3> before = t.before.to_host();
    std::size_t v = 0;  // the function is called in the order of local vertices
    const Field expected = t.boxes.field([&](const Vec3&, int b) { return before[v++] + by[b]; });
    EXPECT_LT(largest_difference(t.after, expected), 1e-13);
  });
}

TEST(BodyMotion, TranslateLeavesTheAxesOnWhichABodyIsHeld) {
  on_any_ranks([](const Communicator& part) {
    Translated t(part, two_boxes());
    t.go([](const Vec3& x, int b) { return static_cast<AxisMask>(b == 1 && x[0] > 0.6 ? 5 : 0); });
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<Real> asked = t.asked(axis), before = t.momentum(t.before, axis),
                              after = t.momentum(t.after, axis);
      EXPECT_NEAR(after[0], asked[0], 1e-12 * masses_of_boxes[0]) << axis;
      EXPECT_NEAR(after[1], axis == 1 ? asked[1] : before[1], 1e-12 * masses_of_boxes[1]) << axis;
    }
  });
}

TEST(BodyMotion, TranslateLeavesAllToTheSolverWhereLoadsHoldBodies) {
  Scene scene = two_boxes();
  SpringSpec spring;
  spring.name = "spring";
  spring.stiffness = 500;
  scene.springs = {spring};
  on_any_ranks([&](const Communicator& part) {
    Translated t(part, scene);
    t.go(nullptr);
    EXPECT_EQ(largest_difference(t.after, t.before), 0);
  });
}

}  // namespace
}  // namespace unbarred::test
