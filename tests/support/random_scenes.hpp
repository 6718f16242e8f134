#pragma once
// Seeded scenes without intersections at the start, and motions from gentle to absurd.
#include <cmath>

#include "audit/triangle_intersection.hpp"
#include "support/box_mesh.hpp"
#include "support/collision_scene.hpp"

namespace unbarred::test {

inline Real length(const Vec3& a) { return std::sqrt(squared_norm(a)); }

/// A sheet of n x n squares over the unit square in z = 0.
inline CollisionScene sheet_body(int n) {
  std::vector<Vec3> positions;
  std::vector<GlobalTriangle> triangles;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) positions.push_back({{Real(i) / n, Real(j) / n, 0}});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const GlobalIndex a = i * (n + 1) + j, b = a + n + 1;
      triangles.push_back({{a, b, b + 1}});
      triangles.push_back({{a, b + 1, a + 1}});
    }
  return still(positions, triangles);
}

/// The unit cube of n^3 cells of six tetrahedra.
inline CollisionScene cube_body(int n) {
  const Box box{n};
  std::vector<Vec3> positions;
  std::vector<GlobalTetrahedron> tetrahedra;
  for (GlobalIndex v = 0; v < box.vertex_count(); ++v) positions.push_back(box.position(v));
  for (GlobalIndex t = 0; t < box.tetrahedron_count(); ++t) tetrahedra.push_back(box.tetrahedron(t));
  return still(positions, {}, tetrahedra);
}

class RandomScenes {
 public:
  explicit RandomScenes(std::uint64_t seed) : engine_(seed) {}

  Real uniform(Real low, Real high) { return std::uniform_real_distribution<Real>(low, high)(engine_); }
  Real logarithmic(Real low, Real high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Vec3 vector() { return {{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}}; }
  Vec3 direction() {
    Vec3 v = vector();
    return (1 / std::max(length(v), 1e-3)) * v;
  }
  Mat3 rotation() {
    const Vec3 a = direction();
    Vec3 b = cross(a, direction());
    b = (1 / length(b)) * b;
    const Vec3 c = cross(a, b);
    return {{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}}};
  }

  /// Separate triangles with edges of about `size` in the unit cube, none of which meets another.
  CollisionScene triangles(int count, Real size) {
    std::vector<exact::Corners> placed;
    CollisionScene scene;
    while (static_cast<int>(placed.size()) < count) {
      const Vec3 center = 0.5 * (vector() + Vec3{{1, 1, 1}});
      const exact::Corners corners{center + size * vector(), center + size * vector(), center + size * vector()};
      const auto meets = [&](const exact::Corners& other) {
        return length(corners[0] - other[0]) < 8 * size &&
               exact::triangle_triangle(corners, other, 0) != exact::Relation::apart;
      };
      if (std::any_of(placed.begin(), placed.end(), meets)) continue;
      placed.push_back(corners);
      scene.add(still({corners[0], corners[1], corners[2]}, {{{0, 1, 2}}}));
    }
    return scene;
  }

  /// Cubes, sheets and triangles on a lattice, turned, with gaps between none and large.
  CollisionScene bodies(int count) {
    CollisionScene scene;
    for (int b = 0; b < count; ++b) {
      const Vec3 place{{Real(b % 2), Real(b / 2 % 2), Real(b / 4)}};
      const CollisionScene body = chance(0.5) ? cube_body(whole(1, 2)) : sheet_body(whole(1, 3));
      const Mat3 turn = chance(0.3) ? diagonal(1.0, 1.0, 1.0) : rotation();
      const bool aligned = turn(0, 0) == 1.0;
      const Real room = 1 - logarithmic(1e-8, 0.3), scale = aligned ? room : room / 1.7320508075688774;
      const Vec3 middle{{0.5, 0.5, 0.5}};
      scene.add(body.mapped([&](const Vec3& x) { return place + scale * (turn * (x - middle)); }));
    }
    return scene;
  }

  CollisionScene scene() {
    switch (whole(0, 3)) {
      case 0:
        return triangles(whole(2, 60), logarithmic(0.02, 0.5) / 2);
      case 1:
        return stack(whole(2, 4), whole(1, 3), logarithmic(1e-12, 1e-1));
      default:
        return bodies(whole(2, 6));
    }
  }

  /// n like sheets above each other.
  CollisionScene stack(int count, int n, Real gap) {
    CollisionScene scene;
    for (int b = 0; b < count; ++b)
      scene.add(sheet_body(n).mapped([&](const Vec3& x) { return x + Vec3{{0, 0, b * gap}}; }));
    return scene;
  }

  /// Sets the targets.
  void move(CollisionScene& scene) {
    const Real size = logarithmic(1e-4, 1e1);
    const int kind = whole(0, 5);
    const Mat3 turn = rotation();
    const Vec3 center{{0.5, 0.5, 0.5}}, drift = size * vector();
    const std::vector<Vec3> drifts = per_body(size);
    for (std::size_t v = 0; v < scene.start.size(); ++v) {
      const Vec3 x = scene.start[v];
      Vec3& y = scene.target[v];
      switch (kind) {
        case 0:  // every vertex on its own
          y = x + size * vector();
          break;
        case 1:  // bodies fly about
          y = x + drifts[static_cast<std::size_t>(scene.body[v]) % drifts.size()];
          break;
        case 2:  // bodies turn and fly about
          y = turn * (x - center) + center + drifts[static_cast<std::size_t>(scene.body[v]) % drifts.size()];
          break;
        case 3:  // all is crushed
          y = center + logarithmic(0.9, 1.1) * uniform(0, 0.2) * (x - center);
          break;
        case 4:  // turned inside out
          y = center - logarithmic(0.5, 2) * (x - center) + drift;
          break;
        default:  // flattened
          y = {{x[0], x[1], 0.01 * x[2]}};
          y += drift;
      }
    }
  }

  bool chance(Real probability) { return uniform(0, 1) < probability; }

 private:
  std::vector<Vec3> per_body(Real size) {
    std::vector<Vec3> drifts;
    for (int b = 0; b < 16; ++b) drifts.push_back(chance(0.2) ? Vec3{{0, 0, 0}} : size * vector());
    return drifts;
  }
  std::mt19937_64 engine_;
};

}  // namespace unbarred::test
