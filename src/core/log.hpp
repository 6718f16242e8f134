#pragma once
// What the program tells its user. The numerics only call these; io/run/log.cpp decides where the text goes.
#include <functional>
#include <string>

namespace unbarred {

enum class LogLevel {
  detail,   ///< the log file only: what a terminal shows in another way
  info,     ///< the console of rank 0 and the log file
  warning,  ///< any rank
  error,    ///< any rank
};

using LogSink = std::function<void(LogLevel, const std::string&)>;

/// Where messages go from now on; an empty sink restores the start: warnings and errors to stderr, the rest dropped.
void set_log_sink(LogSink sink);

void log_message(LogLevel level, const std::string& message);
inline void log_detail(const std::string& message) { log_message(LogLevel::detail, message); }
inline void log_info(const std::string& message) { log_message(LogLevel::info, message); }
inline void log_warning(const std::string& message) { log_message(LogLevel::warning, message); }
inline void log_error(const std::string& message) { log_message(LogLevel::error, message); }

}  // namespace unbarred
