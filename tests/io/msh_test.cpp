// MSH files: both formats, what is dropped and turned, every mistake, and files cut off anywhere.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "io/mesh/mesh_file.hpp"
#include "io/mesh/msh_writer.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using test::TemporaryFile;
using test::whole;
using test::WholeMesh;

const std::string head41 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
const std::string nodes41 = "$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n";
const std::string elements41 = "$Elements\n1 2 1 2\n3 1 4 2\n1 1 2 3 4\n2 2 3 4 5\n$EndElements\n";
const std::string head22 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string nodes22 = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
const std::string elements22 = "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";

std::string own_name(const std::string& suffix = ".msh") { return "_" + std::to_string(getpid()) + suffix; }

WholeMesh read(const std::filesystem::path& file, MeshReport* report = nullptr, Real scale = 1) {
  MeshSpec spec;
  spec.file = file;
  spec.scale = scale;
  spec.place = {"s.yaml", 5, 7};
  return whole(*open_mesh_file(spec, test::world(), report), test::world());
}

WholeMesh read_text_as_msh(const std::string& text, MeshReport* report = nullptr) {
  return read(TemporaryFile(own_name(), text).path(), report);
}

/// Message without the path of the temporary file.
std::string error_of(const std::string& text) {
  const TemporaryFile file(own_name(), text);
  try {
    read(file.path());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    std::string message = error.what();
    const auto at = message.find(file.path().string());
    if (at != std::string::npos) message.replace(at, file.path().string().size(), "m.msh");
    return message;
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

TEST(Msh, ReadsBothFormats) {
  MeshReport report;
  const WholeMesh a = read_text_as_msh(head41 + nodes41 + elements41, &report);
  EXPECT_EQ(report.vertices, 5);
  EXPECT_EQ(report.tetrahedra, 2);
  EXPECT_EQ(report.reoriented + report.dropped_vertices + report.ignored_elements, 0);
  EXPECT_EQ(a.positions[4][2], 1);
  EXPECT_EQ(a.tetrahedra[1].v[3], 4);
  const WholeMesh b = read_text_as_msh(head22 + nodes22 + elements22, &report);
  EXPECT_EQ(report.vertices, 4);
  EXPECT_EQ(b.tetrahedra[0].v[1], 1);
  std::string windows;
  for (const char c : head22 + nodes22 + elements22) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_TRUE(test::same(read_text_as_msh(windows).positions, b.positions));
}

TEST(Msh, WhatIsWrittenIsReadBackToTheLastBit) {
  MeshSpec spec;
  spec.generator = "ball";
  spec.parameters = {{"radius", {0.7}}, {"cells", {5}}};
  const WholeMesh ball = whole(*make_generator(spec), test::world());
  const TemporaryFile file(own_name(), "");
  write_msh(file.path(), ball.positions, ball.tetrahedra);
  const WholeMesh again = read(file.path());
  EXPECT_TRUE(test::same(again.positions, ball.positions));
  EXPECT_TRUE(test::same(again.tetrahedra, ball.tetrahedra));
  EXPECT_EQ(read(file.path(), nullptr, 2).positions[3][1], 2 * ball.positions[3][1]);
  EXPECT_THROW(write_msh("/no/such/folder/a.msh", ball.positions, ball.tetrahedra), Error);
}

// UNBARRED_WRITE_REFERENCES=1 test_io --gtest_filter=Msh.BarOfTheScenes* writes the file anew.
TEST(Msh, BarOfTheScenesIsTheGeneratedBox) {
  const std::filesystem::path file = UNBARRED_SOURCE_DIR "/scenes/meshes/bar.msh";
  const WholeMesh box = whole(*make_generator(test::bar_spec()), test::world());
  if (std::getenv("UNBARRED_WRITE_REFERENCES")) write_msh(file, box.positions, box.tetrahedra);
  const WholeMesh bar = read(file);
  EXPECT_TRUE(test::same(bar.tetrahedra, box.tetrahedra));
  ASSERT_EQ(bar.positions.size(), box.positions.size());
  for (std::size_t i = 0; i < bar.positions.size(); ++i)
    EXPECT_LT(squared_norm(bar.positions[i] - box.positions[i]), 1e-30);
}

TEST(Msh, SparseTagsInAnyOrder) {
  const std::string nodes =
      "$Nodes\n2 5 7 9000000000\n3 1 0 3\n9000000000\n7\n50\n0 0 0\n1 0 0\n0 1 0\n"
      "2 1 1 2\n8\n9\n0 0 1 0.1 0.2\n1 1 1 0.1 0.2\n$EndNodes\n";
  const std::string elements = "$Elements\n1 2 1 2\n3 1 4 2\n10 9000000000 7 50 8\n20 7 50 8 9\n$EndElements\n";
  const WholeMesh mesh = read_text_as_msh(head41 + nodes + elements);
  const WholeMesh plain = read_text_as_msh(head41 + nodes41 + elements41);
  EXPECT_TRUE(test::same(mesh.positions, plain.positions));
  EXPECT_TRUE(test::same(mesh.tetrahedra, plain.tetrahedra));
  const std::string sparse = replaced(replaced(nodes22, "3 0 1 0", "30 0 1 0"), "4 0 0 1", "40 0 0 1");
  const WholeMesh ascending = read_text_as_msh(head22 + sparse + replaced(elements22, "1 2 3 4", "1 2 30 40"));
  EXPECT_EQ(ascending.tetrahedra[0].v[3], 3);
}

TEST(Msh, MirroredTetrahedraUnusedVerticesAndOtherElementsAreCounted) {
  const std::string elements =
      "$Elements\n3 5 1 5\n2 1 2 2\n1 1 2 3\n2 2 3 4\n1 1 1 1\n3 1 2\n"
      "3 1 4 1\n4 2 3 4 5\n$EndElements\n$Surface\n1\n1 2 3\n$EndSurface\n";
  MeshReport report;
  const WholeMesh kept = read_text_as_msh(head41 + nodes41 + replaced(elements, "3 5 1 5", "3 4 1 4"), &report);
  EXPECT_EQ(report.dropped_vertices, 1);
  EXPECT_EQ(report.ignored_elements, 3);
  EXPECT_EQ(report.reoriented, 0);
  ASSERT_EQ(kept.positions.size(), 4u);
  EXPECT_EQ(kept.positions[0][0], 1);
  EXPECT_EQ(kept.tetrahedra[0].v[0], 0);
  const WholeMesh turned = read_text_as_msh(head22 + nodes22 + replaced(elements22, "1 2 3 4", "1 2 4 3"), &report);
  EXPECT_EQ(report.reoriented, 1);
  EXPECT_EQ(turned.tetrahedra[0].v[2], 2);
  EXPECT_EQ(to_string(MeshReport{4, 1, 1, 2, 3}, "a/bar.msh"),
            "bar.msh: 4 vertices, 1 tetrahedra; 1 mirrored tetrahedra reoriented; 2 unused vertices dropped; "
            "3 points, lines or surfaces ignored");
}

TEST(Msh, OtherSectionsAreSkipped) {
  const std::string names = "$PhysicalNames\n1\n3 1 \"$Nodes of it\"\n$EndPhysicalNames\n$Comments\n\n$EndComments\n";
  EXPECT_EQ(read_text_as_msh(head22 + names + nodes22 + elements22).positions.size(), 4u);
}

TEST(MshErrors, Format) {
  EXPECT_EQ(error_of("4\n1 0 0 0\n"),
            "s.yaml:5:7: m.msh:1: this is no Gmsh MSH file: it does not start with $MeshFormat");
  EXPECT_EQ(error_of(""), "s.yaml:5:7: m.msh:1: this is no Gmsh MSH file: it does not start with $MeshFormat");
  EXPECT_EQ(error_of("$Nodes\n4 5\n1 0 0 0\n"),
            "m.msh:1: the file has no $MeshFormat, and its $Nodes are neither those "
            "of MSH 2.2 nor of 4.1");
  EXPECT_EQ(error_of(head41 + head41), "m.msh:4: a second $MeshFormat section");
  EXPECT_EQ(error_of(replaced(head41, "4.1", "4.0")),
            "s.yaml:5:7: m.msh:2: MSH version `4.0` is not read: save as 4.1 or 2.2");
  EXPECT_EQ(error_of(replaced(head41, "4.1 0", "4.1 1")),
            "s.yaml:5:7: m.msh:3: the number that tells the byte order is 1684948260, not 1");
  EXPECT_EQ(error_of(replaced(head41, "4.1 0 8", "4.1 1 2")),
            "s.yaml:5:7: m.msh:2: binary MSH with a data size of 2 is not read: use 8");
  EXPECT_EQ(error_of(head41 + "text"), "m.msh:4: a section ($Nodes, $Elements, ...) expected here, not `text`");
  EXPECT_EQ(error_of(head41), "m.msh:4: the file has no $Nodes section: it is truncated or empty");
  EXPECT_EQ(error_of(head41 + nodes41), "m.msh:18: the file has no $Elements section: it is truncated or empty");
  EXPECT_EQ(error_of(head41 + elements41), "m.msh:4: $Elements stands before $Nodes: exchange the sections");
  EXPECT_EQ(error_of(head41 + nodes41 + nodes41),
            "m.msh:18: a second $Nodes section: join the parts of the mesh first");
}

TEST(MshErrors, Nodes) {
  const auto with = [](const std::string& what, const std::string& by) {
    return error_of(head22 + replaced(nodes22, what, by) + elements22);
  };
  EXPECT_EQ(with("2 1 0 0", "2 nan 0 0"), "m.msh:7: coordinate: `nan` is not a finite number");
  EXPECT_EQ(with("2 1 0 0", "2 inf 0 0"), "m.msh:7: coordinate: `inf` is not a finite number");
  EXPECT_EQ(with("2 1 0 0", "2 1,0 0 0"), "m.msh:7: coordinate: `1,0` is not a finite number");
  EXPECT_EQ(with("2 1 0 0", "2.5 1 0 0"), "m.msh:7: node tag: `2.5` is not a whole number");
  EXPECT_EQ(with("3 0 1 0", "2 0 1 0"), "m.msh:10: the node tag 2 occurs twice in $Nodes");
  EXPECT_EQ(with("$Nodes\n4", "$Nodes\n5"), "m.msh:10: node tag: `$EndNodes` is not a whole number");
  EXPECT_EQ(with("$Nodes\n4", "$Nodes\n3"), "m.msh:9: $EndNodes expected here, not `4`");
  EXPECT_EQ(with("$Nodes\n4", "$Nodes\n-4"), "m.msh:5: number of nodes is out of range");
  EXPECT_EQ(error_of(head41 + replaced(nodes41, "1 5 1 5", "1 6 1 5") + elements41),
            "m.msh:16: the blocks have 5 entries, the head says 6");
  EXPECT_EQ(error_of(head41 + replaced(nodes41, "1 5 1 5", "1 4 1 5") + elements41),
            "m.msh:6: more nodes than the head says");
}

TEST(MshErrors, Elements) {
  const auto with = [](const std::string& element) {
    return error_of(head22 + nodes22 + "$Elements\n1\n" + element + "\n$EndElements\n");
  };
  EXPECT_EQ(with("1 4 0 1 2 3 9"), "m.msh:13: element 1 uses the node 9, which $Nodes does not have");
  EXPECT_EQ(with("1 5 0 1 2 3 4 1 2 3 4"),
            "m.msh:13: element type 5 (hexahedra) is not supported: mesh the volume with tetrahedra, or split the "
            "hexahedra (gmsh: no recombination)");
  EXPECT_EQ(with("1 6 0 1 2 3 4 1 2"),
            "m.msh:13: element type 6 (prisms, pyramids) is not supported: mesh the volume with tetrahedra");
  EXPECT_EQ(with("1 11 0 1 2 3 4 1 2 3 4 1 2"),
            "m.msh:13: element type 11 (tetrahedra of higher order) is not "
            "supported: save the mesh with order 1");
  EXPECT_EQ(with("1 99 0 1"), "m.msh:13: element type 99: only linear tetrahedra are read");
  EXPECT_EQ(with("7 4 0 1 2 3 3"), "m.msh: element 7 has no volume: remove it, or repair the mesh");
  EXPECT_EQ(with("1 2 0 1 2 3"), "m.msh: the file has no tetrahedra");
  EXPECT_EQ(error_of(head22 + replaced(nodes22, "4 0 0 1", "4 1e6 1e6 1e-13") + elements22),
            "m.msh: element 1 has no volume: remove it, or repair the mesh");
}

TEST(MshErrors, Files) {
  EXPECT_EQ(error_of(head41 + nodes41 + "$Elements\n1 2 1 2\n3 1 4 2\n1 1 2 3 4\n"),
            "m.msh:22: the file ends before element number: it is truncated");
  try {
    read("no/such.msh");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "s.yaml:5:7: no/such.msh: cannot open this file: check the path and its permissions");
  }
  try {
    read("dolphin.stp");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "s.yaml:5:7: dolphin.stp: mesh files `.stp` are not read: use Gmsh MSH 2.2 or 4.1 (.msh), VTK (.vtk, "
                 ".vtu); for surfaces also OBJ, STL, PLY");
  }
  EXPECT_THROW(read("."), Error);
}

TEST(MshErrors, EveryCutOffFileIsAnError) {
  MeshSpec spec;
  spec.generator = "ball";
  spec.parameters = {{"radius", {1}}, {"cells", {2}}};
  const WholeMesh ball = whole(*make_generator(spec), test::world());
  const TemporaryFile file(own_name(), "ball");
  write_msh(file.path(), ball.positions, ball.tetrahedra);
  std::ifstream stream(file.path(), std::ios::binary);
  const std::string text41(std::istreambuf_iterator<char>(stream), {});
  for (const std::string& text : {text41, head22 + nodes22 + elements22}) {
    const std::size_t step = text.size() > 1000 ? 50 : 1;
    for (std::size_t length = 0; length + 1 < text.size(); length += step)
      EXPECT_NE(error_of(text.substr(0, length)).find("m.msh"), std::string::npos) << length;
    // A changed byte is an error or another mesh, never a crash.
    for (std::size_t at = 0; at < text.size(); at += step) {
      std::string changed = text;
      changed[at] = '-';
      const std::string message = error_of(changed);
      EXPECT_TRUE(message == "no error" || message.find("m.msh") != std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace unbarred
