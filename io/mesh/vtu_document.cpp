#include "io/mesh/vtu_document.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "io/text/byte_order.hpp"
#include "io/text/files.hpp"
#include "io/text/text_scanner.hpp"

namespace unbarred {

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string VtuArray::attribute(const std::string& name) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? "" : found->second;
}

const VtuArray* VtuPiece::find(const std::string& section, const std::string& name) const {
  for (const VtuArray& array : arrays)
    if (array.section == section && (name.empty() || array.attribute("Name") == name)) return &array;
  return nullptr;
}

VtuDocument::VtuDocument(const std::filesystem::path& file) : name_(file.string()) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw bad_input({name_, 0, 0}, "cannot open this file: check the path and its permissions");
  text_ = read_file(file);
  parse();
}

Place VtuDocument::place(std::size_t at) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size()));
  return {name_, 1 + static_cast<int>(std::count(text_.begin(), end, '\n')), 0};
}

void VtuDocument::parse() {
  std::string section;
  bool is_vtk = false;
  for (std::size_t at = 0; (at = text_.find('<', at)) != std::string::npos;) {
    if (text_.compare(at, 2, "<?") == 0 || text_.compare(at, 2, "<!") == 0) {
      at = text_.find(text_[at + 1] == '?' ? "?>" : "-->", at);
      continue;
    }
    const Tag tag = next_tag(at);
    if (!is_vtk && tag.name != "VTKFile") break;
    if (tag.name == "VTKFile") is_vtk = true, open_file(tag);
    else if (tag.name == "Piece") open_piece(tag);
    else if (tag.name == "DataArray" && !pieces_.empty())
      pieces_.back().arrays.push_back({section, tag.attributes, tag.end});
    else if (tag.name == "AppendedData") {
      const auto encoding = tag.attributes.find("encoding");
      appended_base64_ = encoding != tag.attributes.end() && encoding->second == "base64";
      const std::size_t underscore = text_.find('_', tag.end);
      if (underscore != std::string::npos) appended_ = underscore + 1;
      break;
    } else if (tag.name[0] != '/' && tag.name != "DataArray" && tag.name != "InformationKey") {
      section = tag.name;
    }
    at = tag.end;
  }
  if (!is_vtk) throw bad_input({name_, 1, 0}, "this is no VTU file: it does not start with <VTKFile>");
  if (pieces_.empty()) throw bad_input(place(text_.size()), "the file has no <Piece>: it is truncated or empty");
}

VtuDocument::Tag VtuDocument::next_tag(std::size_t at) const {
  const auto fail = [&](std::size_t where) -> Error {
    return bad_input(place(where), where >= text_.size() ? "the file ends inside of a tag: it is truncated"
                                                         : "this tag is damaged: name=\"value\" expected");
  };
  const auto skip = [&](std::size_t from, auto&& belongs) {
    while (from < text_.size() && belongs(text_[from])) ++from;
    return from;
  };
  const auto is_name = [](char c) { return !is_blank(c) && c != '>' && c != '=' && c != '<' && c != '"'; };
  Tag tag;
  std::size_t end = skip(at + 1, [&](char c) { return is_name(c); });
  tag.name = text_.substr(at + 1, end - at - 1);
  if (tag.name.empty()) throw fail(end);
  if (tag.name.back() == '/') tag.name.pop_back();
  for (at = end;;) {
    at = skip(at, is_blank);
    if (at < text_.size() && text_[at] == '/') ++at;
    if (at < text_.size() && text_[at] == '>') break;
    end = skip(at, is_name);
    if (end == at || end + 1 >= text_.size() || text_[end] != '=' || text_[end + 1] != '"') throw fail(end);
    const std::size_t quote = text_.find('"', end + 2);
    if (quote == std::string::npos) throw fail(quote);
    tag.attributes[text_.substr(at, end - at)] = text_.substr(end + 2, quote - end - 2);
    at = quote + 1;
  }
  if (tag.name.empty()) throw fail(at);
  tag.end = at + 1;
  return tag;
}

