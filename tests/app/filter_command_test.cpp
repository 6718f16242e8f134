// `unbarred filter` as its users start it.
#include <vtkXMLUnstructuredGridReader.h>

#include <numeric>

#include "audit/audit.hpp"
#include "io/frames/vtu.hpp"
#include "io/mesh/msh_writer.hpp"
#include "scene/tetrahedra_source.hpp"
#include "support/frame_reader.hpp"
#include "support/run_program.hpp"
#include "support/surfaces.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

using test::Outcome;
using test::run_program;
using test::Scratch;

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::filesystem::path& file) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The number after `word`.
double number_after(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  return at == std::string::npos ? std::nan("") : std::stod(text.substr(at + word.size()));
}

/// Two balls side by side, which are to change places.
test::Surface balls(Real distance) {
  const test::Surface ball = test::sphere(6);
  return test::joined(ball, ball.moved({{distance, 0.31, 0.17}}));
}

std::vector<Vec3> towards_each_other(const test::Surface& s) {
  std::vector<Vec3> wanted;
  for (const std::int32_t body : s.vertex_body) wanted.push_back({{body == 0 ? 1.5 : -1.5, 0, 0}});
  return wanted;
}

std::string vtu_of(const test::Surface& s, const std::vector<Vec3>& displacement) {
  FramePiece piece;
  piece.points = s.positions;
  piece.triangles = s.triangles;
  piece.point_arrays = {{"displacement", 3, flatten(displacement), {}}, {"body", 1, s.vertex_body, {}}};
  return vtu_text(piece);
}

std::string legacy_of(const test::Surface& s) {
  std::ostringstream text;
  text.precision(17);
  text << "# vtk DataFile Version 3.0\nballs\nASCII\nDATASET POLYDATA\nPOINTS " << s.positions.size() << " double\n";
  for (const Vec3& x : s.positions) text << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
  text << "POLYGONS " << s.triangles.size() << ' ' << 4 * s.triangles.size() << '\n';
  for (const auto& t : s.triangles) text << "3 " << t[0] << ' ' << t[1] << ' ' << t[2] << '\n';
  return text.str();
}

std::string csv_of(const std::vector<Vec3>& vectors) {
  std::ostringstream text;
  text.precision(17);
  text << "\"displacement:0\",\"displacement:1\",\"displacement:2\"\n# m\n";
  for (const Vec3& x : vectors) text << x[0] << ',' << x[1] << ", " << x[2] << "\n";
  return text.str();
}

struct Filtered {
  std::vector<Vec3> displacement;
  std::vector<Real> fraction;
};

Filtered read_filtered(const std::filesystem::path& file) {
  const auto grid = read_grid(file);
  vtkDataArray* displacement = grid->GetPointData()->GetArray("displacement");
  vtkDataArray* fraction = grid->GetPointData()->GetArray("fraction");
  Filtered filtered;
  if (!displacement || !fraction) return filtered;
  for (vtkIdType v = 0; v < grid->GetNumberOfPoints(); ++v) {
    Vec3& u = filtered.displacement.emplace_back();
    displacement->GetTuple(v, u.x);
    filtered.fraction.push_back(fraction->GetTuple1(v));
  }
  return filtered;
}

