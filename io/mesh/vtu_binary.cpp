// The binary part of VTU files: https://docs.vtk.org, "VTK XML Formats": a head of counts in front of every array,
// encoded as one with plain data, on its own with compressed data.
#include <vtkLZ4DataCompressor.h>
#include <vtkLZMADataCompressor.h>
#include <vtkSmartPointer.h>
#include <vtkZLibDataCompressor.h>

#include <charconv>
#include <cstring>

#include "io/mesh/vtk_silence.hpp"
#include "io/mesh/vtu_document.hpp"
#include "io/text/byte_order.hpp"
#include "io/text/text_scanner.hpp"

namespace unbarred {

static int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// The next bytes of the file, or of what its letters stand for; `at` goes behind them.
std::string VtuDocument::take(std::size_t& at, std::uint64_t bytes, bool base64) const {
  const std::uint64_t left = at < text_.size() ? text_.size() - at : 0;
  if (bytes > left) throw bad_input(place(at), "the file ends inside of an array: it is truncated or damaged");
  if (!base64) {
    at += bytes;
    return text_.substr(at - bytes, bytes);
  }
  const std::uint64_t letters = (bytes + 2) / 3 * 4;
  if (letters > left) throw bad_input(place(at), "the file ends inside of an array: it is truncated or damaged");
  std::string result;
  result.reserve(bytes + 2);
  for (std::uint64_t i = 0; i < letters; i += 4) {
    std::uint32_t group = 0;
    for (std::uint64_t k = 0; k < 4; ++k) {
      const char c = text_[at + i + k];
      const int digit = c == '=' && i + 4 == letters ? 0 : base64_digit(c);
      if (digit < 0) throw bad_input(place(at), "an array has a letter that is not of base64");
      group = group << 6 | static_cast<std::uint32_t>(digit);
    }
    for (const int shift : {16, 8, 0}) result += static_cast<char>(group >> shift & 255);
  }
  at += letters;
  result.resize(bytes);
  return result;
}

std::uint64_t VtuDocument::header_number(const std::string& bytes, std::size_t index) const {
  if (header_bytes_ == 8) {
    std::uint64_t value;
    std::memcpy(&value, bytes.data() + 8 * index, sizeof value);
    return swapped_ ? byte_swapped(value) : value;
  }
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + 4 * index, sizeof value);
  return swapped_ ? byte_swapped(value) : value;
}

std::string VtuDocument::bytes_of(const VtuArray& array) const {
  const std::string format = array.attribute("format");
  if (format == "binary") {
    const std::size_t at = text_.find_first_not_of(" \t\r\n", array.content);
    return compressor_.empty() ? plain_bytes(at, true) : unpacked_bytes(at, true);
  }
  if (format != "appended")
    throw bad_input(place(array.content), "format `" + printable(format) + "` of an array is not read");
  const std::string given = array.attribute("offset");
  std::size_t offset = 0;
  if (std::from_chars(given.data(), given.data() + given.size(), offset).ec != std::errc() ||
      appended_ == std::string::npos || offset > text_.size())
    throw bad_input(place(array.content), "the appended data of an array is missing: the file is truncated or damaged");
  const std::size_t at = appended_ + offset;
  return compressor_.empty() ? plain_bytes(at, appended_base64_) : unpacked_bytes(at, appended_base64_);
}

std::string VtuDocument::plain_bytes(std::size_t at, bool base64) const {
  std::size_t start = at;
  const std::uint64_t size = header_number(take(start, header_bytes_, base64), 0);
  if (size > text_.size()) throw bad_input(place(at), "an array is larger than the file: it is truncated or damaged");
  return take(at, header_bytes_ + size, base64).substr(header_bytes_);
}

static vtkSmartPointer<vtkDataCompressor> compressor_called(const std::string& name) {
  if (name == "vtkZLibDataCompressor") return vtkSmartPointer<vtkZLibDataCompressor>::New();
  if (name == "vtkLZ4DataCompressor") return vtkSmartPointer<vtkLZ4DataCompressor>::New();
  if (name == "vtkLZMADataCompressor") return vtkSmartPointer<vtkLZMADataCompressor>::New();
  return nullptr;
}

/// Number of blocks, size of a block, size of the last one (0: as the others), packed size of each; then the blocks.
std::string VtuDocument::unpacked_bytes(std::size_t at, bool base64) const {
  const Place here = place(at);
  const Error damaged = bad_input(here, "a compressed array is damaged");
  const vtkSmartPointer<vtkDataCompressor> compressor = compressor_called(compressor_);
  if (!compressor) throw bad_input(here, "compressor `" + printable(compressor_) + "` is not known");
  std::size_t start = at;
  const std::uint64_t blocks = header_number(take(start, header_bytes_, base64), 0);
  if (blocks > text_.size()) throw damaged;
  const std::string head = take(at, (3 + blocks) * header_bytes_, base64);
  const std::uint64_t block = header_number(head, 1), last = header_number(head, 2);
  constexpr std::uint64_t packing = 1100;  // zlib packs to a thousandth at best
  std::uint64_t packed = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    packed += header_number(head, 3 + b);
    if (header_number(head, 3 + b) > text_.size() || packed > text_.size()) throw damaged;
  }
  if (block > packing * text_.size() || last > block || blocks * block > packing * text_.size()) throw damaged;
  const std::string data = take(at, packed, base64);
  std::string result(blocks == 0 ? 0 : (blocks - 1) * block + (last == 0 ? block : last), '\0');
  const VtkSilence silence;
  for (std::size_t b = 0, from = 0; b < blocks; ++b) {
    const std::uint64_t size = b + 1 < blocks || last == 0 ? block : last, part = header_number(head, 3 + b);
    const auto* source = reinterpret_cast<const unsigned char*>(data.data()) + from;
    auto* target = reinterpret_cast<unsigned char*>(result.data()) + b * block;
    if (size > 0 && compressor->Uncompress(source, part, target, size) != size) throw damaged;
    from += part;
  }
  return result;
}

}  // namespace unbarred
