#pragma once
// The folder of a run and the small files in it. Frames, checkpoints and steps.jsonl have their own writers.
#include <filesystem>
#include <string>

#include "io/run/run_status.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

class RunFolder {
 public:
  /// An empty run folder with its sub-folders. A folder that holds a run is refused (Error(bad_input)) unless
  /// `overwrite`, which removes what a run leaves and nothing else, or unless that run failed before its first step.
  /// Every rank makes a test write: an unwritable folder is Error(io_failed) with its path on all ranks. The
  /// communicator must outlive this. @note Collective
  static RunFolder create(const std::filesystem::path& path, bool overwrite, const Communicator& communicator);
  /// The folder of a run that goes on; Error(bad_input) when it holds none. @note Collective
  static RunFolder reopen(const std::filesystem::path& path, const Communicator& communicator);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path frames() const { return path_ / "frames"; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path diagnostics() const { return path_ / "diagnostics"; }  ///< made by whoever writes there
  std::filesystem::path steps() const { return path_ / "steps.jsonl"; }
  std::filesystem::path contact_forces() const { return path_ / "contact_forces.csv"; }
  std::filesystem::path reaction_forces() const { return path_ / "reaction_forces.csv"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path used_scene() const { return path_ / "used_scene.yaml"; }
  std::filesystem::path status() const { return path_ / "run_status.json"; }
  std::filesystem::path provenance() const { return path_ / "provenance.json"; }

  /// Rank 0 replaces the file in one go. Throws Error(io_failed) on all ranks. @note Collective
  void write_used_scene(const std::string& yaml) const;
  void write_provenance(const Provenance& provenance) const;
  void write_status(const RunStatus& status) const;

 private:
  RunFolder(std::filesystem::path path, const Communicator& communicator)
      : path_(std::move(path)), communicator_(communicator) {}
  void make_folders() const;
  void test_write() const;
  void write(const std::filesystem::path& file, const std::string& content) const;

  std::filesystem::path path_;
  const Communicator& communicator_;
};

}  // namespace unbarred
