#include "core/log.hpp"

#include <cstdio>

namespace unbarred {

static LogSink& installed_sink() {
  static LogSink sink;
  return sink;
}

void set_log_sink(LogSink sink) { installed_sink() = std::move(sink); }

void log_message(LogLevel level, const std::string& message) {
  if (installed_sink()) {
    installed_sink()(level, message);
  } else if (level >= LogLevel::warning) {
    std::fprintf(stderr, "%s: %s\n", level == LogLevel::warning ? "warning" : "error", message.c_str());
  }
}

}  // namespace unbarred
