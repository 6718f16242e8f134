// Cylinder, torus, plate with a hole, and the surfaces for obstacles: closed where they should be, of the right
// topology and orientation, converging in volume or area, the same from any split.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/mesh/mesh_quality.hpp"
#include "scene/generator_list.hpp"
#include "scene/tetrahedra_source.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using Parameters = std::map<std::string, std::vector<Real>>;

MeshSpec spec_of(const std::string& generator, const Parameters& parameters) {
  MeshSpec spec;
  spec.generator = generator;
  spec.parameters = parameters;
  spec.place = {"scene.yaml", 3, 5};
  return spec;
}

MeshData volume_mesh(const std::string& generator, const Parameters& parameters) {
  const auto source = make_generator(spec_of(generator, parameters));
  MeshData mesh;
  mesh.positions = source->vertices(test::world(), 0, source->vertex_count());
  for (const auto& t : source->tetrahedra(test::world(), 0, source->tetrahedron_count()))
    mesh.elements.push_back({{t.v[0], t.v[1], t.v[2], t.v[3]}, 0, -1});
  return mesh;
}

MeshData surface_mesh(const std::string& generator, const Parameters& parameters) {
  const auto source = make_surface_generator(spec_of(generator, parameters));
  MeshData mesh;
  mesh.kind = ElementKind::triangles;
  mesh.positions = source->vertices(test::world(), 0, source->vertex_count());
  for (const auto& t : source->triangles(test::world(), 0, source->triangle_count()))
    mesh.elements.push_back({{t.v[0], t.v[1], t.v[2], -1}, 0, -1});
  return mesh;
}

/// One manifold piece without mistakes, of the given topology.
MeshQuality sound(const MeshData& mesh, int euler_characteristic, bool open = false) {
  const MeshQuality quality = measure_quality(mesh);
  EXPECT_EQ(quality.components, 1);
  EXPECT_EQ(quality.unused_vertices + quality.mirrored + quality.flat + quality.crowded_faces, 0);
  EXPECT_EQ(quality.duplicate_vertices.count + quality.duplicate_elements.count, 0);
  EXPECT_EQ(quality.non_manifold_edges, 0);
  EXPECT_EQ(quality.open_edges > 0, open);
  EXPECT_EQ(quality.euler_characteristic, euler_characteristic);
  return quality;
}

MeshQuality cylinder(Real n) {
  return sound(volume_mesh("cylinder", {{"radius", {0.5}}, {"height", {2}}, {"cells", {n}}}), 2);
}
MeshQuality torus(Real n) {
  return sound(volume_mesh("torus", {{"radius", {1}}, {"tube_radius", {0.3}}, {"cells", {n}}}), 0);
}
MeshQuality plate_with_hole(Real n) {
  return sound(volume_mesh("plate_with_hole", {{"size", {2, 1.5, 0.2}}, {"radius", {0.3}}, {"cells", {n}}}), 0);
}

void expect_second_order(Real exact, Real coarse, Real fine) {
  EXPECT_NEAR(std::log2((exact - coarse) / (exact - fine)), 2, 0.15);
}

TEST(Generators, CylinderTorusAndPlateConverge) {
  for (const Real n : {1, 2, 3}) {
    cylinder(n);
    torus(n);
    plate_with_hole(n);
  }
  expect_second_order(M_PI * 0.25 * 2, cylinder(8).volume, cylinder(16).volume);
  expect_second_order(2 * M_PI * M_PI * 0.09, torus(5).volume, torus(10).volume);
  expect_second_order(0.2 * (3 - M_PI * 0.09), plate_with_hole(5).volume, plate_with_hole(10).volume);
  EXPECT_GT(cylinder(8).least_angle, 25);
  EXPECT_GT(torus(6).least_angle, 25);
  EXPECT_GT(plate_with_hole(6).least_angle, 10);
}

