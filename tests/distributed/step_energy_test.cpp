// Energies, moments and products of bodies without contact against formulas, on 1 to 4 ranks.
#include "dynamics/step/step_energy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/two_boxes.hpp"

namespace unbarred::test {
namespace {

using Values = std::vector<Real>;

Vec3 same(const Vec3& x, int) { return x; }
/// Another translation of each body.
Vec3 shift(int body) { return body == 0 ? Vec3{{0.3, -0.2, 0.5}} : Vec3{{-0.1, 0.4, 0.05}}; }
Vec3 shifted(const Vec3& x, int body) { return x + shift(body); }
/// No vertex moves as another one.
Vec3 waved(const Vec3& x, int body) {
  return x + Vec3{{0.01 * std::sin(9 * x[1] + body), 0.02 * std::cos(7 * x[2]), 0.01 * std::sin(5 * x[0])}};
}
AxisMask low_end_along_y(const Vec3& x, int body) { return body == 1 && x[0] < 0 ? 2 : 0; }

void expect_near(const Values& found, const Values& expected, Real tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t b = 0; b < found.size(); ++b)
    EXPECT_NEAR(found[b], expected[b], tolerance * std::abs(expected[b])) << "body " << b;
}
void expect_near(const std::vector<Vec3>& found, const std::vector<Vec3>& expected, Real tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t b = 0; b < found.size(); ++b)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[b][k], expected[b][k], tolerance) << "body " << b << ", axis " << k;
}

TEST(StepEnergy, KnowsTheMassesOfBodies) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    EXPECT_EQ(boxes.energy().bodies(), 2u);
    expect_near(boxes.energy().masses(), {masses_of_boxes[0], masses_of_boxes[1]}, 1e-13);
  });
}

TEST(StepEnergy, OfATranslationIsHalfTheMassTimesItsSquare) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    Values expected;
    for (int b = 0; b < 2; ++b) expected.push_back(0.5 * masses_of_boxes[b] * squared_norm(shift(b)));
    expect_near(boxes.energy().of_bodies(boxes.field(shifted)), expected, 1e-12);
  });
}

TEST(StepEnergy, OfThePredictedStateIsTheElasticOne) {
  const Mat3 stretch{{{1.1, 0.2, 0}, {0, 0.9, -0.1}, {0.05, 0, 1.2}}};
  on_any_ranks([&](const Communicator& part) {
    TwoBoxes boxes(part);
    const auto stretched = [&](const Vec3& x, int) { return stretch * x; };
    boxes.begin(stretched);
    const std::vector<MaterialSpec> specs = two_boxes().materials;
    Values expected;
    for (const MaterialSpec& spec : specs)
      expected.push_back(
          boxes.time_step() * boxes.time_step() * volume_of_box *
          std::visit([&](const auto& material) { return material.energy(stretch); }, make_material(spec)));
    EXPECT_GT(std::abs(expected[0] - expected[1]), 0.1 * expected[0]);
    expect_near(boxes.energy().of_bodies(boxes.field(stretched)), expected, 1e-12);
  });
}

TEST(StepEnergy, LeavesOutTheInertiaOfPrescribedCoordinates) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    boxes.begin(same, low_end_along_y);
    const Values prescribed = boxes.sums([](Index, const Vec3& x, Real m) { return x[0] < 0 ? m : 0; });
    EXPECT_GT(prescribed[1], 0);
    Values expected;
    for (int b = 0; b < 2; ++b) expected.push_back(0.5 * masses_of_boxes[b] * squared_norm(shift(b)));
    expected[1] -= 0.5 * prescribed[1] * shift(1)[1] * shift(1)[1];
    expect_near(boxes.energy().of_bodies(boxes.field(shifted)), expected, 1e-12);
  });
}

TEST(StepEnergy, SaysWhichBodiesAreHeldAndByHowManyCoordinates) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    EXPECT_EQ(boxes.energy().held(), (std::vector<std::uint8_t>{0, 0}));
    const Values count = boxes.sums([](Index, const Vec3& x, Real) { return x[0] < 0 ? 1 : 0; });
    boxes.begin(same, low_end_along_y);
    EXPECT_EQ(boxes.energy().held(), (std::vector<std::uint8_t>{0, 1}));
    EXPECT_EQ(boxes.energy().prescribed(0), (Values{0, 0}));
    EXPECT_EQ(boxes.energy().prescribed(1), (Values{0, count[1]}));
    EXPECT_EQ(boxes.energy().prescribed(2), (Values{0, 0}));
    boxes.begin(same);
    EXPECT_EQ(boxes.energy().held(), (std::vector<std::uint8_t>{0, 0}));
  });
}

