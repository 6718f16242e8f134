#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include "io/mesh/mesh_formats.hpp"
#include "io/mesh/msh_writer.hpp"
#include "io/text/files.hpp"

namespace unbarred {

static std::string vtu_of(const MeshData& mesh) {
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Vec3& x : mesh.positions) points->InsertNextPoint(x.x);
  grid->SetPoints(points);
  vtkNew<vtkCellArray> cells;
  vtkNew<vtkIntArray> regions;
  regions->SetName("region");
  for (const FileElement& element : mesh.elements) {
    vtkIdType corners[4];
    for (int i = 0; i < 4; ++i) corners[i] = element.v[i];
    cells->InsertNextCell(corners_of(mesh.kind), corners);
    regions->InsertNextValue(element.region);
  }
  grid->SetCells(mesh.kind == ElementKind::tetrahedra ? VTK_TETRA : VTK_TRIANGLE, cells);
  if (!mesh.region_names.empty()) grid->GetCellData()->AddArray(regions);
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetHeaderTypeToUInt64();
  writer->WriteToOutputStringOn();
  if (writer->Write() != 1) throw Error(ExitCode::internal, "VTK could not make the file");
  return writer->GetOutputString();
}

void require_writable_format(const std::filesystem::path& file) {
  const std::string suffix = lower_suffix(file);
  if (suffix != ".msh" && suffix != ".vtu")
    throw bad_input({file.string(), 0, 0},
                    "meshes are written as Gmsh MSH 4.1 (.msh) or VTK (.vtu), not `" + suffix + "`");
}

void write_mesh(const std::filesystem::path& file, const MeshData& mesh, bool binary) {
  require_writable_format(file);
  if (lower_suffix(file) == ".vtu") write_file(file, vtu_of(mesh));
  else write_msh(file, mesh, binary);
}

}  // namespace unbarred
