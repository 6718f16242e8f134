#include "io/mesh/point_mesh.hpp"

#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkDataSetReader.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkSmartPointer.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>

#include "core/error.hpp"

namespace unbarred {

namespace {

Error wrong(const std::filesystem::path& file, const std::string& message) {
  return bad_input({file.string(), 0, 0}, message);
}

bool is_vtk(const std::filesystem::path& file) {
  const std::string suffix = file.extension().string();
  return suffix == ".vtu" || suffix == ".vtp" || suffix == ".vtk";
}

/// VTK says what is wrong with a file on stderr and returns something; we say it ourselves.
class QuietVtk {
 public:
  QuietVtk() { vtkObject::GlobalWarningDisplayOff(); }
  ~QuietVtk() { vtkObject::SetGlobalWarningDisplay(before_); }
  QuietVtk(const QuietVtk&) = delete;
  QuietVtk& operator=(const QuietVtk&) = delete;

 private:
  int before_ = vtkObject::GetGlobalWarningDisplay();
};

template <class Reader>
vtkSmartPointer<vtkPointSet> read_with(const std::filesystem::path& file) {
  vtkNew<Reader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  if (reader->GetErrorCode() != 0) return nullptr;
  return vtkPointSet::SafeDownCast(reader->GetOutputDataObject(0));
}

vtkSmartPointer<vtkPointSet> read_vtk(const std::filesystem::path& file) {
  if (!std::ifstream(file) || std::filesystem::is_directory(file)) throw wrong(file, "cannot be read: is it a file?");
  const QuietVtk quiet;
  const std::string suffix = file.extension().string();
  vtkSmartPointer<vtkPointSet> points;
  if (suffix == ".vtu") points = read_with<vtkXMLUnstructuredGridReader>(file);
  if (suffix == ".vtp") points = read_with<vtkXMLPolyDataReader>(file);
  if (suffix == ".vtk") points = read_with<vtkDataSetReader>(file);
  if (!points || points->GetNumberOfPoints() == 0)
    throw wrong(file, "VTK finds no points in it: is it whole, and an unstructured grid or polygonal data?");
  return points;
}

void add_tetrahedron(vtkIdList& ids, vtkIdType cell, const std::filesystem::path& file, PointMesh& mesh) {
  GlobalTetrahedron t{{ids.GetId(0), ids.GetId(1), ids.GetId(2), ids.GetId(3)}};
  const auto x = [&](int i) { return mesh.points[static_cast<std::size_t>(t.v[i])]; };
  const Real volume = dot(cross(x(1) - x(0), x(2) - x(0)), x(3) - x(0));
  if (volume == 0) throw wrong(file, "tetrahedron " + std::to_string(cell) + " has no volume");
  if (volume < 0) std::swap(t.v[2], t.v[3]);
  mesh.tetrahedra.push_back(t);
}

void add_cells(vtkPointSet& grid, const std::filesystem::path& file, PointMesh& mesh) {
  vtkNew<vtkIdList> ids;
  for (vtkIdType cell = 0; cell < grid.GetNumberOfCells(); ++cell) {
    const int type = grid.GetCellType(cell);
    if (type == VTK_VERTEX || type == VTK_POLY_VERTEX || type == VTK_LINE || type == VTK_POLY_LINE) continue;
    grid.GetCellPoints(cell, ids);
    const bool triangle = ids->GetNumberOfIds() == 3 && (type == VTK_TRIANGLE || type == VTK_POLYGON);
    if (triangle) mesh.triangles.push_back({{ids->GetId(0), ids->GetId(1), ids->GetId(2)}});
    else if (type == VTK_TETRA) add_tetrahedron(*ids, cell, file, mesh);
    else
      throw wrong(file, "cell " + std::to_string(cell) + " is of VTK's type " + std::to_string(type) +
                            "; give triangles or tetrahedra (ParaView: Triangulate, Tetrahedralize)");
  }
  if (!mesh.tetrahedra.empty()) mesh.triangles.clear();
  if (mesh.tetrahedra.empty() && mesh.triangles.empty()) throw wrong(file, "has no triangles and no tetrahedra");
}

std::vector<Vec3> displacements_of(vtkPointSet& points, const std::filesystem::path& file) {
  vtkDataArray* array = points.GetPointData()->GetArray("displacement");
  if (!array || array->GetNumberOfComponents() != 3)
    throw wrong(file, "has no point array `displacement` with 3 components");
  std::vector<Vec3> vectors(static_cast<std::size_t>(array->GetNumberOfTuples()));
  for (std::size_t i = 0; i < vectors.size(); ++i) array->GetTuple(static_cast<vtkIdType>(i), vectors[i].x);
  return vectors;
}

/// Three numbers and nothing else; none otherwise.
std::optional<Vec3> vector_in(const std::string& line) {
  constexpr const char* between = " \t\r,;";
  Vec3 vector;
  std::size_t at = line.find_first_not_of(between);
  for (int i = 0; i < 3; ++i) {
    if (at == std::string::npos) return {};
    const auto [end, error] = std::from_chars(line.data() + at, line.data() + line.size(), vector[i]);
    if (error != std::errc() || !std::isfinite(vector[i])) return {};
    const auto next = static_cast<std::size_t>(end - line.data());
    at = line.find_first_not_of(between, next);
    if (at == next) return {};
  }
  if (at != std::string::npos) return {};
  return vector;
}

std::vector<Vec3> read_text_vectors(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file)) throw wrong(file, "cannot be read: is it a file?");
  std::vector<Vec3> vectors;
  bool titles_passed = false;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    if (const auto vector = vector_in(line)) vectors.push_back(*vector);
    else if (vectors.empty() && !titles_passed) titles_passed = true;
    else throw bad_input({file.string(), number, 0}, "three finite numbers x y z are expected");
  }
  return vectors;
}

}  // namespace

PointMesh read_point_mesh(const std::filesystem::path& file) {
  if (!is_vtk(file)) throw wrong(file, "a mesh with the ending .msh, .vtu, .vtp or .vtk is expected");
  const vtkSmartPointer<vtkPointSet> grid = read_vtk(file);
  PointMesh mesh;
  mesh.points.resize(static_cast<std::size_t>(grid->GetNumberOfPoints()));
  for (std::size_t i = 0; i < mesh.points.size(); ++i) grid->GetPoint(static_cast<vtkIdType>(i), mesh.points[i].x);
  add_cells(*grid, file, mesh);
  vtkDataArray* body = grid->GetPointData()->GetArray("body");
  if (!body || body->GetNumberOfComponents() != 1) return mesh;
  for (vtkIdType i = 0; i < body->GetNumberOfTuples(); ++i) {
    const double value = body->GetTuple1(i);
    if (!(value >= 0 && value < 1e9 && value == std::floor(value)))
      throw wrong(file, "the point array `body` holds something else than whole numbers from 0");
    mesh.body.push_back(static_cast<std::int32_t>(value));
  }
  return mesh;
}

std::vector<Vec3> read_displacements(const std::filesystem::path& file, std::size_t count) {
  const std::vector<Vec3> vectors = is_vtk(file) ? displacements_of(*read_vtk(file), file) : read_text_vectors(file);
  if (vectors.size() != count)
    throw wrong(file, "has " + std::to_string(vectors.size()) + " displacements for the " + std::to_string(count) +
                          " vertices of the mesh");
  return vectors;
}

}  // namespace unbarred