TEST(StepEnergy, OfIslandsIsThatOfTheirBodiesWhileNothingTouches) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    const Field y = boxes.field(waved);
    boxes.energy().group();
    EXPECT_EQ(boxes.energy().islands(), 2u);
    const Values bodies = boxes.energy().of_bodies(y);
    const std::vector<StepEnergy::Island> islands = boxes.energy().at(y);
    ASSERT_EQ(islands.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_GT(bodies[i], 0);
      EXPECT_DOUBLE_EQ(islands[i].energy, bodies[i]);
      EXPECT_DOUBLE_EQ(islands[i].size, bodies[i]);
    }
  });
}

TEST(StepEnergy, OfLoadsOfTheSystemIsKnownOfOneIslandOnly) {
  Scene scene = two_boxes();
  SpringSpec spring;
  spring.name = "spring";
  spring.stiffness = 500;
  scene.springs = {spring};
  on_any_ranks([&](const Communicator& part) {
    TwoBoxes boxes(part, scene);
    const Real square = boxes.time_step() * boxes.time_step();
    const Field y = boxes.field(shifted);
    boxes.energy().group();
    const Values bodies = boxes.energy().of_bodies(y);
    const std::vector<StepEnergy::Island> islands = boxes.energy().at(y);
    ASSERT_EQ(islands.size(), 1u);
    const Real expected = bodies[0] + bodies[1] + square * 0.5 * 500 * squared_norm(shift(0));
    EXPECT_NEAR(islands[0].energy, expected, 1e-12 * expected);
    EXPECT_NEAR(islands[0].size, expected, 1e-12 * expected);
  });
}

TEST(StepEnergy, OfBodiesLeavesWhatIsRemembered) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    StepEnergy& energy = boxes.energy();
    const Field y = boxes.field(waved), other = boxes.field(shifted);
    energy.remember(y);
    const Values remembered = energy.last_of_bodies();
    const Values of_other = energy.of_bodies(other);
    EXPECT_EQ(energy.last_of_bodies(), remembered);
    EXPECT_NE(of_other, remembered);
    EXPECT_EQ(energy.of_bodies(y), remembered);
    const std::vector<StepEnergy::Island> again = energy.again(y);
    ASSERT_EQ(again.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(again[i].energy, remembered[i]);
    energy.at(other);
    EXPECT_EQ(energy.last_of_bodies(), of_other);
  });
}

TEST(StepEnergy, ProductsAreOverFreeCoordinates) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    boxes.begin(same, low_end_along_y);
    const auto other = [](const Vec3& x, int) { return Vec3{{1 + x[2], 2 - x[0], x[1] * x[0]}}; };
    const Values expected = boxes.sums([&](Index v, const Vec3& x, Real) {
      const int body = boxes.mesh().vertex_body[static_cast<std::size_t>(v)];
      return dot(free_part(waved(x, body), low_end_along_y(x, body)), other(x, body));
    });
    const Field a = boxes.field(waved), b = boxes.field(other);
    expect_near(boxes.energy().products(a.owned(), b.owned()), expected, 1e-11);
    expect_near(boxes.energy().products(b.owned(), a.owned()), expected, 1e-11);
  });
}

TEST(StepEnergy, CentersAreThoseOfMass) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    const Vec3 origin = boxes.simulation.scene().origin;
    std::vector<Vec3> expected{Vec3{{0, 0, 0}} - origin, Vec3{{0.2, 2, 0.1}} - origin};
    // Lumped masses put the center where the tetrahedra have theirs: that of the box.
    expect_near(boxes.energy().centers(boxes.field(same)), expected, 1e-13);
    for (int b = 0; b < 2; ++b) expected[static_cast<std::size_t>(b)] += shift(b);
    expect_near(boxes.energy().centers(boxes.field(shifted)), expected, 1e-13);
  });
}

