// Boxes, balls and rods: right volume, orientation, conforming, closed surface, good shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "scene/tetrahedra_source.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using Parameters = std::map<std::string, std::vector<Real>>;

struct Mesh {
  std::vector<Vec3> x;
  std::vector<GlobalTetrahedron> t;
};

MeshSpec spec_of(const std::string& generator, const Parameters& parameters) {
  MeshSpec spec;
  spec.generator = generator;
  spec.parameters = parameters;
  spec.place = {"scene.yaml", 3, 5};
  return spec;
}

Mesh generate(const std::string& generator, const Parameters& parameters, Real scale = 1) {
  MeshSpec spec = spec_of(generator, parameters);
  spec.scale = scale;
  const auto source = make_generator(spec);
  return {source->vertices(test::world(), 0, source->vertex_count()),
          source->tetrahedra(test::world(), 0, source->tetrahedron_count())};
}

Mesh ball(Real n) { return generate("ball", {{"radius", {2}}, {"cells", {n}}}); }
Mesh rod(Real n, Real along = 0) {
  return generate("rod", {{"radius", {0.5}}, {"length", {3}}, {"cells", {n}}, {"cells_along", {along}}});
}
Mesh box(std::vector<Real> cells) { return generate("box", {{"size", {1, 2, 3}}, {"cells", std::move(cells)}}); }

Real six_volumes(const Mesh& mesh, const GlobalTetrahedron& t) {
  const auto x = [&](int i) { return mesh.x[static_cast<std::size_t>(t.v[i])]; };
  return dot(cross(x(1) - x(0), x(2) - x(0)), x(3) - x(0));
}

Real volume(const Mesh& mesh) {
  Real sum = 0;
  for (const auto& t : mesh.t) sum += six_volumes(mesh, t) / 6;
  return sum;
}

Real smallest_volume(const Mesh& mesh) {
  Real least = 1e300;
  for (const auto& t : mesh.t) least = std::min(least, six_volumes(mesh, t));
  return least;
}

/// Of all tetrahedra, in degrees.
std::pair<Real, Real> dihedral_angles(const Mesh& mesh) {
  Real least = 180, largest = 0;
  for (const auto& t : mesh.t)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) {
        int rest[2], n = 0;
        for (int c = 0; c < 4; ++c)
          if (c != a && c != b) rest[n++] = c;
        const auto x = [&](int i) { return mesh.x[static_cast<std::size_t>(t.v[i])]; };
        const Vec3 edge = x(b) - x(a), p = cross(edge, x(rest[0]) - x(a)), q = cross(edge, x(rest[1]) - x(a));
        const Real cosine = dot(p, q) / std::sqrt(squared_norm(p) * squared_norm(q));
        const Real angle = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / M_PI;
        least = std::min(least, angle);
        largest = std::max(largest, angle);
      }
  return {least, largest};
}

/// Every face belongs to one or two tetrahedra, and seen from two it turns in opposite directions; the surface is
/// one closed manifold of Euler characteristic 2; every vertex is used.
void expect_conforming_sphere(const Mesh& mesh) {
  static constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::map<std::array<GlobalIndex, 3>, std::pair<int, int>> sides;  // sorted face: count, sum of orientations
  std::set<GlobalIndex> used;
  for (const auto& t : mesh.t) {
    used.insert(t.v, t.v + 4);
    for (const auto& face : faces) {
      std::array<GlobalIndex, 3> key{t.v[face[0]], t.v[face[1]], t.v[face[2]]};
      int sign = 1;
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t i = 0; i < 2; ++i)
          if (key[i] > key[i + 1]) std::swap(key[i], key[i + 1]), sign = -sign;
      auto& [count, orientation] = sides[key];
      ++count;
      orientation += sign;
    }
  }
  EXPECT_EQ(used.size(), mesh.x.size());
  std::set<GlobalIndex> vertices;
  std::map<std::pair<GlobalIndex, GlobalIndex>, int> edges;
  GlobalIndex triangles = 0;
  for (const auto& [key, side] : sides) {
    ASSERT_LE(side.first, 2);
    if (side.first == 2) {
      ASSERT_EQ(side.second, 0);
      continue;
    }
    ++triangles;
    vertices.insert(key.begin(), key.end());
    for (int i = 0; i < 3; ++i)
      ++edges[{std::min(key[static_cast<std::size_t>(i)], key[static_cast<std::size_t>((i + 1) % 3)]),
               std::max(key[static_cast<std::size_t>(i)], key[static_cast<std::size_t>((i + 1) % 3)])}];
  }
  for (const auto& [edge, count] : edges) ASSERT_EQ(count, 2);
  EXPECT_EQ(static_cast<GlobalIndex>(vertices.size()) - static_cast<GlobalIndex>(edges.size()) + triangles, 2);
}

TEST(Generators, BoxHasExactVolumeAndPositiveTetrahedra) {
  for (const auto& cells : {std::vector<Real>{1, 1, 1}, {2, 3, 4}, {3, 2, 5}}) {
    const Mesh mesh = box(cells);
    EXPECT_NEAR(volume(mesh), 6, 1e-12);
    EXPECT_NEAR(smallest_volume(mesh), 6 / (cells[0] * cells[1] * cells[2]), 1e-12);
    expect_conforming_sphere(mesh);
  }
}