TEST(Generators, TorusKeepsItsHoleAndItsSmallestRing) {
  const MeshData mesh =
      volume_mesh("torus", {{"radius", {1}}, {"tube_radius", {0.9}}, {"cells", {2}}, {"cells_around", {1}}});
  EXPECT_EQ(mesh.positions.size(), 27u);  // never fewer than three cells around
  for (const Vec3& x : mesh.positions) EXPECT_GE(x[0] * x[0] + x[2] * x[2], 0.1 * 0.1 - 1e-15);
  sound(mesh, 0);
}

TEST(Generators, HoleOfThePlateIsRoundAndTheCornersAreThere) {
  const MeshData mesh = volume_mesh(
      "plate_with_hole",
      {{"size", {2, 1, 0.2}}, {"radius", {0.25}}, {"cells", {3}}, {"cells_radial", {4}}, {"cells_through", {2}}});
  EXPECT_EQ(mesh.elements.size(), 6u * 12 * 4 * 2);
  int corners = 0;
  for (const Vec3& x : mesh.positions) {
    EXPECT_GE(x[0] * x[0] + x[1] * x[1], 0.0625 - 1e-14);
    corners += std::abs(std::abs(x[0]) - 1) < 1e-14 && std::abs(std::abs(x[1]) - 0.5) < 1e-14;
  }
  EXPECT_EQ(corners, 4 * 3);
}

TEST(Generators, ArchIsSeparateBlocksWithParallelJoints) {
  const Real gap = 1e-3, b = M_PI / 10;  // half the angle of a block
  const auto arch = [&](const std::vector<Real>& cells) {
    return volume_mesh(
        "arch",
        {{"radius", {2}}, {"thickness", {0.5}}, {"width", {0.75}}, {"blocks", {5}}, {"gap", {gap}}, {"cells", cells}});
  };
  const MeshData mesh = arch({1});
  ASSERT_EQ(mesh.positions.size(), 5u * 8);
  const MeshQuality quality = measure_quality(mesh);
  EXPECT_EQ(quality.components, 5);
  EXPECT_EQ(quality.mirrored + quality.flat, 0);
  EXPECT_EQ(quality.euler_characteristic, 5 * 2);
  // Trapezoids of mean width 2 r sin b - gap cos b and height t cos b.
  const Real volume = 5 * 0.75 * (4 * std::sin(b) - gap * std::cos(b)) * 0.5 * std::cos(b);
  EXPECT_NEAR(quality.volume, volume, 1e-12);
  EXPECT_NEAR(measure_quality(arch({2, 3, 1})).volume, volume, 1e-12);
  for (std::size_t block = 0; block + 1 < 5; ++block)
    for (std::size_t v = 0; v < 8; v += 2) {
      const Vec3 joint = mesh.positions[8 * (block + 1) + v] - mesh.positions[8 * block + v + 1];
      EXPECT_NEAR(std::sqrt(squared_norm(joint)), gap, 1e-14);
      EXPECT_GT(joint[0], 0);  // from the left foot to the right one
    }
  EXPECT_NEAR(mesh.positions.front()[1], gap / 2, 1e-15);
  EXPECT_NEAR(mesh.positions.back()[1], gap / 2, 1e-15);
}

TEST(SurfaceGenerators, ClosedOnesEncloseTheirVolume) {
  for (const auto& cells : {std::vector<Real>{1, 1, 1}, {2, 3, 4}, {3}, {1, 4, 1}}) {
    const MeshQuality box = sound(surface_mesh("box", {{"size", {1, 2, 3}}, {"cells", cells}}), 2);
    EXPECT_NEAR(box.volume, 6, 1e-12);
    EXPECT_NEAR(box.area, 22, 1e-12);
  }
  const MeshQuality plate = sound(surface_mesh("plate", {{"size", {2, 0.1, 1}}, {"cells", {3}}}), 2);
  EXPECT_NEAR(plate.volume, 0.2, 1e-13);
  const auto sphere = [](Real n) { return sound(surface_mesh("sphere", {{"radius", {2}}, {"cells", {n}}}), 2).volume; };
  for (const Real n : {1, 2, 3}) sphere(n);
  expect_second_order(4.0 / 3 * M_PI * 8, sphere(8), sphere(16));
}