TEST(FilterCommand, BallsThatWantToChangePlacesStayApart) {
  const Scratch scratch;
  const test::Surface s = balls(2.2);
  const std::vector<Vec3> wanted = towards_each_other(s);
  scratch.file("balls.vtu", vtu_of(s, wanted));
  scratch.file("balls.vtk", legacy_of(s));
  scratch.file("motion.csv", csv_of(wanted));
  for (const std::string filter : {"lazy", "global"}) {
    const Outcome one = run_program(
        scratch, {"filter", "balls.vtu", "balls.vtu", "--filter", filter, "--gap", "1e-3", "-o", "one.vtu"});
    ASSERT_EQ(one.code, 0) << one.said();
    const Outcome three = run_program(
        scratch, {"filter", "balls.vtk", "motion.csv", "--filter", filter, "--gap", "1e-3", "-o", "three.vtu"},
        {.ranks = 3});
    ASSERT_EQ(three.code, 0) << three.said();
    const Filtered filtered = read_filtered(scratch / "one.vtu"), other = read_filtered(scratch / "three.vtu");
    ASSERT_EQ(filtered.fraction.size(), s.positions.size());
    EXPECT_EQ(filtered.fraction, other.fraction);
    // Behind the names of files both say the same.
    const auto statistics = [](const std::string& out) {
      const std::size_t begin = out.find("  surface");
      return out.substr(begin, out.find("  written") - begin);
    };
    EXPECT_EQ(statistics(one.out), statistics(three.out));
    EXPECT_EQ(number_after(one.out, "surface "), static_cast<double>(s.triangles.size()));
    EXPECT_GT(number_after(one.out, "hits "), 0) << one.said();
    const auto [least, most] = std::minmax_element(filtered.fraction.begin(), filtered.fraction.end());
    EXPECT_NEAR(number_after(one.out, "least "), *least, 1e-5);
    EXPECT_LT(*least, 0.2);
    EXPECT_EQ(*most, filter == "lazy" ? 1 : *least);
    const Real mean = std::accumulate(filtered.fraction.begin(), filtered.fraction.end(), Real(0)) /
                      static_cast<Real>(filtered.fraction.size());
    EXPECT_NEAR(number_after(one.out, "motion "), 100 * mean, 0.1);  // all want to go equally far
    test::Surface moved = s;
    for (std::size_t v = 0; v < moved.positions.size(); ++v) {
      for (int k = 0; k < 3; ++k) EXPECT_EQ(filtered.displacement[v][k], filtered.fraction[v] * wanted[v][k]);
      moved.positions[v] += filtered.displacement[v];
    }
    EXPECT_TRUE(audit(moved.view()).clean());
  }
}

TEST(FilterCommand, AStartThatIntersectsIsRefusedAndShown) {
  const Scratch scratch;
  const test::Surface s = balls(1.8);
  scratch.file("balls.vtu", vtu_of(s, towards_each_other(s)));
  const AuditReport expected = audit(s.view());
  ASSERT_GT(expected.crossing, 0);
  for (const int ranks : {1, 3}) {
    std::filesystem::remove_all(scratch / "diagnostics");
    const Outcome outcome = run_program(scratch, {"filter", "balls.vtu", "balls.vtu"}, {.ranks = ranks});
    EXPECT_EQ(outcome.code, 3) << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "bad start: " + std::to_string(expected.crossing) + " pairs of triangles cross"))
        << outcome.said();
    EXPECT_TRUE(holds(outcome.err, "`body 0` crosses `body 1` (triangles ")) << outcome.said();
    const auto grid = read_grid(scratch / "diagnostics" / "start.vtu");
    ASSERT_EQ(grid->GetNumberOfCells(), 2 * (expected.crossing + expected.touching));
    vtkDataArray* pair = grid->GetCellData()->GetArray("pair");
    vtkDataArray* body = grid->GetCellData()->GetArray("body");
    vtkDataArray* crossing = grid->GetCellData()->GetArray("crossing");
    vtkDataArray* id = grid->GetPointData()->GetArray("global_id");
    ASSERT_TRUE(pair && body && crossing && id);
    std::int64_t crossings = 0;
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      EXPECT_EQ(pair->GetTuple1(c), static_cast<double>(c / 2));
      EXPECT_EQ(body->GetTuple1(c), static_cast<double>(c % 2));
      crossings += crossing->GetTuple1(c) != 0;
      for (vtkIdType corner = 0; corner < 3; ++corner) {
        const vtkIdType point = grid->GetCell(c)->GetPointId(static_cast<int>(corner));
        const Vec3& x = s.positions[static_cast<std::size_t>(id->GetTuple1(point))];
        EXPECT_EQ(grid->GetPoint(point)[0], x[0]);
      }
    }
    EXPECT_EQ(crossings, 2 * expected.crossing);
  }
}

