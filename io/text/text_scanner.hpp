#pragma once
// Reads the words of a large file in one pass with a buffer of fixed size, and knows the line it is in; also raw
// numbers of formats that mix text and binary.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace unbarred {

/// The first letters of a word, for messages: "?" for each that cannot be printed.
std::string printable(std::string_view word);

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
  /// What is left of this line, without spaces at its ends; then as skip_line().
  std::string line();
  /// The line after the one that was read last, which stays unread; cut off after 1000 letters.
  std::string peek_next_line();
  /// Goes past the next line that starts with the word `start`; false when the file ends first.
  bool skip_past_line(std::string_view start);
  /// The next `count` bytes as they are; throws Error(bad_input), naming `what`, when the file ends first.
  void bytes(void* into, std::size_t count, const char* what);
  /// Next word is at the end of the file.
  bool at_end();
  /// Line of what was read last, as an editor counts them.
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
