#include <algorithm>
#include <cmath>
#include <sstream>

#include "io/mesh/surface_readers.hpp"
#include "io/text/byte_order.hpp"
#include "io/text/text_scanner.hpp"

namespace unbarred {

namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct Property {
  std::string name;
  Type type = Type::float32;
  bool is_list = false;
  Type count_type = Type::uint8;
};

struct Element {
  std::string name;
  GlobalIndex count = 0;
  std::vector<Property> properties;
};

class PlyReader {
 public:
  explicit PlyReader(const std::filesystem::path& file) : text_(file) { data_.kind = ElementKind::triangles; }

  MeshData read() {
    read_head();
    for (const Element& element : elements_) {
      if (element.properties.empty()) continue;
      if (element.name == "vertex") read_vertices(element);
      else if (element.name == "face") read_faces(element);
      else skip(element);
    }
    if (data_.positions.empty()) throw bad_input(text_.place(), "the file has no vertices: it is truncated or empty");
    count_vertices_from(0, data_);
    return std::move(data_);
  }

 private:
  void read_head() {
    if (text_.line() != "ply")
      throw bad_input({text_.place().file, 1, 0}, "this is no PLY file: it does not start with `ply`");
    for (;;) {
      if (text_.at_end()) throw bad_input(text_.place(), "the file ends before end_header: it is truncated");
      place_ = text_.place();
      std::istringstream line(text_.line());
      std::string key;
      line >> key;
      if (key == "end_header") return;
      if (key == "format") read_format(line);
      else if (key == "element") read_element(line);
      else if (key == "property") read_property(line);
      else if (key != "comment" && key != "obj_info")
        throw bad_input(place_, "a line of a PLY head expected here, not `" + printable(key) + "`");
    }
  }

  void read_format(std::istringstream& line) {
    std::string format;
    line >> format;
    binary_ = format != "ascii";
    if (binary_ && format != "binary_little_endian" && format != "binary_big_endian")
      throw bad_input(place_, "PLY format `" + printable(format) + "` is not read");
    swapped_ = (format == "binary_big_endian") != big_endian;
  }

  void read_element(std::istringstream& line) {
    Element element;
    line >> element.name >> element.count;
    if (!line || element.count < 0 || element.count > GlobalIndex{1} << 50)
      throw bad_input(place_, "an element needs a name and a count");
    elements_.push_back(element);
  }

  void read_property(std::istringstream& line) {
    if (elements_.empty()) throw bad_input(place_, "a property before the first element");
    Property property;
    std::string type;
    line >> type;
    property.is_list = type == "list";
    if (property.is_list) {
      line >> type;
      property.count_type = type_called(type);
      if (property.count_type >= Type::float32) throw bad_input(place_, "the length of a list must be a whole number");
      line >> type;
    }
    property.type = type_called(type);
    line >> property.name;
    elements_.back().properties.push_back(property);
  }

  Type type_called(const std::string& name) const {
    static constexpr std::string_view names[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                                    {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                                    {"float", "float32"}, {"double", "float64"}};
    for (std::size_t i = 0; i < std::size(names); ++i)
      if (name == names[i][0] || name == names[i][1]) return static_cast<Type>(i);
    throw bad_input(place_, "PLY type `" + printable(name) + "` is not known");
  }

  template <class T>
  Real raw(const char* what) {
    T value;
    text_.bytes(&value, sizeof value, what);
    return static_cast<Real>(swapped_ ? byte_swapped(value) : value);
  }

  /// Exact for all types.
  Real value(Type type, const char* what) {
    if (!binary_) return type >= Type::float32 ? text_.number(what) : static_cast<Real>(text_.integer(what));
    switch (type) {
      case Type::int8:
        return raw<std::int8_t>(what);
      case Type::uint8:
        return raw<std::uint8_t>(what);
      case Type::int16:
        return raw<std::int16_t>(what);
      case Type::uint16:
        return raw<std::uint16_t>(what);
      case Type::int32:
        return raw<std::int32_t>(what);
      case Type::uint32:
        return raw<std::uint32_t>(what);
      case Type::float32:
        return raw<float>(what);
      default:
        return raw<double>(what);
    }
  }

  GlobalIndex list_length(const Property& property) {
    const Real length = value(property.count_type, "length of a list");
    if (length < 0 || length > 4294967295.0) throw bad_input(text_.place(), "length of a list is out of range");
    return static_cast<GlobalIndex>(length);
  }

  void skip(const Property& property) {
    const GlobalIndex length = property.is_list ? list_length(property) : 1;
    for (GlobalIndex i = 0; i < length; ++i) {
      if (binary_) value(property.type, "value");
      else if (text_.word().empty())
        throw bad_input(text_.place(), "the file ends before its last value: it is truncated");
    }
  }

  void skip(const Element& element) {
    for (GlobalIndex i = 0; i < element.count; ++i)
      for (const Property& property : element.properties) skip(property);
    if (element.name == "edge") data_.ignored_elements += element.count;
  }

  void read_vertices(const Element& element) {
    int axes = 0;
    for (const Property& p : element.properties)
      axes += !p.is_list && (p.name == "x" || p.name == "y" || p.name == "z");
    if (axes != 3) throw bad_input(text_.place(), "the vertices must have the properties x, y and z");
    for (GlobalIndex i = 0; i < element.count; ++i) {
      Vec3 x{};
      for (const Property& p : element.properties) {
        const bool is_axis = !p.is_list && p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z';
        if (!is_axis) skip(p);
        else x[p.name[0] - 'x'] = coordinate(p.type, i);
      }
      data_.positions.push_back(x);
    }
  }

  Real coordinate(Type type, GlobalIndex vertex) {
    const Real x = value(type, "coordinate");
    if (!std::isfinite(x))
      throw bad_input(text_.place(),
                      "vertex " + std::to_string(vertex) + " has a coordinate that is not a finite number");
    return x;
  }

  void read_faces(const Element& element) {
    const auto corners_of = [](const Property& p) { return p.name == "vertex_indices" || p.name == "vertex_index"; };
    const auto found = std::find_if(element.properties.begin(), element.properties.end(), corners_of);
    if (found == element.properties.end() || !found->is_list || found->type >= Type::float32)
      throw bad_input(text_.place(), "the faces must have a list of integers `vertex_indices`");
    for (GlobalIndex face = 0; face < element.count; ++face)
      for (const Property& p : element.properties) {
        if (&p == &*found) read_face(p, face);
        else skip(p);
      }
  }

  void read_face(const Property& property, GlobalIndex face) {
    const GlobalIndex corners = list_length(property);
    if (corners < 3)
      throw bad_input(text_.place(), "face " + std::to_string(face) + " has " + std::to_string(corners) + " corners");
    GlobalIndex first = -1, previous = -1;
    for (GlobalIndex i = 0; i < corners; ++i) {
      const Real given = value(property.type, "corner of a face");
      if (given < 0 || given >= static_cast<Real>(data_.positions.size()))
        throw bad_input(text_.place(), "face " + std::to_string(face) + " uses a vertex beyond the " +
                                           std::to_string(data_.positions.size()) + " of the file");
      const auto v = static_cast<GlobalIndex>(given);
      if (i == 0) first = v;
      if (i >= 2) data_.elements.push_back({{first, previous, v, -1}, face, -1});
      previous = v;
    }
  }

  TextScanner text_;
  Place place_;
  bool binary_ = false, swapped_ = false;
  std::vector<Element> elements_;
  MeshData data_;
};

}  // namespace

MeshData read_ply(const std::filesystem::path& file) { return PlyReader(file).read(); }

}  // namespace unbarred
