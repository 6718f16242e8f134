#pragma once
// SHA-256 (FIPS 180-4) of scenes and meshes, so that a run can say exactly what it was made from.
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace unbarred {

class Sha256 {
 public:
  void update(std::string_view bytes);
  /// 64 lower-case hexadecimal digits of everything given so far; ends the object's use.
  std::string hex();

 private:
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::uint64_t bytes_ = 0;
};

std::string sha256(std::string_view text);
/// Throws Error(io_failed) naming the file when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace unbarred
