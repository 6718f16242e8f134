#pragma once
// A VTU file as a list of its arrays, and the values of each. Our own parser, because VTK's crashes on damaged files
// (9.1: division by zero for a block size of 0).
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace unbarred {

struct VtuArray {
  std::string section;                            ///< Points, Cells, CellData, ...: what it stands in
  std::map<std::string, std::string> attributes;  ///< Name, type, format, offset, ...
  std::size_t content = 0;                        ///< where its own text starts in the file

  /// "" when it is not given.
  std::string attribute(const std::string& name) const;
};

struct VtuPiece {
  GlobalIndex points = 0, cells = 0;
  std::vector<VtuArray> arrays;

  /// nullptr when there is none.
  const VtuArray* find(const std::string& section, const std::string& name) const;
};

class VtuDocument {
 public:
  /// Reads the file and parses its tags. Throws Error(bad_input) with the line.
  explicit VtuDocument(const std::filesystem::path& file);

  const std::vector<VtuPiece>& pieces() const { return pieces_; }
  /// ASCII, binary or appended, raw or base64, compressed or not, of either byte order. Throws Error(bad_input).
  std::vector<Real> reals(const VtuArray& array) const;
  std::vector<GlobalIndex> integers(const VtuArray& array) const;

 private:
  struct Tag {
    std::string name;  ///< "/Name" for a closing one
    std::map<std::string, std::string> attributes;
    std::size_t end = 0;  ///< behind its >
  };
  void parse();
  Tag next_tag(std::size_t at) const;
  void open_file(const Tag& tag);
  void open_piece(const Tag& tag);
  GlobalIndex count(const Tag& tag, const std::string& attribute) const;
  Place place(std::size_t at) const;

  template <class T>
  std::vector<T> values(const VtuArray& array) const;
  template <class T>
  std::vector<T> text_values(const VtuArray& array) const;
  std::string bytes_of(const VtuArray& array) const;
  std::string plain_bytes(std::size_t at, bool base64) const;
  std::string unpacked_bytes(std::size_t at, bool base64) const;
  std::string take(std::size_t& at, std::uint64_t bytes, bool base64) const;
  std::uint64_t header_number(const std::string& bytes, std::size_t index) const;

  std::string name_, text_;
  std::vector<VtuPiece> pieces_;
  bool swapped_ = false;
  std::size_t header_bytes_ = 4;
  std::string compressor_;
  std::size_t appended_ = std::string::npos;  ///< first byte behind the underscore
  bool appended_base64_ = false;
};

}  // namespace unbarred
