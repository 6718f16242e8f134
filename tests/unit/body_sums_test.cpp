// Sums by body against a plain loop, in an order of their own.
#include "dynamics/bodies/body_sums.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <random>

namespace unbarred {
namespace {

/// Values of random bodies, most of them of the first.
struct Sample {
  Sample() = default;
  Sample(std::size_t count, std::size_t bodies, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::int32_t> any(0, static_cast<std::int32_t>(bodies) - 1);
    std::normal_distribution<Real> normal;
    for (std::size_t i = 0; i < count; ++i) {
      body.push_back(random() % 2 == 0 ? 0 : any(random));
      values.push_back(normal(random) * std::pow(10, random() % 12));
    }
  }
  std::vector<std::int32_t> body;
  std::vector<Real> values;
};

std::vector<Real> sums_of(const Sample& sample, std::size_t bodies) {
  BodySums sums(sample.body, bodies);
  const DeviceArray<Real> values(sample.values);
  return sums.of(values.view());
}

std::vector<Real> plain(const Sample& sample, std::size_t bodies) {
  std::vector<Real> sums(bodies, 0);
  for (std::size_t i = 0; i < sample.values.size(); ++i)
    sums[static_cast<std::size_t>(sample.body[i])] += sample.values[i];
  return sums;
}

TEST(BodySums, AreThoseOfAPlainLoop) {
  for (const std::size_t count : {1u, 7u, 255u, 256u, 257u, 1000u, 20000u})
    for (const std::size_t bodies : {1u, 2u, 9u, 300u}) {
      const Sample sample(count, bodies, static_cast<unsigned>(count + bodies));
      const std::vector<Real> found = sums_of(sample, bodies), expected = plain(sample, bodies);
      Sample sizes = sample;
      for (Real& value : sizes.values) value = std::abs(value);
      const std::vector<Real> size = plain(sizes, bodies);
      ASSERT_EQ(found.size(), bodies);
      for (std::size_t b = 0; b < bodies; ++b)
        EXPECT_NEAR(found[b], expected[b], 1e-13 * size[b]) << count << " values, body " << b;
    }
}

TEST(BodySums, OfWholeNumbersAreExact) {
  Sample sample(5000, 40, 3);
  for (Real& value : sample.values) value = std::fmod(std::floor(value), 1e6);
  EXPECT_EQ(sums_of(sample, 40), plain(sample, 40));
}

TEST(BodySums, OfBodiesWithoutValuesAreZero) {
  BodySums sums({3, 1, 3}, 6);
  const DeviceArray<Real> values(std::vector<Real>{1, 10, 100});
  EXPECT_EQ(sums.of(values.view()), (std::vector<Real>{0, 10, 0, 101, 0, 0}));
}

TEST(BodySums, OfNoValuesAtAllAreZero) {
  BodySums sums({}, 3);
  EXPECT_EQ(sums.of({}), (std::vector<Real>{0, 0, 0}));
  EXPECT_EQ(BodySums({}, 0).of({}), std::vector<Real>{});
}

TEST(BodySums, KeepNothingFromTheSumBefore) {
  BodySums sums({0, 1, 0}, 2);
  const DeviceArray<Real> first(std::vector<Real>{1, 2, 3}), second(std::vector<Real>{10, 20, 30});
  EXPECT_EQ(sums.of(first.view()), (std::vector<Real>{4, 2}));
  EXPECT_EQ(sums.of(second.view()), (std::vector<Real>{40, 20}));
}

// Sizes over twelve powers of ten: another order would show.
TEST(BodySums, HaveTheSameBitsAgainOnAnyThreads) {
  constexpr std::size_t bodies = 7;
  const Sample sample(400000, bodies, 5);
  BodySums sums(sample.body, bodies);
  const DeviceArray<Real> values(sample.values);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::vector<Real> first = sums.of(values.view()), again = sums.of(values.view());
  omp_set_num_threads(2);
  const std::vector<Real> shared = sums.of(values.view());
  omp_set_num_threads(before);
  EXPECT_EQ(first, again);
  EXPECT_EQ(first, shared);
  EXPECT_NE(first, plain(sample, bodies));
}

// The values of a body in another place among those of others give the same bits: its order is its own.
TEST(BodySums, OfABodyDoNotDependOnOtherBodies) {
  const Sample sample(3000, 5, 7);
  Sample alone;
  for (std::size_t i = 0; i < sample.values.size(); ++i)
    if (sample.body[i] == 2) {
      alone.body.push_back(0);
      alone.values.push_back(sample.values[i]);
    }
  ASSERT_GT(alone.values.size(), 256u);
  EXPECT_EQ(sums_of(sample, 5)[2], sums_of(alone, 1)[0]);
}

TEST(BodySums, ChunksHoldEveryValueOnceAndOneBodyEach) {
  constexpr std::size_t bodies = 5;
  const Sample sample(3000, bodies, 9);
  const BodySums sums(sample.body, bodies);
  const BodySums::Chunks chunks = sums.chunks();
  std::vector<Index> order(sample.body.size()), begins(chunks.body.size() + 1);
  ASSERT_EQ(chunks.order.size(), static_cast<std::int64_t>(order.size()));
  ASSERT_EQ(chunks.begins.size(), static_cast<std::int64_t>(begins.size()));
  memory::copy_to_host(order.data(), chunks.order.data(), order.size() * sizeof(Index));
  memory::copy_to_host(begins.data(), chunks.begins.data(), begins.size() * sizeof(Index));
  EXPECT_EQ(begins.front(), 0);
  EXPECT_EQ(begins.back(), static_cast<Index>(order.size()));
  std::vector<int> times(order.size(), 0);
  for (std::size_t c = 0; c < chunks.body.size(); ++c) {
    EXPECT_LT(begins[c], begins[c + 1]);
    for (Index i = begins[c]; i < begins[c + 1]; ++i) {
      const auto value = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
      ++times[value];
      EXPECT_EQ(sample.body[value], chunks.body[c]);
    }
  }
  EXPECT_EQ(times, std::vector<int>(order.size(), 1));
}

}  // namespace
}  // namespace unbarred
