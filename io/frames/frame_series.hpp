#pragma once
// The PVD file: which frame belongs to which time. One entry a step, ascending.
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/types.hpp"

namespace unbarred {

class FrameSeries {
 public:
  /// An empty series, which `save` will put into `file`.
  explicit FrameSeries(std::filesystem::path file) : file_(std::move(file)) {}
  /// The series that `file` holds, without what came after `last_step`; empty when there is no file. Throws
  /// Error(io_failed) when it cannot be read.
  static FrameSeries reopen(const std::filesystem::path& file, std::int64_t last_step);

  /// Replaces the entry of the same step or time. frame: relative to the folder of the PVD file.
  void set(std::int64_t step, Real time, const std::string& frame);
  /// Replaces the file in one go. Throws Error(io_failed).
  void save() const;

  struct Entry {
    Real time;
    std::string frame;
  };
  const std::map<std::int64_t, Entry>& entries() const { return entries_; }

 private:
  std::filesystem::path file_;
  std::map<std::int64_t, Entry> entries_;  // by step
};

/// The step in the name `<name>_<step>.<extension>` or `<name>_<step>_<rank>.<extension>`; nothing when the file
/// is not a frame of `name`.
std::optional<std::int64_t> frame_step(const std::string& name, const std::string& file);

}  // namespace unbarred