/// Of the triangle nearest to the start of the list.
Vec3 normal_of(const MeshData& mesh, std::size_t triangle) {
  const auto x = [&](int i) { return mesh.positions[static_cast<std::size_t>(mesh.elements[triangle].v[i])]; };
  return cross(x(1) - x(0), x(2) - x(0));
}

TEST(SurfaceGenerators, PlaneFacesUp) {
  const MeshData mesh = surface_mesh("plane", {{"size", {10, 4}}, {"cells", {2}}});
  EXPECT_EQ(mesh.elements.size(), 2u * 5 * 2);
  const MeshQuality quality = sound(mesh, 1, true);
  EXPECT_NEAR(quality.area, 40, 1e-12);
  EXPECT_EQ(quality.upper[0], 5);
  EXPECT_EQ(quality.upper[2], 2);
  for (std::size_t t = 0; t < mesh.elements.size(); ++t) EXPECT_GT(normal_of(mesh, t)[1], 0);
  EXPECT_EQ(surface_mesh("plane", {{"size", {10, 10}}}).elements.size(), 2u);
}

TEST(SurfaceGenerators, OpenOnesHaveTheirRimsAndAreas) {
  const auto bowl = [](Real n) { return sound(surface_mesh("bowl", {{"radius", {1}}, {"cells", {n}}}), 1, true).area; };
  bowl(1);
  expect_second_order(2 * M_PI, bowl(8), bowl(16));
  const Parameters cap{{"radius", {1}}, {"degrees", {30}}, {"cells", {6}}};
  EXPECT_NEAR(sound(surface_mesh("bowl", cap), 1, true).upper[1], -std::cos(M_PI / 6), 1e-14);
  const auto tube = [](Real n) {
    return sound(surface_mesh("tube", {{"radius", {1}}, {"height", {2}}, {"cells_around", {n}}}), 0, true).area;
  };
  tube(3);
  expect_second_order(4 * M_PI, tube(16), tube(32));
  const auto funnel = [](Real n) {
    return sound(surface_mesh("funnel", {{"radius", {1}},
                                         {"height", {0.6}},
                                         {"spout_radius", {0.2}},
                                         {"spout_height", {0.5}},
                                         {"cells_around", {n}}}),
                 0, true);
  };
  expect_second_order(M_PI * (1.2 * 1.0 + 0.4 * 0.5), funnel(16).area, funnel(32).area);
  EXPECT_EQ(funnel(8).lower[1], -0.5);
  EXPECT_NEAR(funnel(8).upper[1], 0.6, 1e-15);
}

TEST(SurfaceGenerators, TubeFacesOutwardsAndBowlInwards) {
  const MeshData tube = surface_mesh("tube", {{"radius", {1}}, {"height", {2}}, {"cells_around", {12}}});
  const MeshData bowl = surface_mesh("bowl", {{"radius", {1}}, {"cells", {5}}});
  const auto along = [](const MeshData& mesh, std::size_t t) {
    return dot(normal_of(mesh, t), mesh.positions[static_cast<std::size_t>(mesh.elements[t].v[0])]);
  };
  for (std::size_t t = 0; t < tube.elements.size(); ++t) EXPECT_GT(along(tube, t), 0);
  for (std::size_t t = 0; t < bowl.elements.size(); ++t) EXPECT_LT(along(bowl, t), 0);
}

