// What is wrong with a mesh file is said with file and line or element, and with what to do.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "io/mesh/surface_file.hpp"
#include "support/mesh_variants.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using test::TemporaryFile;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

/// Message of reading the text as a body or as an obstacle, the file called "m" and its suffix.
std::string error_of(const std::string& suffix, const std::string& text, bool surface = false) {
  const TemporaryFile file("_" + std::to_string(getpid()) + suffix, text);
  MeshSpec spec;
  spec.file = file.path();
  spec.place = {"s.yaml", 5, 7};
  try {
    if (surface) open_surface_file(spec, test::world());
    else open_mesh_file(spec, test::world());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    std::string message = error.what();
    const auto at = message.find(file.path().string());
    return at == std::string::npos ? message : message.replace(at, file.path().string().size(), "m" + suffix);
  }
  return "no error";
}
std::string surface_error(const std::string& suffix, const std::string& text) { return error_of(suffix, text, true); }

const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
std::string nodes(const std::string& fifth) {
  return "$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n" + fifth + "\n$EndNodes\n";
}
std::string elements(const std::string& second) {
  return "$Elements\n2\n1 4 0 10 20 30 40\n" + second + "\n$EndElements\n";
}

TEST(MeshErrors, DuplicatesAreNamedWithTheRemedy) {
  EXPECT_EQ(
      error_of(".msh", head + nodes("50 0 0 1") + elements("2 4 0 20 30 10 50")),
      "m.msh: vertices 40 and 50 lie at the same place (1 such in the file): merge them with `unbarred mesh weld`");
  EXPECT_EQ(
      error_of(".msh", head + nodes("50 -0.0 0 1") + elements("2 4 0 20 30 10 50")),
      "m.msh: vertices 40 and 50 lie at the same place (1 such in the file): merge them with `unbarred mesh weld`");
  EXPECT_EQ(error_of(".msh", head + nodes("50 0 0 1") + elements("2 2 0 20 30 10")), "no error");  // 50 is not used
  EXPECT_EQ(
      error_of(".msh", head + nodes("50 1 1 1") + elements("7 4 0 20 30 40 10")),
      "m.msh: tetrahedra 1 and 7 have the same corners (1 such in the file): merge them with `unbarred mesh weld`");
  EXPECT_EQ(
      surface_error(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\nf 3 2 1\n"),
      "m.obj: triangles 1 and 3 have the same corners (1 such in the file): merge them with `unbarred mesh weld`");
  EXPECT_EQ(surface_error(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\nf 1 4 3\n"),
            "m.obj: vertices 2 and 4 lie at the same place (1 such in the file): merge them with `unbarred mesh weld`");
}

TEST(MeshErrors, BinaryNumbersAreCheckedLikeText) {
  std::string text = test::msh41({true, false}, false);
  const double half = 1.5, nan = std::nan("");
  const auto at = text.find(std::string(reinterpret_cast<const char*>(&half), 8), text.find("$Nodes"));
  ASSERT_NE(at, std::string::npos);
  const std::string message = error_of(".msh", text.replace(at, 8, reinterpret_cast<const char*>(&nan), 8));
  EXPECT_TRUE(message.ends_with("coordinate: `nan` is not a finite number")) << message;
  const std::string cut = test::msh41({true, true}, false);
  EXPECT_NE(error_of(".msh", cut.substr(0, cut.find("$EndElements") - 9)).find(": it is truncated"), std::string::npos);
}

TEST(MeshErrors, Regions) {
  const std::string text = test::msh22({}, false);
  EXPECT_EQ(error_of(".msh", replaced(text, "\"left\"", "left")),
            "m.msh:8: a name in \" expected after the tag of the physical group");
  EXPECT_EQ(error_of(".msh", replaced(text, "2 5 \"skin\"", "3 9 \"skin\"")),
            "m.msh:8: the physical group 9 has two names");
}

TEST(MeshErrors, VtkLegacy) {
  const std::string text = test::vtk_legacy(false, 3);
  const auto with = [&](const std::string& what, const std::string& by) {
    return error_of(".vtk", replaced(text, what, by));
  };
  EXPECT_EQ(with("# vtk", "# tvk"),
            "s.yaml:5:7: m.vtk:1: this is no legacy VTK file: it does not start with `# vtk "
            "DataFile Version`");
  EXPECT_EQ(with("ASCII", "ASKII"), "s.yaml:5:7: m.vtk:3: ASCII or BINARY expected here, not `askii`");
  EXPECT_EQ(with("UNSTRUCTURED_GRID", "RECTILINEAR_GRID"),
            "s.yaml:5:7: m.vtk:4: DATASET `rectilinear_grid` is not read: save an unstructured grid of tetrahedra, or "
            "polygons for a surface");
  EXPECT_EQ(with("POINTS 5 double\n0.000000", "POINTS 5 double\nnan"),
            "s.yaml:5:7: m.vtk:9: coordinate: `nan` is not a finite number");
  EXPECT_EQ(with("4 0 1 2 3", "4 0 1 2 9"), "s.yaml:5:7: m.vtk: cell 0 uses the point 9, which the file does not have");
  EXPECT_EQ(with("CELLS 3 14", "CELLS 4 14"), "s.yaml:5:7: m.vtk:20: the cell list has 3 cells, its head says 4");
  EXPECT_EQ(
      with("CELL_TYPES 3\n10", "CELL_TYPES 3\n12"),
      "s.yaml:5:7: m.vtk: cell 0: VTK cell type 12 (hexahedra) is not supported: mesh the volume with tetrahedra, "
      "or split the hexahedra (ParaView: Tetrahedralize)");
  EXPECT_EQ(
      with("CELL_TYPES 3\n10", "CELL_TYPES 3\n24"),
      "s.yaml:5:7: m.vtk: cell 0: VTK cell type 24 (tetrahedra of higher order) is not supported: save linear ones");
  EXPECT_EQ(error_of(".vtk", text.substr(0, text.find("CELL_TYPES"))),
            "s.yaml:5:7: m.vtk:21: the file has 3 cells but 0 cell types: it is truncated");
  EXPECT_EQ(error_of(".vtk", text.substr(0, text.find("POINTS") + 40)).substr(0, 37),
            "s.yaml:5:7: m.vtk:9: the file ends be");
}

TEST(MeshErrors, Vtu) {
  EXPECT_EQ(error_of(".vtu", "<VTK"), "s.yaml:5:7: m.vtu:1: the file ends inside of a tag: it is truncated");
  EXPECT_EQ(error_of(".vtu", "solid"), "s.yaml:5:7: m.vtu:1: this is no VTU file: it does not start with <VTKFile>");
  EXPECT_EQ(error_of(".vtu", "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>"),
            "s.yaml:5:7: m.vtu:2: the file has no <Piece>: it is truncated or empty");
  const std::string text = test::vtu_text();
  EXPECT_EQ(error_of(".vtu", replaced(text, "NumberOfPoints=\"5\"", "NumberOfPoints=\"6\"")),
            "s.yaml:5:7: m.vtu: the array of points has 15 values for 6 points");
  EXPECT_EQ(error_of(".vtu", replaced(text, "0 1 2 3 ", "0 1 2 5 ")),
            "s.yaml:5:7: m.vtu: a cell uses the point 5, which the file does not have");
  EXPECT_EQ(error_of(".vtu", replaced(text, "0 1 2 3 ", "0 1 2 x ")),
            "s.yaml:5:7: m.vtu:10: `x` is not a number of `connectivity`");
  EXPECT_EQ(error_of(".vtu", replaced(text, "4 7 11", "4 7 12")),
            "s.yaml:5:7: m.vtu: the offset 12 of a cell is out of order");
  EXPECT_EQ(error_of(".vtu", replaced(text, "UnstructuredGrid", "PolyData")),
            "s.yaml:5:7: m.vtu:1: <VTKFile> of type `PolyData` is not read: save an UnstructuredGrid");
}

TEST(MeshErrors, SurfaceFormats) {
  EXPECT_EQ(error_of(".obj", test::obj_surface()),
            "s.yaml:5:7: m.obj: `.obj` files hold surfaces only: fill the volume with tetrahedra first (gmsh, "
            "fTetWild, ...), or use it as an obstacle");
  EXPECT_EQ(surface_error(".obj", "v 0 0 0\nv 1 0 nan\n"),
            "s.yaml:5:7: m.obj:2: coordinate: `nan` is not a finite number");
  EXPECT_EQ(surface_error(".obj", "v 0 0 0\nf 1 2 3\n"),
            "s.yaml:5:7: m.obj: face 1 uses a vertex beyond the 1 of the file");
  EXPECT_EQ(surface_error(".obj", "v 0 0 0\nf 1 -2 3\n"),
            "s.yaml:5:7: m.obj:2: face 1 uses the vertex -2, which the file does not have");
  EXPECT_EQ(surface_error(".obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
            "m.obj: triangle 1 has no area: remove it (`unbarred mesh weld` does when corners coincide)");
  EXPECT_EQ(surface_error(".obj", ""), "s.yaml:5:7: m.obj:1: the file has no vertices: it is truncated or empty");
  const std::string stl = test::stl_surface(true);
  EXPECT_EQ(surface_error(".stl", "S" + stl.substr(1, 200)),
            "s.yaml:5:7: m.stl: a binary STL of 4 facets has 284 bytes, this file has 201: it is truncated or damaged");
  EXPECT_EQ(surface_error(".stl", replaced(test::stl_surface(false), "endloop", "loopend")),
            "s.yaml:5:7: m.stl:7: endloop expected here, not `loopend`");
  const std::string ply = test::ply_surface(false, false);
  EXPECT_EQ(surface_error(".ply", replaced(ply, "format ascii", "format text")),
            "s.yaml:5:7: m.ply:2: PLY format `text` is not read");
  EXPECT_EQ(surface_error(".ply", replaced(ply, "3 1 2 3", "3 1 2 4")),
            "s.yaml:5:7: m.ply:20: face 0 uses a vertex beyond the 4 of the file");
  EXPECT_EQ(surface_error(".ply", replaced(ply, "property double y", "property double b")),
            "s.yaml:5:7: m.ply:15: the vertices must have the properties x, y and z");
}

}  // namespace
}  // namespace unbarred
