#pragma once
// Frames reopened with VTK's own readers.
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPPolyDataReader.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include <filesystem>

namespace unbarred::test {

template <class Reader, class Data>
vtkSmartPointer<Data> read_frame(const std::filesystem::path& file) {
  vtkNew<Reader> reader;
  if (!reader->CanReadFile(file.c_str())) return nullptr;
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

inline vtkSmartPointer<vtkUnstructuredGrid> read_pvtu(const std::filesystem::path& file) {
  return read_frame<vtkXMLPUnstructuredGridReader, vtkUnstructuredGrid>(file);
}
inline vtkSmartPointer<vtkPolyData> read_pvtp(const std::filesystem::path& file) {
  return read_frame<vtkXMLPPolyDataReader, vtkPolyData>(file);
}

/// Sum of the signed volumes of tetrahedra.
inline double volume(vtkUnstructuredGrid* grid) {
  double sum = 0;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    vtkPoints* p = grid->GetCell(c)->GetPoints();
    double x[4][3];
    for (int i = 0; i < 4; ++i) p->GetPoint(i, x[i]);
    double e[3][3];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) e[i][k] = x[i + 1][k] - x[0][k];
    sum += (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6;
  }
  return sum;
}

}  // namespace unbarred::test
