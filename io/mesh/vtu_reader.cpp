#include "core/error.hpp"
#include "io/mesh/vtk_reader.hpp"
#include "io/mesh/vtu_document.hpp"

namespace unbarred {

namespace {

class VtuReader {
 public:
  explicit VtuReader(const std::filesystem::path& file) : place_{file.string(), 0, 0}, document_(file) {}

  VtkCells read() {
    cells_.offsets.push_back(0);
    with_regions_ = true;
    for (const VtuPiece& piece : document_.pieces())
      with_regions_ = with_regions_ && (piece.cells == 0 || regions_of(piece));
    for (const VtuPiece& piece : document_.pieces()) add(piece);
    if (cells_.points.empty() || cells_.types.empty())
      throw bad_input(place_, "the file has no points or no cells: it is truncated or empty");
    return std::move(cells_);
  }

 private:
  static const VtuArray* regions_of(const VtuPiece& piece) {
    for (const char* name : {"region", "gmsh:physical"}) {
      const VtuArray* found = piece.find("CellData", name);
      if (found && !found->attribute("type").starts_with("Float")) return found;
    }
    return nullptr;
  }

  const VtuArray& array(const VtuPiece& piece, const char* section, const char* name) const {
    const VtuArray* found = piece.find(section, name);
    if (!found)
      throw bad_input(place_, std::string("the file has no array `") + name + "` in <" + section + ">: it is damaged");
    return *found;
  }

  std::vector<GlobalIndex> one_a_cell(const VtuPiece& piece, const VtuArray& array) const {
    std::vector<GlobalIndex> values = document_.integers(array);
    if (static_cast<GlobalIndex>(values.size()) != piece.cells)
      throw bad_input(place_, "array `" + array.attribute("Name") + "` has " + std::to_string(values.size()) +
                                  " values for " + std::to_string(piece.cells) + " cells");
    return values;
  }

  void add(const VtuPiece& piece) {
    if (piece.points == 0 && piece.cells == 0) return;
    const auto first = static_cast<GlobalIndex>(cells_.points.size());
    const std::vector<Real> x = document_.reals(array(piece, "Points", ""));
    if (static_cast<GlobalIndex>(x.size() / 3) != piece.points || x.size() % 3 != 0)
      throw bad_input(place_, "the array of points has " + std::to_string(x.size()) + " values for " +
                                  std::to_string(piece.points) + " points");
    for (std::size_t i = 0; i < x.size(); i += 3) cells_.points.push_back({{x[i], x[i + 1], x[i + 2]}});
    if (piece.cells == 0) return;
    for (const GlobalIndex type : one_a_cell(piece, array(piece, "Cells", "types")))
      cells_.types.push_back(static_cast<int>(type));
    if (with_regions_)
      for (const GlobalIndex region : one_a_cell(piece, *regions_of(piece))) cells_.regions.push_back(region);
    add_corners(piece, first);
  }

  void add_corners(const VtuPiece& piece, GlobalIndex first) {
    const std::vector<GlobalIndex> corners = document_.integers(array(piece, "Cells", "connectivity"));
    const auto base = static_cast<GlobalIndex>(cells_.connectivity.size());
    GlobalIndex previous = 0;
    for (const GlobalIndex end : one_a_cell(piece, array(piece, "Cells", "offsets"))) {
      if (end < previous || end > static_cast<GlobalIndex>(corners.size()))
        throw bad_input(place_, "the offset " + std::to_string(end) + " of a cell is out of order");
      cells_.offsets.push_back(base + end);
      previous = end;
    }
    for (const GlobalIndex corner : corners) {
      if (corner < 0 || corner >= piece.points)
        throw bad_input(place_, "a cell uses the point " + std::to_string(corner) + ", which the file does not have");
      cells_.connectivity.push_back(first + corner);
    }
  }

  const Place place_;
  const VtuDocument document_;
  VtkCells cells_;
  bool with_regions_ = false;
};

}  // namespace

MeshData read_vtu(const std::filesystem::path& file, ElementKind wanted) {
  return wanted_vtk_cells(VtuReader(file).read(), wanted, file);
}

}  // namespace unbarred
