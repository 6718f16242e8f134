#include "core/error.hpp"

namespace unbarred {

std::string to_string(const Place& place) {
  std::string text = place.file;
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
  return text;
}

static std::string with_place(const Place& place, const std::string& message) {
  const std::string where = to_string(place);
  return where.empty() ? message : where + ": " + message;
}

Error::Error(ExitCode code, const Place& place, const std::string& message)
    : std::runtime_error(with_place(place, message)), code_(code) {}

}  // namespace unbarred
