#pragma once
// Seeded 3x3 matrices, among them the awkward ones.
#include <cmath>
#include <random>
#include <vector>

#include "core/vec3.hpp"

namespace unbarred::test {

class RandomMatrices {
 public:
  explicit RandomMatrices(std::uint64_t seed) : engine_(seed) {}

  Real uniform(Real low, Real high) { return std::uniform_real_distribution<Real>(low, high)(engine_); }
  Real gauss() { return std::normal_distribution<Real>()(engine_); }

  Vec3 vector() { return {{gauss(), gauss(), gauss()}}; }

  /// Entries of the standard normal distribution.
  Mat3 matrix() {
    Mat3 a;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a(i, j) = gauss();
    return a;
  }

  /// Uniform over all rotations: from a random unit quaternion.
  Mat3 rotation() {
    Real w = gauss(), x = gauss(), y = gauss(), z = gauss();
    const Real n = 1 / std::sqrt(w * w + x * x + y * y + z * z);
    w *= n, x *= n, y *= n, z *= n;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
  }

  /// U diag(a, b, c) V^T with random rotations.
  Mat3 with_singular_values(Real a, Real b, Real c) { return rotation() * diagonal(a, b, c) * transposed(rotation()); }

  /// A rotation of a stretched state, det > 0.
  Mat3 deformation(Real strain) {
    for (;;) {
      Mat3 F = diagonal(1.0, 1.0, 1.0) + strain * matrix();
      if (determinant(F) > 0.05) return rotation() * F;
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// Largest entry of |a - b|.
inline Real difference(const Mat3& a, const Mat3& b) {
  Real largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = std::fmax(largest, std::fabs(a(i, j) - b(i, j)));
  return largest;
}

/// Matrices of every kind that a decomposition meets: random, rotated stretches, every rank, repeated singular values,
/// inverted, graded, integer patterns, subnormal to near overflow.
inline std::vector<Mat3> matrix_corpus(std::uint64_t seed, int repetitions) {
  RandomMatrices random(seed);
  std::vector<Mat3> corpus;
  const Real triples[][3] = {{1, 1, 1},          {1, 1, -1},       {2, 2, 0.5},        {2, 0.5, 0.5},
                             {3, 2, 1},          {3, 2, -1},       {1, 0, 0},          {1, 1, 0},
                             {2, 1, 0},          {1, 1e-8, 0},     {1, 1e-16, 0},      {0, 0, 0},
                             {1e5, 1, 1e-5},     {1, 1e-8, 1e-16}, {1, 1e-12, -1e-12}, {1, 1 - 1e-15, 1 - 2e-15},
                             {1, 1e-100, 1e-200}};
  for (int n = 0; n < repetitions; ++n) {
    corpus.push_back(random.matrix());
    corpus.push_back(random.deformation(0.1));
    for (const auto& s : triples) {
      corpus.push_back(random.with_singular_values(s[0], s[1], s[2]));
      corpus.push_back(diagonal(s[n % 3], s[(n + 1) % 3], s[(n + 2) % 3]));
    }
    Mat3 integers, graded;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        integers(i, j) = std::floor(random.uniform(-1, 2));
        graded(i, j) = random.gauss() * std::pow(10.0, random.uniform(-200, 0));
      }
    corpus.push_back(integers);
    corpus.push_back(graded);
    corpus.push_back(outer(random.vector(), random.vector()));
  }
  const std::size_t ordinary = corpus.size();
  for (const Real scale : {1e-320, 1e-310, 1e-200, 1e-150, 1e150, 1e200, 1e307})
    for (std::size_t i = 0; i < ordinary; i += 7) {
      const Mat3 scaled = scale * corpus[i];
      if (std::isfinite(squared_norm(1e-300 * scaled)) && squared_norm(1e-308 * scaled) < 1) corpus.push_back(scaled);
    }
  return corpus;
}

}  // namespace unbarred::test
