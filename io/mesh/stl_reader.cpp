#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "io/mesh/surface_readers.hpp"
#include "io/text/byte_order.hpp"
#include "io/text/text_scanner.hpp"

namespace unbarred {

namespace {

class StlReader {
 public:
  explicit StlReader(const std::filesystem::path& file) : file_(file), text_(file) {
    data_.kind = ElementKind::triangles;
  }

  MeshData read() {
    if (is_binary()) read_binary();
    else read_ascii();
    count_vertices_from(1, data_);
    return std::move(data_);
  }

 private:
  static constexpr std::size_t head_bytes = 84, facet_bytes = 50;

  /// By the size that its count demands: binary files, too, may start with "solid".
  bool is_binary() {
    std::array<char, head_bytes> head{};
    std::ifstream stream(file_, std::ios::binary);
    stream.read(head.data(), head.size());
    const bool solid = std::string_view(head.data(), 5) == "solid";
    if (stream.gcount() < static_cast<std::streamsize>(head.size())) {
      if (solid) return false;
      throw bad_input({file_.string(), 1, 0},
                      "this is no STL file: it is too short for a binary one and does not start "
                      "with `solid`");
    }
    std::memcpy(&facets_, head.data() + 80, sizeof facets_);
    if (big_endian) facets_ = byte_swapped(facets_);
    const std::uintmax_t expected = head_bytes + facet_bytes * std::uintmax_t{facets_};
    const std::uintmax_t size = std::filesystem::file_size(file_);
    if (size == expected) return true;
    if (solid) return false;
    throw bad_input({file_.string(), 0, 0}, "a binary STL of " + std::to_string(facets_) + " facets has " +
                                                std::to_string(expected) + " bytes, this file has " +
                                                std::to_string(size) + ": it is truncated or damaged");
  }

  void read_binary() {
    std::array<char, head_bytes> head;
    text_.bytes(head.data(), head.size(), "the head");
    std::array<char, facet_bytes> facet;
    for (std::uint32_t f = 0; f < facets_; ++f) {
      text_.bytes(facet.data(), facet.size(), "a facet");
      GlobalIndex corners[3];
      for (std::size_t i = 0; i < 3; ++i) {
        float x[3];
        std::memcpy(x, facet.data() + 12 * (i + 1), sizeof x);
        if (big_endian)
          for (float& value : x) value = byte_swapped(value);
        corners[i] = add_vertex({{x[0], x[1], x[2]}}, {file_.string(), 0, 0});
      }
      add_triangle(corners);
    }
  }

  void read_ascii() {
    expect("solid");
    text_.line();
    for (std::string word(text_.word()); word != "endsolid"; word = text_.word()) {
      if (word != "facet") fail(word, "facet or endsolid");
      for (int i = 0; i < 4; ++i) text_.word();  // the normal, which follows from the corners
      expect("outer");
      expect("loop");
      GlobalIndex corners[3];
      for (GlobalIndex& corner : corners) {
        expect("vertex");
        Vec3 x;
        for (int axis = 0; axis < 3; ++axis) x[axis] = text_.number("coordinate");
        corner = add_vertex(x, text_.place());
      }
      expect("endloop");
      expect("endfacet");
      add_triangle(corners);
    }
    if (text_.line(), !text_.at_end())
      throw bad_input(text_.place(),
                      "a second solid, or text after the first: write each solid into a file of its own");
  }

  void expect(const char* word) {
    const std::string found(text_.word());
    if (found != word) fail(found, word);
  }
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    throw bad_input(text_.place(), found.empty() ? "the file ends before " + expected + ": it is truncated"
                                                 : expected + " expected here, not `" + printable(found) + "`");
  }

  struct Hash {
    std::size_t operator()(const std::array<std::uint64_t, 3>& key) const {
      std::uint64_t h = 0;
      for (const std::uint64_t k : key) h = (h ^ k ^ (h >> 29)) * 0x9e3779b97f4a7c15u;
      return h ^ (h >> 32);
    }
  };

  GlobalIndex add_vertex(const Vec3& x, const Place& place) {
    std::array<std::uint64_t, 3> key;
    for (int axis = 0; axis < 3; ++axis) {
      if (!std::isfinite(x[axis]))
        throw bad_input(place, "facet " + std::to_string(data_.elements.size() + 1) +
                                   " has a coordinate that is not a finite number");
      key[static_cast<std::size_t>(axis)] = std::bit_cast<std::uint64_t>(x[axis] + 0.0);  // -0 is 0
    }
    const auto [found, is_new] = numbers_.emplace(key, static_cast<GlobalIndex>(data_.positions.size()));
    if (is_new) data_.positions.push_back(x);
    return found->second;
  }

  void add_triangle(const GlobalIndex (&corners)[3]) {
    const auto id = static_cast<GlobalIndex>(data_.elements.size()) + 1;
    data_.elements.push_back({{corners[0], corners[1], corners[2], -1}, id, -1});
  }

  const std::filesystem::path file_;
  TextScanner text_;
  std::uint32_t facets_ = 0;
  MeshData data_;
  std::unordered_map<std::array<std::uint64_t, 3>, GlobalIndex, Hash> numbers_;
};

}  // namespace

MeshData read_stl(const std::filesystem::path& file) { return StlReader(file).read(); }

}  // namespace unbarred
