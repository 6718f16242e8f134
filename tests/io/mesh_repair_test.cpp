// Welding, orienting, measuring.
#include <gtest/gtest.h>

#include <cmath>

#include "io/mesh/mesh_faces.hpp"
#include "io/mesh/mesh_quality.hpp"
#include "io/mesh/mesh_repair.hpp"

namespace unbarred {
namespace {

MeshData mesh_of(ElementKind kind, std::vector<Vec3> positions, std::vector<std::array<GlobalIndex, 4>> elements) {
  MeshData mesh;
  mesh.kind = kind;
  mesh.positions = std::move(positions);
  for (const auto& v : elements)
    mesh.elements.push_back({{v[0], v[1], v[2], v[3]}, static_cast<GlobalIndex>(mesh.elements.size()) + 1, -1});
  count_vertices_from(1, mesh);
  return mesh;
}

/// Two tetrahedra on one face, each with corners of its own; 1e-12 apart.
MeshData torn() {
  return mesh_of(ElementKind::tetrahedra,
                 {{{0, 0, 0}},
                  {{1, 0, 0}},
                  {{0, 1, 0}},
                  {{0, 0, 1}},
                  {{1, 0, 1e-12}},
                  {{0, 1, 0}},
                  {{0, 0, 1}},
                  {{1, 1, 1}},
                  {{5, 5, 5}}},
                 {{{0, 1, 2, 3}}, {{4, 5, 6, 7}}});
}

TEST(MeshRepair, WeldMergesWithinTheTolerance) {
  MeshData mesh = torn();
  WeldReport report = weld(mesh, 0);
  EXPECT_EQ(report.merged_vertices, 2);
  EXPECT_EQ(report.unused_vertices, 1);
  EXPECT_EQ(mesh.positions.size(), 6u);
  report = weld(mesh, 1e-9);
  EXPECT_EQ(report.merged_vertices, 1);
  EXPECT_EQ(mesh.positions.size(), 5u);
  EXPECT_EQ(mesh.elements[1].v[0], 1);
  EXPECT_EQ(mesh.elements[1].v[3], 4);
  EXPECT_EQ(boundary_of(mesh).elements.size(), 6u);
  EXPECT_EQ(weld(mesh, 1e-9).merged_vertices, 0);
}

TEST(MeshRepair, WeldIsTheSameAtAnyScale) {
  for (const Real scale : {1e-9, 1.0, 1e9}) {
    MeshData mesh = torn();
    for (Vec3& x : mesh.positions) x = scale * x;
    EXPECT_EQ(weld(mesh, 1e-9).merged_vertices, 3) << scale;
  }
}

TEST(MeshRepair, WeldDropsWhatCollapsesOrRepeats) {
  MeshData mesh = torn();
  mesh.elements.push_back({{0, 1, 4, 3}, 3, -1});
  mesh.elements.push_back({{2, 3, 1, 0}, 4, -1});
  const WeldReport report = weld(mesh, 1e-9);
  EXPECT_EQ(report.collapsed_elements, 1);
  EXPECT_EQ(report.duplicate_elements, 1);
  EXPECT_EQ(mesh.elements.size(), 2u);
  EXPECT_EQ(mesh.elements[1].id, 2);
}

/// An octahedron whose triangles turn as they like.
MeshData octahedron() {
  MeshData mesh = mesh_of(ElementKind::triangles,
                          {{{1, 0, 0}}, {{-1, 0, 0}}, {{0, 1, 0}}, {{0, -1, 0}}, {{0, 0, 1}}, {{0, 0, -1}}}, {});
  for (int face = 0; face < 8; ++face) {
    FileElement element{{face & 1, 2 + (face >> 1 & 1), 4 + (face >> 2), -1}, face, -1};
    if (face % 3 == 0) std::swap(element.v[0], element.v[1]);
    mesh.elements.push_back(element);
  }
  return mesh;
}

TEST(MeshRepair, ClosedSurfacesFaceOutwards) {
  MeshData mesh = octahedron();
  EXPECT_GT(orient(mesh).turned, 0);
  const MeshQuality quality = measure_quality(mesh);
  EXPECT_NEAR(quality.volume, 4.0 / 3, 1e-14);
  EXPECT_NEAR(quality.area, 4 * std::sqrt(3.0), 1e-14);
  EXPECT_EQ(orient(mesh).turned, 0);
}

TEST(MeshRepair, AMoebiusStripHasConflicts) {
  MeshData mesh = mesh_of(ElementKind::triangles, {}, {});
  constexpr int n = 8;
  for (int i = 0; i < n; ++i)
    for (const Real side : {-0.3, 0.3}) {
      const Real a = 2 * M_PI * i / n, r = 1 + side * std::cos(a / 2);
      mesh.positions.push_back({{r * std::cos(a), r * std::sin(a), side * std::sin(a / 2)}});
    }
  for (int i = 0; i < n; ++i) {
    const GlobalIndex a = 2 * i, b = a + 1, c = i + 1 < n ? a + 2 : 1, d = i + 1 < n ? a + 3 : 0;
    mesh.elements.push_back({{a, b, c, -1}, 2 * i, -1});
    mesh.elements.push_back({{b, d, c, -1}, 2 * i + 1, -1});
  }
  count_vertices_from(0, mesh);
  EXPECT_EQ(orient(mesh).conflicts, 1);
  EXPECT_EQ(measure_quality(mesh).euler_characteristic, 0);
}

TEST(MeshRepair, TetrahedraBecomePositive) {
  MeshData mesh = torn();
  std::swap(mesh.elements[1].v[0], mesh.elements[1].v[1]);
  EXPECT_EQ(orient(mesh).turned, 1);
  for (const FileElement& element : mesh.elements) EXPECT_GT(six_volumes(mesh, element), 0);
}

TEST(MeshQuality, OfARegularTetrahedron) {
  const MeshData mesh =
      mesh_of(ElementKind::tetrahedra, {{{1, 1, 1}}, {{1, -1, -1}}, {{-1, 1, -1}}, {{-1, -1, 1}}}, {{{0, 1, 2, 3}}});
  const MeshQuality quality = measure_quality(mesh);
  EXPECT_NEAR(quality.least_shape, 1, 1e-14);
  EXPECT_NEAR(quality.least_angle, std::acos(1.0 / 3) * 180 / M_PI, 1e-12);
  EXPECT_NEAR(quality.volume, 8.0 / 3, 1e-14);
  EXPECT_EQ(quality.euler_characteristic, 2);
  EXPECT_EQ(quality.volume_ratio, 1);
}

TEST(MeshQuality, CountsWhatIsWrong) {
  MeshData mesh = torn();
  mesh.elements.push_back({{0, 1, 2, 7}, 3, -1});  // a third one on the first one's face 0 1 2, from the same side
  mesh.elements.push_back({{0, 2, 1, 8}, 4, -1});
  mesh.elements.push_back({{3, 2, 1, 0}, 5, -1});  // again, mirrored or not
  const MeshQuality quality = measure_quality(mesh);
  EXPECT_EQ(quality.duplicate_vertices.count, 2);
  EXPECT_EQ(quality.duplicate_vertices.first, 2);
  EXPECT_EQ(quality.duplicate_vertices.second, 5);
  EXPECT_EQ(quality.duplicate_elements.count, 1);
  EXPECT_EQ(quality.duplicate_elements.second, 4);
  EXPECT_EQ(quality.crowded_faces, 1);
  EXPECT_EQ(quality.components, 1);
  EXPECT_EQ(quality.mirrored, 1);
  const std::string text = to_string(quality, mesh);
  EXPECT_NE(text.find("vertices: 2, the first: 3 and 6"), std::string::npos) << text;
}

}  // namespace
}  // namespace unbarred