TEST(FilterCommand, AVolumeMeshThatWantsToFoldOntoItselfIsHeldAtItsSurface) {
  const Scratch scratch;
  const auto source = make_generator(test::bar_spec());
  const Communicator self(MPI_COMM_SELF);
  const test::WholeMesh bar = test::whole(*source, self);
  write_msh(scratch / "bar.msh", bar.positions, bar.tetrahedra);
  std::vector<Vec3> wanted;  // one half of the bar through the other
  for (const Vec3& x : bar.positions) wanted.push_back({{x[0] > 0 ? -1.9 * x[0] : 0, 0, 0}});
  scratch.file("motion.txt", csv_of(wanted));
  for (const int ranks : {1, 3}) {
    const Outcome outcome =
        run_program(scratch, {"filter", "bar.msh", "motion.txt", "--no-inversion", "-o", "out.vtu"}, {.ranks = ranks});
    ASSERT_EQ(outcome.code, 0) << outcome.said();
    EXPECT_TRUE(holds(outcome.out, "nothing crosses or touches, before and after"));
    EXPECT_GT(number_after(outcome.out, "hits "), 0);
    const auto grid = read_grid(scratch / "out.vtu");
    EXPECT_EQ(grid->GetNumberOfPoints(), static_cast<vtkIdType>(bar.positions.size()));
    EXPECT_EQ(grid->GetNumberOfCells(), static_cast<vtkIdType>(bar.tetrahedra.size()));
    const Filtered filtered = read_filtered(scratch / "out.vtu");
    EXPECT_LT(filtered.fraction.back(), 1);
    for (const GlobalTetrahedron& t : bar.tetrahedra) {
      Vec3 x[4];
      for (int i = 0; i < 4; ++i) {
        const auto v = static_cast<std::size_t>(t.v[i]);
        x[i] = bar.positions[v] + filtered.displacement[v];
      }
      EXPECT_GT(dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]), 0);
    }
  }
}

TEST(FilterCommand, FilesThatDoNotFitAreRefused) {
  const Scratch scratch;
  const test::Surface s = balls(2.2);
  std::vector<Vec3> wanted = towards_each_other(s);
  scratch.file("balls.vtk", legacy_of(s));
  scratch.file("cut.vtu", vtu_of(s, wanted).substr(0, 300));
  scratch.file("broken.txt", "1 2 3\n1 2\n");
  scratch.file("nan.txt", "1 2 3\n1 2 nan\n");
  scratch.file("quads.vtk",
               "# vtk DataFile Version 3.0\nq\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0 1 1 0 0 1 0\n"
               "POLYGONS 1 5\n4 0 1 2 3\n");
  wanted.pop_back();
  scratch.file("short.csv", csv_of(wanted));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"nothing.vtu", "short.csv"}, "nothing.vtu: cannot be read"},
      {{"balls.vtk", "nothing.csv"}, "nothing.csv: cannot be read"},
      {{"balls.vtk", "short.csv"}, "short.csv: has " + std::to_string(wanted.size()) + " displacements"},
      {{"balls.vtk", "balls.vtk"}, "balls.vtk: has no point array `displacement`"},
      {{"balls.vtk", "broken.txt"}, "broken.txt:2: three finite numbers"},
      {{"balls.vtk", "nan.txt"}, "nan.txt:2: three finite numbers"},
      {{"cut.vtu", "short.csv"}, "cut.vtu: VTK finds no points"},
      {{"quads.vtk", "short.csv"}, "quads.vtk: cell 0 is of VTK's type"},
      {{"short.csv", "short.csv"}, "short.csv: a mesh with the ending"},
      {{"balls.vtk", "short.csv", "--filter", "none"}, "--filter"},
      {{"balls.vtk", "short.csv", "--gap", "-1"}, "--gap"},
  };
  for (const auto& [arguments, message] : cases) {
    std::vector<std::string> words{"filter"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run_program(scratch, words, {.ranks = 0});
    EXPECT_EQ(outcome.code, 2) << message << "\n" << outcome.said();
    EXPECT_TRUE(holds(outcome.err, message)) << message << "\n" << outcome.said();
  }
}

}  // namespace
}  // namespace unbarred
