#include "io/text/csv_log.hpp"

#include <charconv>

#include "io/text/files.hpp"
#include "io/text/json.hpp"

namespace unbarred {

namespace {

/// The head and the lines of steps up to `last_step`, without a line that was cut off.
std::string lines_until(const std::string& text, std::string_view head, std::int64_t last_step) {
  std::string kept(head);
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line(text.data() + begin, end + 1 - begin);
    std::int64_t step = 0;
    const auto [rest, problem] = std::from_chars(line.data(), line.data() + line.size(), step);
    if (problem == std::errc() && *rest == ',' && step <= last_step) kept += line;
  }
  return kept;
}

}  // namespace

std::string csv_text(std::string_view text) {
  std::string field;
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c == '\n' || c == '\r' ? ' ' : c;
  }
  return text.find_first_of(",\"") == std::string_view::npos ? field : '"' + field + '"';
}

std::string csv_step(std::int64_t step, Real time) { return std::to_string(step) + "," + number_text(time); }

std::string csv_vector(const Vec3& vector) {
  std::string text;
  for (int k = 0; k < 3; ++k) text += "," + number_text(vector[k]);
  return text;
}

CsvLog::CsvLog(std::filesystem::path file, std::string_view head, const Communicator& communicator,
               std::optional<std::int64_t> resumed_step)
    : file_(std::move(file)), communicator_(communicator) {
  communicator_.agree([&] {
    if (!communicator_.is_root()) return;
    const bool continues = resumed_step && std::filesystem::exists(file_);
    write_file(file_, continues ? lines_until(read_file(file_), head, *resumed_step) : std::string(head));
  });
}

void CsvLog::append(const std::string& lines) const {
  communicator_.agree([&] {
    if (communicator_.is_root() && !lines.empty()) append_to_file(file_, lines);
  });
}

}  // namespace unbarred
