#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "core/error.hpp"
#include "io/vtk_reader.hpp"

namespace unbarred {

namespace {

/// What VTK would print is kept: the first line becomes our message.
class SilentWindow final : public vtkOutputWindow {
 public:
  static SilentWindow* New();
  vtkTypeMacro(SilentWindow, vtkOutputWindow);
  void DisplayText(const char* text) override { said_ += text; }
  void DisplayErrorText(const char* text) override { said_ += text; }
  void DisplayWarningText(const char* text) override { said_ += text; }
  const std::string& said() const { return said_; }

 private:
  std::string said_;
};
vtkStandardNewMacro(SilentWindow);

class WindowScope {
 public:
  WindowScope() : before_(vtkOutputWindow::GetInstance()) { vtkOutputWindow::SetInstance(window_); }
  ~WindowScope() { vtkOutputWindow::SetInstance(before_); }
  WindowScope(const WindowScope&) = delete;
  WindowScope& operator=(const WindowScope&) = delete;
  const std::string& said() const { return window_->said(); }

 private:
  vtkSmartPointer<vtkOutputWindow> before_;
  vtkNew<SilentWindow> window_;
};

/// The last sentence of "ERROR: In file, line 5\nvtkReader (0x...): What is wrong\n\n".
std::string reason(const std::string& said) {
  const auto at = said.find("): ");
  if (at == std::string::npos) return "";
  const std::string text = said.substr(at + 3, 200);
  return ": " + text.substr(0, text.find('\n'));
}

/// Largest number that an attribute NumberOf...="n" has; 0 without one.
double largest_number_of(const std::string& head, std::string_view attribute) {
  double largest = 0;
  for (std::size_t at = 0; (at = head.find(attribute, at)) != std::string::npos;) {
    at += attribute.size();
    double value = 0;
    std::from_chars(head.data() + at, head.data() + head.size(), value);
    largest = std::max(largest, value);
  }
  return largest;
}

/// VTK reserves memory before it reads: numbers that the file cannot hold, even packed (zlib: to a thousandth), are
/// refused here.
void check_head(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code error;
  if (!stream || !std::filesystem::is_regular_file(file, error))
    throw bad_input({file.string(), 0, 0}, "cannot open this file: check the path and its permissions");
  std::string head(std::size_t{1} << 20, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  if (head.find("<VTKFile") == std::string::npos)
    throw bad_input({file.string(), 1, 0}, "this is no VTU file: it has no <VTKFile> at its start");
  const double items =
      std::max(largest_number_of(head, "NumberOfPoints=\""), largest_number_of(head, "NumberOfCells=\""));
  const double components = std::max(1.0, largest_number_of(head, "NumberOfComponents=\""));
  const double tuples = largest_number_of(head, "NumberOfTuples=\"");
  constexpr double packing = 1100;
  if (components * std::max(items, tuples) > packing * static_cast<double>(std::filesystem::file_size(file)))
    throw bad_input({file.string(), 0, 0}, "NumberOfPoints, NumberOfCells or NumberOfComponents is larger than the file "
                                           "can hold: it is truncated or damaged");
}

vtkDataArray* region_array(vtkUnstructuredGrid& grid) {
  for (const char* name : {"region", "gmsh:physical"}) {
    vtkDataArray* found = grid.GetCellData()->GetArray(name);
    if (found && found->GetNumberOfComponents() == 1 && found->GetNumberOfTuples() == grid.GetNumberOfCells() &&
        found->GetDataType() != VTK_FLOAT && found->GetDataType() != VTK_DOUBLE)
      return found;
  }
  return nullptr;
}

VtkCells cells_of(vtkUnstructuredGrid& grid) {
  VtkCells cells;
  for (vtkIdType v = 0; v < grid.GetNumberOfPoints(); ++v) {
    Vec3 x;
    grid.GetPoints()->GetPoint(v, x.x);
    cells.points.push_back(x);
  }
  cells.offsets.push_back(0);
  vtkCellArray* list = grid.GetCells();
  vtkDataArray* regions = region_array(grid);
  vtkDataArray* points = list->GetConnectivityArray();
  vtkDataArray* offsets = list->GetOffsetsArray();
  for (vtkIdType i = 0; i < points->GetNumberOfTuples(); ++i)
    cells.connectivity.push_back(static_cast<GlobalIndex>(points->GetTuple1(i)));
  for (vtkIdType c = 0; c < grid.GetNumberOfCells(); ++c) {
    cells.offsets.push_back(static_cast<GlobalIndex>(offsets->GetTuple1(c + 1)));
    cells.types.push_back(grid.GetCellType(c));
    if (regions) cells.regions.push_back(static_cast<GlobalIndex>(regions->GetTuple1(c)));
  }
  return cells;
}

/// The reader itself accepts any offsets.
void check_offsets(const VtkCells& cells, const Place& place) {
  for (std::size_t c = 0; c + 1 < cells.offsets.size(); ++c)
    if (cells.offsets[c] > cells.offsets[c + 1] ||
        cells.offsets[c + 1] > static_cast<GlobalIndex>(cells.connectivity.size()))
      throw bad_input(place, "cell " + std::to_string(c) + " has no place in the list of points: `offsets` is damaged");
}

VtkCells read_cells(const std::filesystem::path& file) {
  const Place place{file.string(), 0, 0};
  const WindowScope window;
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkUnstructuredGrid* grid = reader->GetOutput();
  if (reader->GetErrorCode() != 0 || !window.said().empty())
    throw bad_input(place, "VTK cannot read this file" + reason(window.said()));
  if (!grid->GetPoints() || !grid->GetCells() || grid->GetNumberOfPoints() == 0 || grid->GetNumberOfCells() == 0)
    throw bad_input(place, "the file has no points or no cells: it is truncated or empty");
  if (!grid->GetCellTypesArray() || grid->GetCellTypesArray()->GetNumberOfValues() != grid->GetNumberOfCells())
    throw bad_input(place, "the cells do not have a type each: `types` is damaged");
  VtkCells cells = cells_of(*grid);
  check_offsets(cells, place);
  return cells;
}

}  // namespace

MeshData read_vtu(const std::filesystem::path& file, ElementKind wanted) {
  check_head(file);
  try {
    return wanted_vtk_cells(read_cells(file), wanted, file);
  } catch (const std::bad_alloc&) {
    throw bad_input({file.string(), 0, 0}, "VTK runs out of memory in this file: it is damaged, or too large for a rank");
  } catch (const std::length_error&) {
    throw bad_input({file.string(), 0, 0}, "VTK meets an impossible size in this file: it is damaged");
  }
}

}  // namespace unbarred
