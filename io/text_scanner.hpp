#pragma once
// Reads the words of a large text file in one pass with a buffer of fixed size, and knows the line it is in.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace unbarred {

class TextScanner {
 public:
  /// Throws Error(bad_input) when the file cannot be opened.
  explicit TextScanner(const std::filesystem::path& file);

  /// Next word between spaces and line ends, "" at the end of the file; valid until the next call.
  std::string_view word();
  /// Next word as a whole number or as a finite number; throws Error(bad_input) at its line, naming `what`.
  GlobalIndex integer(const char* what);
  Real number(const char* what);
  /// Goes to the start of the next line.
  void skip_line();
  /// Next word is at the end of the file.
  bool at_end();
  /// Line of the word that was read last.
  Place place() const { return {name_, static_cast<int>(line_), 0}; }

 private:
  bool refill();
  bool skip_spaces();
  [[noreturn]] void fail_word(std::string_view word, const char* what, const char* expected) const;

  std::string name_;
  std::ifstream stream_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  GlobalIndex line_ = 1;
};

}  // namespace unbarred
