#include "io/text/text_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace unbarred {

static constexpr std::size_t buffer_size = std::size_t{1} << 20;

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string printable(std::string_view word) {
  std::string text(word.substr(0, 40));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

TextScanner::TextScanner(const std::filesystem::path& file) : name_(file.string()), buffer_(buffer_size) {
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) stream_.open(file, std::ios::binary);
  if (!stream_.is_open()) throw bad_input({name_, 0, 0}, "cannot open this file: check the path and its permissions");
}

/// Keeps what is unread and appends what the file has next; false at the end of the file.
bool TextScanner::refill() {
  std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  if (end_ == buffer_.size()) throw bad_input(place(), "a word of more than a million letters: is this a text file?");
  stream_.read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
  if (stream_.bad()) throw Error(ExitCode::io_failed, place(), "reading this file failed");
  const auto count = static_cast<std::size_t>(stream_.gcount());
  end_ += count;
  return count > 0;
}

/// To the first letter of the next word; false when there is none.
bool TextScanner::skip_spaces() {
  for (;;) {
    for (; at_ < end_; ++at_) {
      if (!is_space(buffer_[at_])) return true;
      if (buffer_[at_] == '\n') ++line_;
    }
    if (!refill()) return false;
  }
}

std::string_view TextScanner::word() {
  if (!skip_spaces()) return {};
  for (std::size_t length = 0;;) {
    while (at_ + length < end_ && !is_space(buffer_[at_ + length])) ++length;
    if (at_ + length < end_ || !refill()) {
      const std::string_view found(buffer_.data() + at_, length);
      at_ += length;
      return found;
    }
  }
}

bool TextScanner::at_end() { return !skip_spaces(); }

void TextScanner::skip_line() {
  for (;;) {
    const void* newline = std::memchr(buffer_.data() + at_, '\n', end_ - at_);
    if (newline) {
      at_ = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data()) + 1;
      ++line_;
      return;
    }
    at_ = end_;
    if (!refill()) return;
  }
}

std::string TextScanner::line() {
  std::string text;
  for (bool ended = false; !ended && (at_ < end_ || refill());) {
    const auto* begin = buffer_.data() + at_;
    const auto* newline = static_cast<const char*>(std::memchr(begin, '\n', end_ - at_));
    ended = newline != nullptr;
    text.append(begin, ended ? static_cast<std::size_t>(newline - begin) : end_ - at_);
    if (text.size() > buffer_size)
      throw bad_input(place(), "a line of more than a million letters: is this a text file?");
    at_ = ended ? static_cast<std::size_t>(newline - buffer_.data()) + 1 : end_;
    line_ += ended;
  }
  const auto first = std::find_if_not(text.begin(), text.end(), is_space);
  const auto last = std::find_if_not(text.rbegin(), std::make_reverse_iterator(first), is_space).base();
  return {first, last};
}

std::string TextScanner::peek_next_line() {
  constexpr std::size_t enough = 1000;
  while (end_ - at_ < enough && refill()) {
  }
  const std::string_view ahead(buffer_.data() + at_, std::min(end_ - at_, enough));
  const std::size_t begin = ahead.find('\n');
  if (begin == std::string_view::npos) return {};
  return std::string(ahead.substr(begin + 1, ahead.find('\n', begin + 1) - begin - 1));
}

bool TextScanner::skip_past_line(std::string_view start) {
  for (;;) {
    while (end_ - at_ <= start.size() && refill()) {
    }
    const std::string_view ahead(buffer_.data() + at_, end_ - at_);
    if (ahead.empty()) return false;
    const bool found = ahead.starts_with(start) && (ahead.size() == start.size() || is_space(ahead[start.size()]));
    skip_line();
    if (found) return true;
  }
}

void TextScanner::bytes(void* into, std::size_t count, const char* what) {
  auto* to = static_cast<char*>(into);
  while (count > 0) {
    if (at_ == end_ && !refill())
      throw bad_input(place(), std::string("the file ends before ") + what + ": it is truncated");
    const std::size_t part = std::min(count, end_ - at_);
    std::memcpy(to, buffer_.data() + at_, part);
    line_ += std::count(to, to + part, '\n');
    to += part;
    at_ += part;
    count -= part;
  }
}

void TextScanner::fail_word(std::string_view word, const char* what, const char* expected) const {
  if (word.empty()) throw bad_input(place(), std::string("the file ends before ") + what + ": it is truncated");
  throw bad_input(place(), std::string(what) + ": `" + printable(word) + "` is not " + expected);
}

GlobalIndex TextScanner::integer(const char* what) {
  const std::string_view text = word();
  GlobalIndex value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc() || end != text.data() + text.size())
    fail_word(text, what, "a whole number");
  return value;
}

Real TextScanner::number(const char* what) {
  const std::string_view text = word();
  const std::string_view digits = text.substr(!text.empty() && text[0] == '+' ? 1 : 0);
  Real value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // Denormal numbers of a writer that prints noise around zero are zero.
  if (status == std::errc::result_out_of_range && digits.find("e-") != std::string_view::npos) return 0;
  if (text.empty() || status != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    fail_word(text, what, "a finite number");
  return value;
}

}  // namespace unbarred
