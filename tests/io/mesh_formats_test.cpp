// Every variant of every mesh format gives the same mesh.
#include <gtest/gtest.h>
#include <unistd.h>
#include <vtkCellType.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include "io/mesh/mesh_formats.hpp"
#include "io/mesh/mesh_quality.hpp"
#include "io/mesh/mesh_repair.hpp"
#include "io/mesh/msh_writer.hpp"
#include "io/mesh/surface_file.hpp"
#include "support/captured_log.hpp"
#include "support/mesh_variants.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using test::NumberFormat;
using test::Sample;
using test::TemporaryFile;

std::string own(const std::string& suffix) { return "_" + std::to_string(getpid()) + suffix; }

constexpr NumberFormat formats[] = {{false, false}, {true, false}, {true, true}};

MeshSpec spec_of(const std::filesystem::path& file) {
  MeshSpec spec;
  spec.file = file;
  spec.place = {"s.yaml", 5, 7};
  return spec;
}

void expect_sample(const MeshFileSource& source) {
  const Sample s;
  const test::WholeMesh mesh = test::whole(source, test::world());
  EXPECT_TRUE(test::same(mesh.positions, s.x));
  ASSERT_EQ(mesh.tetrahedra.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(mesh.tetrahedra[t].v[i], s.tetrahedra[t][i]);
}

TEST(MeshFormats, MshInAllVariants) {
  for (const NumberFormat& format : formats)
    for (const bool sparse : {false, true})
      for (const bool extra : {false, true})
        for (const bool blocks : {false, true}) {
          SCOPED_TRACE(testing::Message() << format.binary << format.swapped << sparse << extra << blocks);
          const TemporaryFile file(own(".msh"),
                                   blocks ? test::msh41(format, sparse, extra) : test::msh22(format, sparse, extra));
          MeshReport report;
          const auto source = open_mesh_file(spec_of(file.path()), test::world(), &report);
          expect_sample(*source);
          EXPECT_EQ(report.ignored_elements, 1);
          EXPECT_EQ(source->region_names(), (std::vector<std::string>{"left", "7"}));
          EXPECT_EQ(source->regions(test::world(), 0, 2), (std::vector<std::int32_t>{0, 1}));
          EXPECT_EQ(source->regions(test::world(), 1, 2), std::vector<std::int32_t>{1});
        }
}

TEST(MeshFormats, MshSurfaceIsItsTriangles) {
  for (const NumberFormat& format : formats) {
    const TemporaryFile file(own(".msh"), test::msh41(format, true));
    MeshReport report;
    const test::CapturedLog log;
    const auto surface = open_surface_file(spec_of(file.path()), test::world(), &report);
    EXPECT_TRUE(
        log.contains(": 3 vertices, 1 triangles; 2 unused vertices dropped; 2 elements of other kinds ignored"));
    EXPECT_EQ(surface->vertex_count(), 3);
    EXPECT_EQ(surface->triangle_count(), 1);
    EXPECT_EQ(report.ignored_elements, 2);
    EXPECT_EQ(report.dropped_vertices, 2);
    EXPECT_EQ(surface->triangles(test::world(), 0, 1)[0].v[2], 2);
    const MeshData data = read_whole(*open_mesh_stream(file.path(), ElementKind::triangles), ElementKind::triangles);
    EXPECT_EQ(data.region_names, std::vector<std::string>{"skin"});
  }
}

TEST(MeshFormats, MshWithoutItsFormatIsReadAsWhatItLooksLike) {
  for (const bool blocks : {false, true}) {
    const std::string text = blocks ? test::msh41({}, false) : test::msh22({}, false);
    const TemporaryFile file(own(".msh"), text.substr(text.find("$PhysicalNames")));
    test::CapturedLog log;
    expect_sample(*open_mesh_file(spec_of(file.path()), test::world()));
    EXPECT_NE(log.text().find("has no $MeshFormat: read as MSH " + std::string(blocks ? "4.1" : "2.2")),
              std::string::npos);
  }
}

TEST(MeshFormats, VtkLegacyInAllVariants) {
  for (const bool binary : {false, true})
    for (const int version : {3, 5}) {
      SCOPED_TRACE(testing::Message() << binary << version);
      const TemporaryFile file(own(".vtk"), test::vtk_legacy(binary, version));
      MeshReport report;
      expect_sample(*open_mesh_file(spec_of(file.path()), test::world(), &report));
      EXPECT_EQ(report.ignored_elements, 1);
      EXPECT_EQ(open_surface_file(spec_of(file.path()), test::world())->triangle_count(), 1);
    }
}

/// As VTK itself writes it.
std::string vtu_by_vtk(int mode, bool big, const char* compressor, bool base64, bool wide_head) {
  const Sample s;
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkPoints> points;
  for (const Vec3& x : s.x) points->InsertNextPoint(x.x);
  grid->SetPoints(points);
  const std::vector<std::vector<vtkIdType>> cells{{0, 1, 2, 3}, {0, 1, 2}, {1, 2, 3, 4}};
  for (const auto& cell : cells)
    grid->InsertNextCell(cell.size() == 4 ? VTK_TETRA : VTK_TRIANGLE, static_cast<vtkIdType>(cell.size()), cell.data());
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetDataMode(mode);
  writer->SetEncodeAppendedData(base64);
  if (big) writer->SetByteOrderToBigEndian();
  else writer->SetByteOrderToLittleEndian();
  if (wide_head) writer->SetHeaderTypeToUInt64();
  else writer->SetHeaderTypeToUInt32();
  const std::string name = compressor;
  if (name.empty()) writer->SetCompressorTypeToNone();
  else if (name == "zlib") writer->SetCompressorTypeToZLib();
  else if (name == "lz4") writer->SetCompressorTypeToLZ4();
  else writer->SetCompressorTypeToLZMA();
  writer->SetBlockSize(64);  // several blocks an array
  writer->WriteToOutputStringOn();
  writer->Write();
  return writer->GetOutputString();
}

TEST(MeshFormats, VtuInAllVariants) {
  expect_sample(*open_mesh_file(spec_of(TemporaryFile(own(".vtu"), test::vtu_text()).path()), test::world()));
  for (const int mode : {vtkXMLWriter::Ascii, vtkXMLWriter::Binary, vtkXMLWriter::Appended})
    for (const bool big : {false, true})
      for (const char* compressor : {"", "zlib", "lz4", "lzma"})
        for (const bool base64 : {false, true})
          for (const bool wide : {false, true}) {
            SCOPED_TRACE(testing::Message() << mode << big << compressor << base64 << wide);
            const TemporaryFile file(own(".vtu"), vtu_by_vtk(mode, big, compressor, base64, wide));
            expect_sample(*open_mesh_file(spec_of(file.path()), test::world()));
          }
}

TEST(MeshFormats, VtuAndMshAreWrittenAndReadBack) {
  const TemporaryFile file(own(".msh"), test::msh41({}, false));
  const MeshData mesh = read_mesh_data(file.path());
  for (const std::string suffix : {".vtu", ".msh"})
    for (const bool binary : {false, true}) {
      const TemporaryFile copy(own("_copy" + suffix), "");
      write_mesh(copy.path(), mesh, binary);
      const auto source = open_mesh_file(spec_of(copy.path()), test::world());
      expect_sample(*source);
      EXPECT_EQ(source->region_names().size(), 2u);
      EXPECT_EQ(source->regions(test::world(), 0, 2), (std::vector<std::int32_t>{0, 1}));
      EXPECT_EQ(source->region_names()[0], suffix == ".msh" ? "left" : "0");
    }
  const TemporaryFile other(own(".stl"), "");
  EXPECT_THROW(write_mesh(other.path(), mesh, false), Error);
  EXPECT_THROW(write_mesh("/no/such/folder/a.msh", mesh, false), Error);
}

/// Every surface format says the same tetrahedron; the vertices may be in another order.
void expect_tetrahedron(const std::filesystem::path& file, GlobalIndex ignored = 0) {
  MeshReport report;
  const auto surface = open_surface_file(spec_of(file), test::world(), &report);
  EXPECT_EQ(surface->vertex_count(), 4);
  ASSERT_EQ(surface->triangle_count(), 4);
  EXPECT_EQ(report.triangles, 4);
  EXPECT_EQ(report.ignored_elements, ignored);
  const MeshQuality quality = measure_quality(read_mesh_data(file));
  EXPECT_EQ(quality.euler_characteristic, 2);
  EXPECT_EQ(quality.open_edges, 0);
  EXPECT_NEAR(quality.volume, 1.0 / 6, 1e-12);
}

TEST(MeshFormats, ObjStlPly) {
  expect_tetrahedron(TemporaryFile(own(".obj"), test::obj_surface()).path(), 1);
  expect_tetrahedron(TemporaryFile(own(".STL"), test::stl_surface(false)).path());
  expect_tetrahedron(TemporaryFile(own(".stl"), test::stl_surface(true)).path());
  expect_tetrahedron(TemporaryFile(own(".ply"), test::ply_surface(false, false)).path(), 1);
  expect_tetrahedron(TemporaryFile(own(".ply"), test::ply_surface(true, false)).path(), 1);
  expect_tetrahedron(TemporaryFile(own(".ply"), test::ply_surface(true, true)).path(), 1);
}

TEST(MeshFormats, PolygonsAreCutIntoTriangles) {
  const TemporaryFile file(own(".obj"), "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n");
  const MeshData data = read_mesh_data(file.path());
  ASSERT_EQ(data.elements.size(), 3u);
  EXPECT_EQ(data.elements[2].v[0], 0);
  EXPECT_EQ(data.elements[2].v[2], 4);
  const TemporaryFile quads(own(".msh"),
                            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n"
                            "4 0 1 0\n$EndNodes\n$Elements\n1\n1 3 0 1 2 3 4\n$EndElements\n");
  EXPECT_EQ(open_surface_file(spec_of(quads.path()), test::world())->triangle_count(), 2);
}

TEST(MeshFormats, SurfaceOfTetrahedraIsTheirBoundary) {
  MeshSpec spec = test::bar_spec();
  const auto bar = make_generator(spec);
  const TemporaryFile file(own(".msh"), "");
  write_msh(file.path(), bar->vertices(test::world(), 0, bar->vertex_count()),
            bar->tetrahedra(test::world(), 0, bar->tetrahedron_count()));
  const auto surface = open_surface_file(spec_of(file.path()), test::world());
  EXPECT_EQ(surface->triangle_count(), 2 * (2 * 9 + 4 * 90));
  EXPECT_EQ(surface->vertex_count(), 496 - 29 * 4);
}

}  // namespace
}  // namespace unbarred
