#pragma once
// Triangle surfaces for the audit.
#include <cmath>
#include <random>
#include <vector>

#include "audit/audit.hpp"

namespace unbarred::test {

struct Surface {
  std::vector<Vec3> positions;
  std::vector<std::array<Index, 3>> triangles;
  std::vector<std::int32_t> vertex_body;

  AuditSurface view() const { return {positions, triangles, vertex_body, {}}; }
  /// Appends the other surface as the next body.
  void add(const Surface& other) {
    const auto shift = static_cast<Index>(positions.size());
    const std::int32_t body = vertex_body.empty() ? 0 : vertex_body.back() + 1;
    positions.insert(positions.end(), other.positions.begin(), other.positions.end());
    vertex_body.resize(positions.size(), body);
    for (const auto& t : other.triangles) triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  }
  Surface moved(const Vec3& by, Real scale = 1) const {
    Surface result = *this;
    for (Vec3& x : result.positions) x = scale * x + by;
    return result;
  }
};

inline Surface joined(const Surface& a, const Surface& b) {
  Surface result;
  result.add(a);
  result.add(b);
  return result;
}

/// A unit sphere of n rings of 2 n vertices between two poles: 4 n^2 triangles.
inline Surface sphere(int n) {
  Surface s;
  const int around = 2 * n;
  const auto vertex = [&](int ring, int k) { return ring * around + k % around; };
  for (int ring = 0; ring < n; ++ring)
    for (int k = 0; k < around; ++k) {
      const Real latitude = M_PI * (ring + 1) / (n + 1), longitude = M_PI * k / n;
      s.positions.push_back(
          {{std::sin(latitude) * std::cos(longitude), std::sin(latitude) * std::sin(longitude), std::cos(latitude)}});
    }
  const Index top = n * around, bottom = top + 1;
  s.positions.push_back({{0, 0, 1}});
  s.positions.push_back({{0, 0, -1}});
  for (int k = 0; k < around; ++k) {
    s.triangles.push_back({top, vertex(0, k), vertex(0, k + 1)});
    s.triangles.push_back({bottom, vertex(n - 1, k + 1), vertex(n - 1, k)});
    for (int ring = 0; ring + 1 < n; ++ring) {
      s.triangles.push_back({vertex(ring, k), vertex(ring + 1, k), vertex(ring + 1, k + 1)});
      s.triangles.push_back({vertex(ring, k), vertex(ring + 1, k + 1), vertex(ring, k + 1)});
    }
  }
  s.vertex_body.assign(s.positions.size(), 0);
  return s;
}

/// A sheet of n x n squares, two triangles each, in z = 0 over the unit square.
inline Surface sheet(int n) {
  Surface s;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) s.positions.push_back({{static_cast<Real>(i) / n, static_cast<Real>(j) / n, 0}});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Index a = i * (n + 1) + j, b = a + n + 1;
      s.triangles.push_back({a, b, b + 1});
      s.triangles.push_back({a, b + 1, a + 1});
    }
  s.vertex_body.assign(s.positions.size(), 0);
  return s;
}

/// Triangles between random vertices of a random cloud: shared vertices, repeated corners, every kind of crossing.
/// With `lattice` > 0 the coordinates are integers up to it: touching and flat triangles abound.
inline Surface soup(std::uint64_t seed, int vertices, int triangles, int lattice) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<Real> real(0, 1);
  std::uniform_int_distribution<int> whole(0, std::max(lattice, 1)), vertex(0, vertices - 1);
  Surface s;
  for (int v = 0; v < vertices; ++v) {
    Vec3 x;
    for (int k = 0; k < 3; ++k) x[k] = lattice > 0 ? whole(engine) : real(engine);
    s.positions.push_back(x);
    s.vertex_body.push_back(v % 5);
  }
  for (int t = 0; t < triangles; ++t) s.triangles.push_back({vertex(engine), vertex(engine), vertex(engine)});
  return s;
}

}  // namespace unbarred::test
