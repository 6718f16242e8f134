#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "io/mesh/vtk_reader.hpp"

namespace unbarred {

namespace {

// Numbers of vtkCellType.h.
constexpr int triangle = 5, strip = 6, polygon = 7, pixel = 8, quad = 9, tetra = 10;

template <std::size_t n>
bool is_one_of(int type, const int (&types)[n]) {
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

bool is_curved_surface(int type) { return is_one_of(type, {22, 23, 28, 30, 34, 36, 63, 64, 69, 70, 76, 77}); }

/// Points, lines and surfaces.
bool has_no_volume(int type) { return type < tetra || is_one_of(type, {21, 35, 68, 75}) || is_curved_surface(type); }

const char* hint(int type) {
  if (is_one_of(type, {24, 71, 78})) return " (tetrahedra of higher order) is not supported: save linear ones";
  if (is_one_of(type, {11, 12, 25, 29, 33, 72, 79}))
    return " (hexahedra) is not supported: mesh the volume with tetrahedra, or split the hexahedra "
           "(ParaView: Tetrahedralize)";
  if (is_curved_surface(type)) return " (a surface of higher order) is not supported: save linear triangles";
  return " is not supported: mesh the volume with tetrahedra (ParaView: Tetrahedralize)";
}

class CellSorter {
 public:
  CellSorter(VtkCells cells, ElementKind wanted, const std::filesystem::path& file)
      : cells_(std::move(cells)), wanted_(wanted), place_{file.string(), 0, 0} {}

  MeshData sort() {
    data_.kind = wanted_;
    check_points();
    for (std::size_t c = 0; c < cells_.types.size(); ++c) add_cell(c);
    data_.positions = std::move(cells_.points);
    count_vertices_from(0, data_);
    return std::move(data_);
  }

 private:
  void check_points() const {
    for (std::size_t v = 0; v < cells_.points.size(); ++v)
      for (const Real x : cells_.points[v].x)
        if (!std::isfinite(x))
          throw bad_input(place_, "point " + std::to_string(v) + " has a coordinate that is not a finite number");
  }

  void add_cell(std::size_t c) {
    const int type = cells_.types[c];
    const bool volume = wanted_ == ElementKind::tetrahedra;
    if (volume ? type != tetra && !has_no_volume(type) : is_curved_surface(type))
      throw bad_input(place_, "cell " + std::to_string(c) + ": VTK cell type " + std::to_string(type) + hint(type));
    const GlobalIndex* v = cells_.connectivity.data() + cells_.offsets[c];
    const GlobalIndex corners = cells_.offsets[c + 1] - cells_.offsets[c];
    if (volume ? type != tetra : type < triangle || type > quad) {
      ++data_.ignored_elements;
      return;
    }
    const GlobalIndex least = volume ? 4 : 3;
    const bool exactly = type == tetra || type == triangle, four = type == quad || type == pixel;
    if (corners < least || (exactly && corners != least) || (four && corners != 4))
      throw bad_input(place_, "cell " + std::to_string(c) + " of type " + std::to_string(type) + " has " +
                                  std::to_string(corners) + " points");
    for (GlobalIndex i = 0; i < corners; ++i)
      if (v[i] < 0 || v[i] >= static_cast<GlobalIndex>(cells_.points.size()))
        throw bad_input(place_, "cell " + std::to_string(c) + " uses the point " + std::to_string(v[i]) +
                                    ", which the file does not have");
    if (volume) add(c, v[0], v[1], v[2], v[3]);
    else add_surface_cell(c, type, v, corners);
  }

  void add_surface_cell(std::size_t c, int type, const GlobalIndex* v, GlobalIndex corners) {
    if (type == pixel) {
      add(c, v[0], v[1], v[3]);
      add(c, v[0], v[3], v[2]);
      return;
    }
    for (GlobalIndex i = 2; i < corners; ++i) {
      if (type != strip) add(c, v[0], v[i - 1], v[i]);
      else if (i % 2 == 0) add(c, v[i - 2], v[i - 1], v[i]);
      else add(c, v[i - 1], v[i - 2], v[i]);
    }
  }

  void add(std::size_t c, GlobalIndex v0, GlobalIndex v1, GlobalIndex v2, GlobalIndex v3 = -1) {
    std::int32_t region = -1;
    if (!cells_.regions.empty()) {
      const GlobalIndex number = cells_.regions[c];
      const auto [found, is_new] = regions_.emplace(number, static_cast<std::int32_t>(regions_.size()));
      if (is_new) data_.region_names.push_back(std::to_string(number));
      region = found->second;
    }
    data_.elements.push_back({{v0, v1, v2, v3}, static_cast<GlobalIndex>(c), region});
  }

  VtkCells cells_;
  const ElementKind wanted_;
  const Place place_;
  MeshData data_;
  std::map<GlobalIndex, std::int32_t> regions_;
};

}  // namespace

MeshData wanted_vtk_cells(VtkCells cells, ElementKind wanted, const std::filesystem::path& file) {
  return CellSorter(std::move(cells), wanted, file).sort();
}

}  // namespace unbarred
