#include "io/text/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>

namespace unbarred {

namespace {

/// Closes at the end of its scope.
class File {
 public:
  File(const std::filesystem::path& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

  bool write(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

 private:
  int descriptor_;
};

/// 0, or the reason (errno) why the bytes do not fit.
int reserve(const File& file, int mode, const std::filesystem::path& folder, std::int64_t bytes) {
  if (::fallocate(file.get(), mode, 0, bytes) == 0) return 0;
  if (errno != EOPNOTSUPP && errno != ENOSYS) return errno;
  // A file system that cannot reserve can still say what is free, though not what a quota leaves.
  struct statvfs state;
  if (::statvfs(folder.c_str(), &state) != 0) return errno;
  return static_cast<double>(state.f_bavail) * static_cast<double>(state.f_frsize) < static_cast<double>(bytes) ? ENOSPC
                                                                                                                : 0;
}

}  // namespace

std::filesystem::path hidden_sibling(const std::filesystem::path& path, const std::string& purpose) {
  return path.parent_path() / fmt::format(".{}.{}", path.filename().string(), purpose);
}

Error write_failure(const std::filesystem::path& path, std::int64_t bytes, int error_number) {
  return Error(ExitCode::io_failed,
               fmt::format("{}: writing {} bytes failed: {}", path.string(), bytes, std::strerror(error_number)));
}

void write_file(const std::filesystem::path& path, std::string_view content, bool durable) {
  const std::filesystem::path temporary = hidden_sibling(path, "tmp");
  const auto bytes = static_cast<std::int64_t>(content.size());
  {
    const File file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.is_open()) throw write_failure(path, bytes, errno);
    if (!file.write(content) || (durable && ::fsync(file.get()) != 0)) {
      const int reason = errno;
      ::unlink(temporary.c_str());
      throw write_failure(path, bytes, reason);
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    throw write_failure(path, bytes, reason);
  }
  if (durable) flush_to_disk(path.parent_path());
}

void append_to_file(const std::filesystem::path& path, std::string_view text) {
  const File file(path, O_WRONLY | O_CREAT | O_APPEND);
  if (!file.is_open() || !file.write(text)) throw write_failure(path, static_cast<std::int64_t>(text.size()), errno);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  if (stream && std::filesystem::file_size(path) > 0) content << stream.rdbuf();
  if (!stream) throw Error(ExitCode::io_failed, path.string() + ": cannot be read");
  return std::move(content).str();
}

void flush_to_disk(const std::filesystem::path& path) {
  const File file(path.empty() ? std::filesystem::path(".") : path, O_RDONLY);
  if (!file.is_open() || ::fsync(file.get()) != 0)
    throw Error(ExitCode::io_failed, path.string() + ": flushing to disk failed: " + std::strerror(errno));
}

void require_space(const std::filesystem::path& path, std::int64_t bytes) {
  const std::filesystem::path probe = hidden_sibling(path, "space");
  const File file(probe, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) throw write_failure(path, bytes, errno);
  const int reason = reserve(file, 0, path.parent_path(), bytes);
  ::unlink(probe.c_str());
  if (reason != 0) throw write_failure(path, bytes, reason);
}

void reserve_space(const std::filesystem::path& file, const std::filesystem::path& path, std::int64_t bytes) {
  const File existing(file, O_WRONLY);
  if (!existing.is_open()) throw write_failure(path, bytes, errno);
  const int reason = reserve(existing, FALLOC_FL_KEEP_SIZE, path.parent_path(), bytes);
  if (reason != 0) throw write_failure(path, bytes, reason);
}

std::vector<std::string> gather_texts(const Communicator& communicator, const std::string& text) {
  std::vector<int> counts(static_cast<std::size_t>(communicator.size()), 0), received;
  counts[0] = static_cast<int>(text.size());
  const std::vector<char> all = communicator.exchange(std::span<const char>(text), counts, &received);
  std::vector<std::string> texts;
  if (!communicator.is_root()) return texts;
  auto at = all.begin();
  for (const int count : received) {
    texts.emplace_back(at, at + count);
    at += count;
  }
  return texts;
}

std::string utc_time(double seconds_ahead) {
  const std::time_t when = std::time(nullptr) + static_cast<std::time_t>(seconds_ahead);
  std::tm parts;
  ::gmtime_r(&when, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace unbarred