TEST(Generators, BoxIsCenteredAndScaled) {
  const Mesh mesh = generate("box", {{"size", {1, 2, 3}}, {"cells", {1, 1, 2}}}, 2);
  Vec3 sum{};
  for (const Vec3& x : mesh.x) sum += x;
  EXPECT_EQ(squared_norm(sum), 0);
  EXPECT_EQ(mesh.x.front()[2], -3);
  EXPECT_EQ(mesh.x.back()[1], 2);
}

TEST(Generators, OneNumberOfCellsGivesNearlyCubes) {
  const auto source = make_generator(spec_of("box", {{"size", {1, 0.1, 0.21}}, {"cells", {3}}}));
  EXPECT_EQ(source->tetrahedron_count(), 6 * 30 * 3 * 6);
  const auto automatic =
      make_generator(spec_of("rod", {{"radius", {0.05}}, {"length", {1}}, {"cells", {4}}, {"cells_along", {0}}}));
  EXPECT_EQ(automatic->tetrahedron_count(), 6 * 4 * 4 * 40);
}

TEST(Generators, BallIsConformingAndItsVolumeConvergesWithSecondOrder) {
  const Real exact = 4.0 / 3 * M_PI * 8;
  for (const Real n : {1, 2, 3, 4, 7}) expect_conforming_sphere(ball(n));
  const Real coarse = exact - volume(ball(8)), fine = exact - volume(ball(16));
  EXPECT_GT(fine, 0);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(Generators, BallSurfaceLiesOnTheSphere) {
  for (const Vec3& x : ball(6).x) EXPECT_LE(squared_norm(x), 4 * (1 + 1e-14));
  EXPECT_NEAR(squared_norm(ball(6).x[0]), 4, 1e-14);
}

TEST(Generators, RodIsConformingAndItsVolumeConvergesWithSecondOrder) {
  const Real exact = M_PI * 0.25 * 3;
  for (const Real n : {1, 2, 3, 6}) expect_conforming_sphere(rod(n));
  const Real coarse = exact - volume(rod(8, 2)), fine = exact - volume(rod(16, 2));
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(Generators, BallHasNoSliversForAnyNumberOfCells) {
  Real least = 180, largest = 0, ratio = 1;
  for (int n = 1; n <= 40; n += n < 20 ? 1 : 4) {
    const Mesh mesh = ball(n);
    ASSERT_GT(smallest_volume(mesh), 0) << n << " cells";
    const auto [low, high] = dihedral_angles(mesh);
    least = std::min(least, low);
    largest = std::max(largest, high);
    ratio = std::min(ratio, smallest_volume(mesh) / (6 * volume(mesh) / static_cast<Real>(mesh.t.size())));
  }
  RecordProperty("smallest_dihedral_angle", std::to_string(least));
  RecordProperty("largest_dihedral_angle", std::to_string(largest));
  RecordProperty("smallest_volume_over_mean", std::to_string(ratio));
  EXPECT_GT(least, 30);
  EXPECT_LT(largest, 120);
  EXPECT_GT(ratio, 0.4);
}

TEST(Generators, RodHasNoSliversForAnyNumberOfCells) {
  for (int n = 1; n <= 40; n += 3) {
    const Mesh mesh = rod(n, std::max(1, n));
    ASSERT_GT(smallest_volume(mesh), 0) << n << " cells";
    if (n < 4) continue;
    const auto [low, high] = dihedral_angles(rod(n, 3 * n));  // cells as long as wide
    EXPECT_GT(low, 25) << n << " cells";
    EXPECT_LT(high, 130) << n << " cells";
  }
}

TEST(Generators, AnyRangeIsTheSamePartOfTheWhole) {
  const Mesh whole = ball(5);
  const auto source = make_generator(spec_of("ball", {{"radius", {2}}, {"cells", {5}}}));
  for (GlobalIndex begin = 0; begin < source->vertex_count(); begin += 17) {
    const auto part = source->vertices(test::world(), begin, std::min(begin + 17, source->vertex_count()));
    for (std::size_t i = 0; i < part.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) ASSERT_EQ(part[i][axis], whole.x[static_cast<std::size_t>(begin) + i][axis]);
  }
  const auto part = source->tetrahedra(test::world(), 100, 120);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i].v[3], whole.t[100 + i].v[3]);
}

TEST(Generators, BadNumbersAreErrorsWithThePlace) {
  const auto message = [](const std::string& generator, const Parameters& parameters) -> std::string {
    try {
      make_generator(spec_of(generator, parameters));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("cube", {}),
            "scene.yaml:3:5: unknown mesh generator `cube`; known: box, ball, rod, cylinder, torus, "
            "plate_with_hole, arch");
  EXPECT_EQ(message("ball", {{"radius", {-1}}, {"cells", {4}}}),
            "scene.yaml:3:5: `radius` of `ball` must be greater than 0");
  EXPECT_EQ(message("ball", {{"radius", {1}}}), "scene.yaml:3:5: `ball` needs `cells` with 1 number");
  EXPECT_EQ(message("ball", {{"radius", {1}}, {"cells", {0}}}),
            "scene.yaml:3:5: `cells` of `ball` must be at least 1 in every direction");
  EXPECT_EQ(message("box", {{"size", {1, 1, 1}}, {"cells", {1e9, 1e9, 1e9}}}),
            "scene.yaml:3:5: `box` would have more than 2^50 tetrahedra: use fewer cells");
}

}  // namespace
}  // namespace unbarred
