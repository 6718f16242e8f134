#pragma once
// JSON text, built piece by piece. Numbers are the shortest text that reads back to the same bits (at most 17
// digits), whatever the locale; NaN and infinities become null, which JSON has instead.
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec3.hpp"

namespace unbarred {

/// Shortest text that reads back to the same double; not for NaN and infinities.
inline std::string number_text(double number) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

class JsonWriter {
 public:
  /// pretty: one member a line, for files that people read; otherwise one line in all.
  explicit JsonWriter(bool pretty = false) : pretty_(pretty) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  /// Names the value that follows, inside an object.
  JsonWriter& key(std::string_view name) {
    separate();
    append_quoted(name);
    text_ += pretty_ ? ": " : ":";
    after_key_ = true;
    return *this;
  }

  JsonWriter& value(std::nullptr_t) { return raw("null"); }
  JsonWriter& value(std::string_view text) {
    separate();
    append_quoted(text);
    return *this;
  }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::same_as<bool> auto truth) { return raw(truth ? "true" : "false"); }
  JsonWriter& value(double number) { return std::isfinite(number) ? raw(number_text(number)) : value(nullptr); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonWriter& value(T number) { return raw(std::to_string(number)); }
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : value(nullptr);
  }
  JsonWriter& value(const Vec3& v) { return value(std::vector<Real>{v[0], v[1], v[2]}); }
  template <class T>
  JsonWriter& value(const std::vector<T>& list) {
    begin_array();
    for (const T& item : list) value(item);
    return end_array();
  }
  template <class T>
  JsonWriter& value(const std::map<std::string, T>& members) {
    begin_object();
    for (const auto& [name, member] : members) field(name, member);
    return end_object();
  }

  template <class T>
  JsonWriter& field(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  const std::string& text() const { return text_; }

 private:
  JsonWriter& open(char bracket) {
    separate();
    text_ += bracket;
    empty_.push_back(true);
    return *this;
  }
  JsonWriter& close(char bracket) {
    const bool empty = empty_.back();
    empty_.pop_back();
    if (!empty) new_line();
    text_ += bracket;
    return *this;
  }
  JsonWriter& raw(std::string_view token) {
    separate();
    text_ += token;
    return *this;
  }
  /// Puts the comma and the line break before every item but the first; a value after its key needs neither.
  void separate() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (empty_.empty()) return;
    if (!empty_.back()) text_ += ',';
    empty_.back() = false;
    new_line();
  }
  void new_line() {
    if (pretty_) text_ += '\n' + std::string(2 * empty_.size(), ' ');
  }
  void append_quoted(std::string_view text) {
    text_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        text_ += {'\\', c};
      } else if (static_cast<unsigned char>(c) < 0x20) {
        const unsigned code = static_cast<unsigned char>(c);
        text_ += std::string("\\u00") + "0123456789abcdef"[code >> 4] + "0123456789abcdef"[code & 15];
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  bool pretty_;
  bool after_key_ = false;
  std::vector<bool> empty_;  // of each open bracket: nothing inside yet
  std::string text_;
};

}  // namespace unbarred
