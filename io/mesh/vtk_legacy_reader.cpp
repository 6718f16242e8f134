#include <algorithm>
#include <array>
#include <cmath>

#include "io/mesh/vtk_reader.hpp"
#include "io/text/byte_order.hpp"
#include "io/text/text_scanner.hpp"

namespace unbarred {

namespace {

std::string lowered(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Numbers of a legacy VTK file: text, or binary with the high byte first.
class LegacyValues {
 public:
  explicit LegacyValues(const std::filesystem::path& file) : text(file) {}

  /// Calls put(value) for `count` numbers of the type called `type`, which start on the next line.
  template <class Put>
  void for_each_number(GlobalIndex count, const std::string& type, const char* what, const Put& put) {
    if (!binary) {
      for (GlobalIndex i = 0; i < count; ++i) put(text.number(what));
      return;
    }
    if (type != "float" && type != "double") return for_each_integer(count, type, what, put);
    text.skip_line();
    if (type == "float") raw<float>(count, what, put);
    else raw<double>(count, what, put);
  }

  /// As above, for whole numbers.
  template <class Put>
  void for_each_integer(GlobalIndex count, const std::string& type, const char* what, const Put& put) {
    if (!binary) {
      for (GlobalIndex i = 0; i < count; ++i) put(text.integer(what));
      return;
    }
    text.skip_line();
    if (type == "int" || type == "vtktypeint32" || type == "vtkidtype") raw<std::int32_t>(count, what, put);
    else if (type == "vtktypeint64" || type == "long") raw<std::int64_t>(count, what, put);
    else if (type == "char" || type == "unsigned_char") raw<unsigned char>(count, what, put);
    else if (type == "short" || type == "unsigned_short") raw<std::int16_t>(count, what, put);
    else if (type == "unsigned_int") raw<std::uint32_t>(count, what, put);
    else throw bad_input(text.place(), std::string(what) + ": values of type `" + printable(type) + "` are not read");
  }

  TextScanner text;
  bool binary = false;

 private:
  template <class T, class Put>
  void raw(GlobalIndex count, const char* what, const Put& put) {
    std::array<T, 4096> values;
    for (GlobalIndex done = 0; done < count;) {
      const auto part = static_cast<std::size_t>(std::min<GlobalIndex>(count - done, values.size()));
      text.bytes(values.data(), part * sizeof(T), what);
      for (std::size_t i = 0; i < part; ++i) put(big_endian ? values[i] : byte_swapped(values[i]));
      done += static_cast<GlobalIndex>(part);
    }
  }
};

class LegacyReader {
 public:
  explicit LegacyReader(const std::filesystem::path& file) : values_(file) {}

  VtkCells read() {
    read_head();
    cells_.offsets.push_back(0);
    for (std::string section = next_word(); !section.empty() && section != "point_data" && section != "cell_data";
         section = next_word())
      read_section(section);
    if (cells_.points.empty()) throw bad_input(place(), "the file has no POINTS: it is truncated or empty");
    if (!polygons_ && cells_.types.size() + 1 != cells_.offsets.size())
      throw bad_input(place(), "the file has " + std::to_string(cells_.offsets.size() - 1) + " cells but " +
                                   std::to_string(cells_.types.size()) + " cell types: it is truncated");
    return std::move(cells_);
  }

 private:
  static constexpr GlobalIndex largest_count = GlobalIndex{1} << 50;

  Place place() const { return values_.text.place(); }
  std::string next_word() { return lowered(std::string(values_.text.word())); }

  void read_head() {
    TextScanner& text = values_.text;
    if (!text.line().starts_with("# vtk DataFile Version"))
      throw bad_input({place().file, 1, 0},
                      "this is no legacy VTK file: it does not start with `# vtk DataFile Version`");
    text.line();  // title
    const std::string format = next_word();
    if (format != "ascii" && format != "binary")
      throw bad_input(place(), "ASCII or BINARY expected here, not `" + printable(format) + "`");
    values_.binary = format == "binary";
    expect("dataset");
    const std::string dataset = next_word();
    if (dataset != "unstructured_grid" && dataset != "polydata")
      throw bad_input(place(), "DATASET `" + printable(dataset) +
                                   "` is not read: save an unstructured grid of "
                                   "tetrahedra, or polygons for a surface");
    polygons_ = dataset == "polydata";
  }

  void expect(const std::string& word) {
    const std::string found = next_word();
    if (found == word) return;
    throw bad_input(place(), found.empty() ? "the file ends before " + word + ": it is truncated"
                                           : word + " expected here, not `" + printable(found) + "`");
  }

  GlobalIndex count(const char* what) {
    const GlobalIndex value = values_.text.integer(what);
    if (value < 0 || value > largest_count) throw bad_input(place(), std::string(what) + " is out of range");
    return value;
  }

  void read_section(const std::string& section) {
    if (section == "points") read_points();
    else if (section == "cells") read_cells(0);
    else if (section == "cell_types") read_types();
    else if (polygons_ && section == "vertices") read_cells(2);
    else if (polygons_ && section == "lines") read_cells(4);
    else if (polygons_ && section == "triangle_strips") read_cells(6);
    else if (polygons_ && section == "polygons") read_cells(7);
    else if (section == "field") skip_fields();
    else if (section == "metadata") skip_metadata();
    else
      throw bad_input(place(), "a section (POINTS, CELLS, CELL_TYPES) expected here, not `" + printable(section) + "`");
  }

  void read_points() {
    if (!cells_.points.empty()) throw bad_input(place(), "a second POINTS section");
    const GlobalIndex points = count("number of points");
    Vec3 x{};
    int axis = 0;
    values_.for_each_number(3 * points, next_word(), "coordinate", [&](auto value) {
      x[axis] = static_cast<Real>(value);
      if (++axis < 3) return;
      axis = 0;
      cells_.points.push_back(x);
    });
  }

  /// Up to version 4: n cells, each as a count and its points. Version 5: n offsets, then the points.
  /// type: of cells that are not named one by one.
  void read_cells(int type) {
    const GlobalIndex cells = count("number of cells"), size = count("size of the cell list");
    const std::string next = values_.text.peek_next_line();
    const std::size_t before = cells_.offsets.size();
    if (next.starts_with("OFFSETS")) read_offsets(cells, size);
    else read_counted_cells(cells, size);
    if (polygons_) cells_.types.resize(cells_.types.size() + (cells_.offsets.size() - before), type);
  }

  void read_counted_cells(GlobalIndex cells, GlobalIndex size) {
    GlobalIndex left = 0, found = 0;
    values_.for_each_integer(size, "int", "point of a cell", [&](GlobalIndex value) {
      if (left == 0) {
        if (value < 0 || value > size) throw bad_input(place(), "number of points of a cell is out of range");
        left = value;
        ++found;
      } else {
        cells_.connectivity.push_back(value);
        --left;
      }
      if (left == 0) cells_.offsets.push_back(static_cast<GlobalIndex>(cells_.connectivity.size()));
    });
    if (left > 0 || found != cells)
      throw bad_input(place(),
                      "the cell list has " + std::to_string(found) + " cells, its head says " + std::to_string(cells));
  }

  void read_offsets(GlobalIndex offsets, GlobalIndex size) {
    const auto base = static_cast<GlobalIndex>(cells_.connectivity.size());
    GlobalIndex previous = -1;
    expect("offsets");
    values_.for_each_integer(offsets, next_word(), "offset", [&](GlobalIndex value) {
      if (previous < 0 ? value != 0 : value < previous || value > size)
        throw bad_input(place(), "offset " + std::to_string(value) + " of a cell is out of order");
      if (previous >= 0) cells_.offsets.push_back(base + value);
      previous = value;
    });
    if (previous != size && !(previous < 0 && size == 0))
      throw bad_input(place(), "the last offset is not the size of the cell list");
    expect("connectivity");
    values_.for_each_integer(size, next_word(), "point of a cell",
                             [&](GlobalIndex value) { cells_.connectivity.push_back(value); });
  }

  void read_types() {
    const GlobalIndex types = count("number of cell types");
    values_.for_each_integer(types, "int", "cell type", [&](GlobalIndex value) {
      if (value < 0 || value > 255) throw bad_input(place(), "cell type " + std::to_string(value) + " does not exist");
      cells_.types.push_back(static_cast<int>(value));
    });
  }

  void skip_fields() {
    next_word();
    const GlobalIndex arrays = count("number of arrays");
    for (GlobalIndex i = 0; i < arrays; ++i) {
      next_word();
      const GlobalIndex components = count("number of components"), tuples = count("number of tuples");
      if (components * static_cast<Real>(tuples) > static_cast<Real>(largest_count))
        throw bad_input(place(), "size of a field is out of range");
      const std::string type = next_word();
      if (values_.binary) values_.for_each_number(components * tuples, type, "value of a field", [](auto) {});
      else
        for (GlobalIndex value = 0; value < components * tuples; ++value)
          if (values_.text.word().empty()) throw bad_input(place(), "the file ends in a field: it is truncated");
    }
  }

  void skip_metadata() {
    values_.text.skip_line();
    while (!values_.text.line().empty()) {
    }
  }

  LegacyValues values_;
  VtkCells cells_;
  bool polygons_ = false;
};

}  // namespace

MeshData read_vtk_legacy(const std::filesystem::path& file, ElementKind wanted) {
  return wanted_vtk_cells(LegacyReader(file).read(), wanted, file);
}

}  // namespace unbarred