void VtuDocument::open_file(const Tag& tag) {
  const auto value = [&](const char* name) {
    const auto found = tag.attributes.find(name);
    return found == tag.attributes.end() ? std::string() : found->second;
  };
  if (value("type") != "UnstructuredGrid")
    throw bad_input(place(tag.end), "<VTKFile> of type `" + printable(value("type")) +
                                        "` is not read: save an "
                                        "UnstructuredGrid");
  swapped_ = (value("byte_order") == "BigEndian") != big_endian;
  header_bytes_ = value("header_type") == "UInt64" ? 8 : 4;
  compressor_ = value("compressor");
}

GlobalIndex VtuDocument::count(const Tag& tag, const std::string& attribute) const {
  const auto found = tag.attributes.find(attribute);
  GlobalIndex value = -1;
  if (found != tag.attributes.end())
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  if (value < 0) throw bad_input(place(tag.end), "<Piece> has no " + attribute);
  return value;
}

void VtuDocument::open_piece(const Tag& tag) {
  pieces_.push_back({count(tag, "NumberOfPoints"), count(tag, "NumberOfCells"), {}});
}

std::vector<Real> VtuDocument::reals(const VtuArray& array) const { return values<Real>(array); }
std::vector<GlobalIndex> VtuDocument::integers(const VtuArray& array) const { return values<GlobalIndex>(array); }

template <class T>
std::vector<T> VtuDocument::text_values(const VtuArray& array) const {
  std::vector<T> result;
  const std::size_t end = std::min(text_.find('<', array.content), text_.size());
  for (std::size_t at = array.content;;) {
    while (at < end && is_blank(text_[at])) ++at;
    if (at == end) return result;
    T value{};
    const auto [rest, status] = std::from_chars(text_.data() + at, text_.data() + end, value);
    if (status != std::errc() || (rest < text_.data() + end && !is_blank(*rest))) {
      const auto word = std::find_if(text_.begin() + static_cast<std::ptrdiff_t>(at), text_.end(), is_blank);
      throw bad_input(place(at), "`" + printable({&text_[at], static_cast<std::size_t>(word - text_.begin()) - at}) +
                                     "` is not a number of `" + printable(array.attribute("Name")) + "`");
    }
    result.push_back(value);
    at = static_cast<std::size_t>(rest - text_.data());
  }
}

template <class From, class T>
static void convert(const std::string& bytes, bool swapped, std::vector<T>& into) {
  into.reserve(bytes.size() / sizeof(From));
  for (std::size_t at = 0; at + sizeof(From) <= bytes.size(); at += sizeof(From)) {
    From value;
    std::copy_n(bytes.data() + at, sizeof value, reinterpret_cast<char*>(&value));
    into.push_back(static_cast<T>(swapped ? byte_swapped(value) : value));
  }
}

template <class T>
std::vector<T> VtuDocument::values(const VtuArray& array) const {
  if (array.attribute("format") == "ascii") return text_values<T>(array);
  const std::string bytes = bytes_of(array), type = array.attribute("type");
  std::vector<T> result;
  if (type == "Float64" && std::is_same_v<T, Real>) convert<double>(bytes, swapped_, result);
  else if (type == "Float32" && std::is_same_v<T, Real>) convert<float>(bytes, swapped_, result);
  else if (type == "Int64") convert<std::int64_t>(bytes, swapped_, result);
  else if (type == "UInt64") convert<std::uint64_t>(bytes, swapped_, result);
  else if (type == "Int32") convert<std::int32_t>(bytes, swapped_, result);
  else if (type == "UInt32") convert<std::uint32_t>(bytes, swapped_, result);
  else if (type == "Int16") convert<std::int16_t>(bytes, swapped_, result);
  else if (type == "UInt16") convert<std::uint16_t>(bytes, swapped_, result);
  else if (type == "Int8") convert<std::int8_t>(bytes, swapped_, result);
  else if (type == "UInt8") convert<std::uint8_t>(bytes, swapped_, result);
  else throw bad_input(place(array.content), "values of type `" + printable(type) + "` are not read here");
  return result;
}

}  // namespace unbarred
