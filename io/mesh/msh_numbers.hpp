#pragma once
// The numbers of an MSH file, written as text or as they lie in memory, of either byte order.
#include "io/text/text_scanner.hpp"

namespace unbarred {

class MshNumbers {
 public:
  explicit MshNumbers(const std::filesystem::path& file) : text_(file) {}

  /// From now on numbers are binary; size_bytes: of counts and tags (4 or 8).
  void set_binary(bool swapped, int size_bytes);
  bool binary() const { return binary_; }
  /// After a line of text: goes to the first byte of binary numbers.
  void start_binary() {
    if (binary_) text_.skip_line();
  }

  /// Whole numbers of 4 bytes ("int") and of size_bytes ("size_t"), and finite ones of 8. Throw Error(bad_input) at
  /// their line, naming `what`.
  GlobalIndex integer(const char* what);
  GlobalIndex size(const char* what);
  Real number(const char* what);
  /// A count: 0 .. 2^50; text_count: that is text in binary files, too.
  GlobalIndex count(const char* what) { return checked_count(size(what), what); }
  GlobalIndex text_count(const char* what) { return checked_count(text_.integer(what), what); }
  GlobalIndex integer_count(const char* what) { return checked_count(integer(what), what); }
  /// A tag of any sign: less than 2^62, so that sums of a few never overflow.
  GlobalIndex tag(const char* what) { return checked_tag(size(what), what); }
  GlobalIndex integer_tag(const char* what) { return checked_tag(integer(what), what); }

  TextScanner& text() { return text_; }
  const TextScanner& text() const { return text_; }
  Place place() const { return text_.place(); }

 private:
  template <class T>
  T raw(const char* what);
  GlobalIndex checked_count(GlobalIndex value, const char* what) const;
  GlobalIndex checked_tag(GlobalIndex value, const char* what) const;

  TextScanner text_;
  bool binary_ = false, swapped_ = false;
  int size_bytes_ = 8;
};

}  // namespace unbarred
