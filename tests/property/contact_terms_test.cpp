// Forces, stiffness and energy of contact pairs against each other, by differences and by dense matrices.
#include <gtest/gtest.h>

#include "support/random_contact.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using test::ContactPart;
using test::RandomContact;
using test::RandomPairs;
using Vectors = std::vector<Vec3>;

constexpr std::size_t vertices = RandomContact::vertices;
const std::vector<int> all_here(vertices, 0);

Vectors random_vectors(RandomPairs& random) {
  Vectors x;
  for (std::size_t v = 0; v < vertices; ++v) x.push_back(random.vector());
  return x;
}
Vectors sum(const Vectors& a, Real factor, const Vectors& b) {
  Vectors s = a;
  for (std::size_t v = 0; v < vertices; ++v) s[v] += factor * b[v];
  return s;
}
Real product(const Vectors& a, const Vectors& b) {
  Real s = 0;
  for (std::size_t v = 0; v < vertices; ++v) s += dot(a[v], b[v]);
  return s;
}
Real norm(const Vectors& a) { return std::sqrt(product(a, a)); }
std::size_t count_active(const ContactPart& part) {
  std::size_t active = 0;
  for (const ActivePair& pair : part.set.to_host()) active += pair.active != 0;
  return active;
}

class ContactTerms : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(seeds, ContactTerms, testing::Values(1, 2, 3));

TEST_P(ContactTerms, forces_are_the_downhill_gradient_of_the_energy) {
  for (const Real friction : {0.0, 0.4}) {
    const RandomContact contact(GetParam(), false, friction);
    ContactPart part(contact, all_here, test::world());
    EXPECT_GT(count_active(part), 10u);
    EXPECT_LT(count_active(part), 50u);
    const Vectors forces = part.forces();
    RandomPairs random(GetParam() + 10);
    for (int n = 0; n < 20; ++n) {
      const Vectors d = random_vectors(random);
      const Real step = 1e-6;
      const Real rise = part.energy(sum(contact.iterate, step, d)) - part.energy(sum(contact.iterate, -step, d));
      ASSERT_NEAR(rise / (2 * step), -product(forces, d), 1e-6 * norm(forces) * norm(d)) << friction;
    }
  }
}

// Of pairs that stay active: of others the weight in the Hessian is a choice, not a derivative.
TEST_P(ContactTerms, stiffness_of_active_pairs_is_the_derivative_of_the_forces) {
  const RandomContact contact(GetParam(), true, 0);
  ContactPart part(contact, all_here, test::world());
  ASSERT_EQ(count_active(part), contact.pairs.size());
  RandomPairs random(GetParam() + 20);
  for (int n = 0; n < 10; ++n) {
    const Vectors d = random_vectors(random);
    const Real step = 1e-3;  // forces are linear
    part.linearize_terms(contact.iterate);
    const Vectors image = part.product(d).y;
    part.linearize_terms(sum(contact.iterate, step, d));
    const Vectors ahead = part.forces();
    part.linearize_terms(sum(contact.iterate, -step, d));
    const Vectors fall = sum(part.forces(), -1, ahead);
    ASSERT_LT(norm(sum(image, -1 / (2 * step), fall)), 1e-9 * norm(image));
  }
}

// The secant stiffness of cautious friction: what Newton's method minimizes is nowhere below the energy, so that its
// whole step always leads downhill.
TEST_P(ContactTerms, model_of_cautious_pairs_lies_above_the_energy) {
  RandomContact contact(GetParam(), true, 0.4);
  for (SavedPair& pair : contact.pairs) pair.state.cautious = 1;
  ContactPart part(contact, all_here, test::world());
  RandomPairs random(GetParam() + 50);
  const Real start = part.energy(contact.iterate);
  const Vectors forces = part.forces();
  for (int n = 0; n < 100; ++n) {
    const Vectors d = sum(Vectors(vertices, Vec3{{0, 0, 0}}), random.logarithmic(1e-4, 1), random_vectors(random));
    const auto image = part.product(d);
    const Real model = start - product(forces, d) + image.dot / 2;
    ASSERT_LE(part.energy(sum(contact.iterate, 1, d)), model + 1e-9 * (std::abs(start) + std::abs(image.dot)));
  }
}

TEST_P(ContactTerms, stiffness_is_symmetric_and_never_negative) {
  const RandomContact contact(GetParam(), false, 0.4);
  ContactPart part(contact, all_here, test::world());
  RandomPairs random(GetParam() + 30);
  for (int n = 0; n < 100; ++n) {
    const Vectors a = random_vectors(random), b = random_vectors(random);
    const auto of_a = part.product(a), of_b = part.product(b);
    ASSERT_NEAR(product(b, of_a.y), product(a, of_b.y), 1e-12 * norm(of_a.y) * norm(b));
    ASSERT_NEAR(of_a.dot, product(a, of_a.y), 1e-12 * norm(of_a.y) * norm(a));
    ASSERT_GT(of_a.dot, 0);
  }
  // Pair by pair: no principal minor is negative.
  std::vector<PairTerms> all(static_cast<std::size_t>(part.set.size()));
  memory::copy_to_host(all.data(), part.set.terms().data(), all.size() * sizeof(PairTerms));
  for (const PairTerms& terms : all) {
    const Real(&s)[6] = terms.stiffness.a;
    const Mat3 K{{{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}}};
    const Real size = s[0] + s[3] + s[5];
    ASSERT_GE(size, 0);
    ASSERT_GE(s[0] * s[3] - s[1] * s[1], -1e-14 * size * size);
    ASSERT_GE(s[0] * s[5] - s[2] * s[2], -1e-14 * size * size);
    ASSERT_GE(s[3] * s[5] - s[4] * s[4], -1e-14 * size * size);
    ASSERT_GE(determinant(K), -1e-14 * size * size * size);
  }
}