TEST(SurfaceGenerators, AnyRangeIsTheSamePartOfTheWhole) {
  for (const std::string name : {"box", "sphere"}) {
    const MeshSpec spec = spec_of(name, name == "box" ? Parameters{{"size", {1, 2, 3}}, {"cells", {2, 3, 4}}}
                                                      : Parameters{{"radius", {1}}, {"cells", {4}}});
    const auto source = make_surface_generator(spec);
    const MeshData whole = surface_mesh(name, spec.parameters);
    for (GlobalIndex begin = 0; begin < source->vertex_count(); begin += 7) {
      const auto part = source->vertices(test::world(), begin, std::min(begin + 7, source->vertex_count()));
      for (std::size_t i = 0; i < part.size(); ++i)
        EXPECT_EQ(squared_norm(part[i] - whole.positions[static_cast<std::size_t>(begin) + i]), 0);
    }
    const auto part = source->triangles(test::world(), 11, 23);
    for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i].v[1], whole.elements[11 + i].v[1]);
  }
}

std::string error_of(const std::string& generator, const Parameters& parameters, bool surface) {
  try {
    if (surface) make_surface_generator(spec_of(generator, parameters));
    else make_generator(spec_of(generator, parameters));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

TEST(Generators, BadShapesAreErrorsWithThePlace) {
  EXPECT_EQ(error_of("torus", {{"radius", {1}}, {"tube_radius", {1}}, {"cells", {3}}}, false),
            "scene.yaml:3:5: `tube_radius` of `torus` must be less than `radius`: the ring has no hole otherwise");
  EXPECT_EQ(error_of("plate_with_hole", {{"size", {2, 1, 1}}, {"radius", {0.5}}, {"cells", {3}}}, false),
            "scene.yaml:3:5: `radius` of `plate_with_hole` must be less than half of the plate's width");
  EXPECT_EQ(error_of("cylinder", {{"radius", {1}}, {"cells", {3}}}, false),
            "scene.yaml:3:5: `cylinder` needs `height` with 1 number");
  EXPECT_EQ(error_of("cylinder", {{"radius", {1}}, {"length", {2}}, {"cells", {3}}}, false),
            "scene.yaml:3:5: `cylinder` has no parameter `length`; it has: radius, height, cells, cells_along");
  const auto arch_error = [](Real thickness, Real degrees, Real gap) {
    return error_of("arch",
                    {{"radius", {1}},
                     {"thickness", {thickness}},
                     {"width", {1}},
                     {"degrees", {degrees}},
                     {"blocks", {2}},
                     {"gap", {gap}}},
                    false);
  };
  EXPECT_EQ(arch_error(0.5, 180, 1e-6), "no error");
  EXPECT_EQ(arch_error(2, 180, 1e-6),
            "scene.yaml:3:5: `thickness` of `arch` must be less than twice `radius`: the ring has no hole");
  EXPECT_EQ(arch_error(0.5, 360, 1e-6),
            "scene.yaml:3:5: `degrees` of `arch` must be at most 360, and less than 180 a block");
  EXPECT_EQ(arch_error(0.5, 180, 1.5),
            "scene.yaml:3:5: `gap` of `arch` leaves nothing of the blocks at the inside of the ring");
  EXPECT_EQ(error_of("bowl", {{"radius", {1}}, {"degrees", {180}}, {"cells", {3}}}, true),
            "scene.yaml:3:5: `degrees` of `bowl` must be less than 180: use `sphere`");
  EXPECT_EQ(error_of("tube", {{"radius", {1}}, {"height", {1}}, {"cells_around", {2}}}, true),
            "scene.yaml:3:5: `cells_around` of `tube` must be at least 3");
  EXPECT_EQ(
      error_of("funnel",
               {{"radius", {1}}, {"height", {1}}, {"spout_radius", {1}}, {"spout_height", {1}}, {"cells_around", {8}}},
               true),
      "scene.yaml:3:5: `spout_radius` of `funnel` must be less than `radius`: use `tube` for a plain one");
  EXPECT_EQ(error_of("torus", {}, true),
            "scene.yaml:3:5: unknown mesh generator `torus`; known: plane, box, plate, sphere, bowl, tube, funnel");
}

}  // namespace
}  // namespace unbarred
