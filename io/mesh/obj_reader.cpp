#include <charconv>
#include <cmath>

#include "io/mesh/surface_readers.hpp"
#include "io/text/text_scanner.hpp"

namespace unbarred {

namespace {

/// The words of one line.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}
  std::string_view next() {
    const auto begin = rest_.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    rest_.remove_prefix(begin);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\r"));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

class ObjReader {
 public:
  explicit ObjReader(const std::filesystem::path& file) : text_(file) { data_.kind = ElementKind::triangles; }

  MeshData read() {
    while (!text_.at_end()) {
      place_ = text_.place();
      const std::string line = text_.line();
      Words words(line);
      const std::string_view key = words.next();
      if (key == "v") read_vertex(words);
      else if (key == "f") read_face(words);
      else if (key == "l" || key == "p") ++data_.ignored_elements;
      else if (!std::isalpha(static_cast<unsigned char>(key[0])) && key[0] != '#')
        throw bad_input(place_, "a keyword (v, f, ...) expected here, not `" + printable(key) + "`");
    }
    if (data_.positions.empty()) throw bad_input(text_.place(), "the file has no vertices: it is truncated or empty");
    return std::move(data_);
  }

 private:
  template <class T>
  T parse(std::string_view word, const char* what, const char* expected) const {
    T value{};
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    bool good = !word.empty() && status == std::errc() && end == word.data() + word.size();
    if constexpr (std::is_same_v<T, Real>) good = good && std::isfinite(value);
    if (!good) throw bad_input(place_, std::string(what) + ": `" + printable(word) + "` is not " + expected);
    return value;
  }

  void read_vertex(Words& words) {
    Vec3 x;
    for (int axis = 0; axis < 3; ++axis) {
      const std::string_view word = words.next();
      x[axis] = parse<Real>(word.substr(word.starts_with('+') ? 1 : 0), "coordinate", "a finite number");
    }
    data_.positions.push_back(x);
  }

  /// Corners v, v/vt, v/vt/vn or v//vn; negative ones count back from the last vertex.
  void read_face(Words& words) {
    ++faces_;
    std::vector<GlobalIndex> corners;
    for (std::string_view word = words.next(); !word.empty() && word[0] != '#'; word = words.next()) {
      const auto number = parse<GlobalIndex>(word.substr(0, word.find('/')), "corner of a face", "a whole number");
      const auto before = static_cast<GlobalIndex>(data_.positions.size());
      if (number == 0 || number < -before)
        throw bad_input(place_, "face " + std::to_string(faces_) + " uses the vertex " + std::to_string(number) +
                                    ", which the file does not have");
      corners.push_back(number > 0 ? number - 1 : before + number);
    }
    if (corners.size() < 3) throw bad_input(place_, "face " + std::to_string(faces_) + " has fewer than three corners");
    for (std::size_t i = 2; i < corners.size(); ++i)
      data_.elements.push_back({{corners[0], corners[i - 1], corners[i], -1}, faces_, -1});
  }

  TextScanner text_;
  Place place_;
  MeshData data_;
  GlobalIndex faces_ = 0;
};

}  // namespace

void check_corners(const MeshData& data, const std::filesystem::path& file) {
  for (const FileElement& element : data.elements)
    for (int i = 0; i < 3; ++i)
      if (element.v[i] < 0 || element.v[i] >= static_cast<GlobalIndex>(data.positions.size()))
        throw bad_input({file.string(), 0, 0}, "face " + std::to_string(element.id) + " uses a vertex beyond the " +
                                                   std::to_string(data.positions.size()) + " of the file");
}

MeshData read_obj(const std::filesystem::path& file) {
  MeshData data = ObjReader(file).read();
  check_corners(data, file);
  count_vertices_from(1, data);
  return data;
}

}  // namespace unbarred
