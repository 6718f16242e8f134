#include "io/run/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "core/log.hpp"

namespace unbarred {

namespace {

struct Log {
  int rank = 0;
  bool terminal = false;
  std::shared_ptr<spdlog::logger> file;  // rank 0 of a run
};

Log& current_log() {
  static Log log;
  return log;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::detail:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

/// Messages to stdout, problems to stderr, so that the two files of a job tell them apart.
void print(const Log& log, LogLevel level, const std::string& message) {
  const bool problem = level >= LogLevel::warning;
  if (level == LogLevel::detail || (log.rank != 0 && !problem)) return;
  std::string line = log.terminal ? "\r\033[K" : "";  // wipes the progress bar that may stand in this line
  if (problem) line += level == LogLevel::warning ? "warning" : "error";
  if (problem && log.rank != 0) line += " (rank " + std::to_string(log.rank) + ")";
  if (problem) line += ": ";
  line += message + "\n";
  std::FILE* const stream = problem ? stderr : stdout;
  std::fputs(line.c_str(), stream);
  std::fflush(stream);
}

void print_and_file(LogLevel level, const std::string& message) {
  print(current_log(), level, message);
  if (current_log().file) current_log().file->log(to_spdlog(level), message);
}

}  // namespace

bool on_terminal() {
  if (::isatty(STDOUT_FILENO) != 1) return false;
  // Open MPI gives every rank a terminal of its own, even where mpirun writes to a file: what mpirun has counts.
  if (!std::getenv("OMPI_COMM_WORLD_SIZE")) return true;
  std::error_code unknown;
  const auto output = std::filesystem::read_symlink("/proc/" + std::to_string(::getppid()) + "/fd/1", unknown).string();
  return output.starts_with("/dev/pts/") || output.starts_with("/dev/tty");
}

void start_log(const Communicator& communicator) {
  current_log() = {communicator.rank(), on_terminal(), nullptr};
  set_log_sink(print_and_file);
}

void add_log_file(const std::filesystem::path& file, bool append, const Communicator& communicator) {
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    try {
      auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(file.string(), !append);
      auto logger = std::make_shared<spdlog::logger>("file", sink);
      logger->set_pattern("%Y-%m-%d %H:%M:%S %l: %v");
      logger->set_level(spdlog::level::debug);
      logger->flush_on(spdlog::level::debug);
      current_log().file = logger;
    } catch (const spdlog::spdlog_ex& problem) {
      throw Error(ExitCode::io_failed, file.string() + ": " + problem.what());
    }
  });
}

void stop_log() {
  set_log_sink({});
  current_log() = {};
}

}  // namespace unbarred