TEST(StepEnergy, InertiaGapsAreTheMomentumThatIsMissing) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    boxes.begin(shifted);
    expect_near(boxes.energy().inertia_gaps(boxes.field(same)),
                {masses_of_boxes[0] * shift(0), masses_of_boxes[1] * shift(1)}, 1e-11);
    expect_near(boxes.energy().inertia_gaps(boxes.field(shifted)), {{{0, 0, 0}}, {{0, 0, 0}}}, 0);
  });
}

TEST(StepEnergy, InertiaTorquesFeelRotationsAndNoTranslations) {
  const Vec3 turn{{0.1, -0.2, 0.3}};
  on_any_ranks([&](const Communicator& part) {
    TwoBoxes boxes(part);
    const Field y = boxes.field(same);
    const std::vector<Vec3> centers = boxes.energy().centers(y);
    boxes.begin(shifted);
    expect_near(boxes.energy().inertia_torques(y, centers), {{{0, 0, 0}}, {{0, 0, 0}}}, 1e-12);
    boxes.begin([&](const Vec3& x, int b) { return x + cross(turn, x - centers[static_cast<std::size_t>(b)]); });
    std::vector<Vec3> expected(2);
    for (int axis = 0; axis < 3; ++axis) {
      const Values moment = boxes.sums([&](Index v, const Vec3& x, Real m) {
        const Vec3 r = x - centers[static_cast<std::size_t>(boxes.mesh().vertex_body[static_cast<std::size_t>(v)])];
        return m * (squared_norm(r) * turn[axis] - dot(r, turn) * r[axis]);
      });
      for (std::size_t b = 0; b < 2; ++b) expected[b][axis] = moment[b];
    }
    EXPECT_GT(squared_norm(expected[0]), 0.1);
    expect_near(boxes.energy().inertia_torques(y, centers), expected, 1e-11);
  });
}

TEST(StepEnergy, CrushedAreBodiesThatMayNotInvertAndLoseHalfOfAnElement) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    const auto flattened = [&](Real factor) {
      return boxes.field([=](const Vec3& x, int) { return Vec3{{x[0], x[1], factor * x[2]}}; });
    };
    using Marks = std::vector<std::uint8_t>;
    const Field x = flattened(1);
    EXPECT_EQ(boxes.energy().crushed(x, flattened(0.51)), (Marks{0, 0}));
    EXPECT_EQ(boxes.energy().crushed(x, flattened(0.49)), (Marks{0, 1}));
    EXPECT_EQ(boxes.energy().crushed(x, flattened(-1)), (Marks{0, 1}));
    // Of the volume at the start of the way, not at rest.
    EXPECT_EQ(boxes.energy().crushed(flattened(0.3), flattened(0.2)), (Marks{0, 0}));
    EXPECT_EQ(boxes.energy().crushed(flattened(3), flattened(1.4)), (Marks{0, 1}));
  });
}

TEST(StepEnergy, OneCrushedElementCrushesItsBody) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    const Vec3 corner = Vec3{{0.7, 2.2, 0.25}} - boxes.simulation.scene().origin;
    const Field x = boxes.field(same), y = boxes.field([&](const Vec3&at, int) {
      return squared_norm(at - corner) < 1e-6 ? at - Vec3{{0.15, 0.08, 0.09}} : at;
    });
    EXPECT_EQ(boxes.energy().crushed(x, y), (std::vector<std::uint8_t>{0, 1}));
  });
}

TEST(StepEnergy, SumsAndLargestAreOverRanks) {
  on_any_ranks([](const Communicator& part) {
    TwoBoxes boxes(part);
    const Real rank = part.rank(), last = part.size() - 1;
    EXPECT_EQ(boxes.energy().summed(Values{1, rank}), (Values{last + 1, last * (last + 1) / 2}));
    EXPECT_EQ(boxes.energy().largest(Values{rank, -rank}), (Values{last, 0}));
    const std::vector<Vec3> sums = boxes.energy().summed(std::vector<Vec3>{{{1, rank, 0}}, {{0, 0, 2}}});
    expect_near(sums, {{{last + 1, last * (last + 1) / 2, 0}}, {{0, 0, 2 * (last + 1)}}}, 0);
  });
}

}  // namespace
}  // namespace unbarred::test