/// The matrix, entry by entry, from its products with unit vectors.
TEST_P(ContactTerms, operator_and_diagonal_are_those_of_the_dense_matrix) {
  const RandomContact contact(GetParam(), false, 0.4);
  ContactPart part(contact, all_here, test::world());
  std::vector<PairTerms> terms(static_cast<std::size_t>(part.set.size()));
  memory::copy_to_host(terms.data(), part.set.terms().data(), terms.size() * sizeof(PairTerms));
  const std::vector<PairKey>& keys = part.set.keys();
  constexpr std::size_t n = 3 * vertices;
  std::vector<Real> dense(n * n, 0);
  constexpr int packed[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (std::size_t p = 0; p < terms.size(); ++p)
    for (int k = 0; k < 4; ++k)
      for (int l = 0; l < 4; ++l)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            dense[(3 * static_cast<std::size_t>(keys[p].id[k]) + i) * n + 3 * static_cast<std::size_t>(keys[p].id[l]) +
                  j] += terms[p].weight[k] * terms[p].weight[l] * terms[p].stiffness.a[packed[i][j]];
  const std::vector<SymmetricBlock> diagonal = part.diagonal();
  for (std::size_t column = 0; column < n; ++column) {
    Vectors unit(vertices, Vec3{{0, 0, 0}});
    unit[column / 3][static_cast<int>(column % 3)] = 1;
    const Vectors image = part.product(unit).y;
    for (std::size_t row = 0; row < n; ++row) {
      const Real found = image[row / 3][static_cast<int>(row % 3)];
      ASSERT_NEAR(found, dense[row * n + column], 1e-12 * 50);
      if (row / 3 != column / 3) continue;
      ASSERT_NEAR(diagonal[row / 3].a[packed[row % 3][column % 3]], found, 1e-12 * 50);
    }
  }
}

TEST_P(ContactTerms, fixed_coordinates_get_nothing) {
  const RandomContact contact(GetParam(), false, 0.4);
  ContactPart part(contact, all_here, test::world());
  RandomPairs random(GetParam() + 40);
  std::vector<AxisMask> masks;
  for (std::size_t v = 0; v < vertices; ++v) masks.push_back(static_cast<AxisMask>(random.uniform(0, 8)));
  const Vectors x = random_vectors(random);
  const auto free = part.product(x), held = part.product(x, masks);
  Real expected = 0;
  for (std::size_t v = 0; v < vertices; ++v)
    for (int k = 0; k < 3; ++k) {
      const bool fixed = masks[v] >> k & 1;
      ASSERT_EQ(held.y[v][k], fixed ? 0 : free.y[v][k]);
      expected += fixed ? 0 : x[v][k] * free.y[v][k];
    }
  EXPECT_NEAR(held.dot, expected, 1e-12 * norm(free.y) * norm(x));
}

// M8: near u = 0 friction is a spring of 2 mu_f lambda / (epsilon_v h) in the tangent plane.
TEST(FrictionTerms, friction_at_rest_is_a_spring) {
  RandomContact contact(7, true, 1e-3);
  contact.pairs.resize(1);
  contact.start = contact.feasible;
  const PairKey& key = contact.pairs[0].key;
  for (const Real slip : {0.0, 1e-16, 1e-14, 1e-12, 1e-9}) {
    contact.iterate = contact.feasible;
    contact.iterate[static_cast<std::size_t>(key.id[0])] += (slip * contact.settings.slip_length) * Vec3{{1, 2, 3}};
    ContactPart part(contact, all_here, test::world());
    PairTerms terms;
    memory::copy_to_host(&terms, part.set.terms().data(), sizeof terms);
    const ActivePair pair = part.set.to_host()[0];
    ASSERT_EQ(pair.active, 1);
    const Vec3 n = pair.link.normal;
    const Real spring = 2 * 1e-3 * 1000 / contact.settings.slip_length, mu = RandomContact::penalty;
    constexpr int rows[6] = {0, 0, 0, 1, 1, 2}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (int e = 0; e < 6; ++e) {
      const Real both = n[rows[e]] * n[columns[e]], one = rows[e] == columns[e] ? 1 : 0;
      EXPECT_NEAR(terms.stiffness.a[e], mu * both + spring * (one - both), 1e-7 * spring) << slip;
    }
  }
}

}  // namespace
}  // namespace unbarred
