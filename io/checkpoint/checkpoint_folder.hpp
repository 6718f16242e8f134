#pragma once
// The checkpoints of a run: step_<step>.h5 and manifest.json, the last two kept, the newest whole one found.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint.hpp"

namespace unbarred {

class CheckpointFolder {
 public:
  /// folder: exists already. Leftovers of a killed write go. resumed_step: the checkpoint that this run goes on from;
  /// later ones go. Without it all earlier checkpoints are of another run: they go when this run writes its first.
  /// The communicator must outlive this. @note Collective
  CheckpointFolder(std::filesystem::path folder, const Communicator& communicator,
                   std::optional<std::int64_t> resumed_step = std::nullopt, int kept = 2);

  /// Writes the file, then the manifest that names it, then removes what is older than the last `kept`. Returns the
  /// path. Throws Error(io_failed) on all ranks; the earlier checkpoints are then untouched. @note Collective
  std::filesystem::path write(const CheckpointData& data);

 private:
  struct Entry {
    std::string file;
    std::int64_t step = 0;
    Real time = 0;
    CheckpointSummary summary;
  };
  static std::vector<Entry> read_manifest(const std::filesystem::path& folder);
  void write_manifest(const std::vector<Entry>& entries) const;
  void remove_all_but(const std::vector<Entry>& entries) const;
  friend std::vector<struct FoundCheckpoint> list_checkpoints(const std::filesystem::path& folder);

  std::filesystem::path folder_;
  const Communicator& communicator_;
  std::size_t kept_;
  std::vector<Entry> entries_;  // kept on rank 0, oldest first
};

struct FoundCheckpoint {
  std::filesystem::path path;
  std::int64_t step = 0;
  std::string problem;  ///< empty: as large as the manifest says and with all its tables
};

/// The checkpoints in a folder, newest first, looked at but not read through.
std::vector<FoundCheckpoint> list_checkpoints(const std::filesystem::path& folder);

/// The newest without a problem; a warning in the log for each newer one that is skipped.
std::optional<std::filesystem::path> newest_complete_checkpoint(const std::filesystem::path& folder);

/// Reads the newest checkpoint whose size, structure and checksum are right; a warning says which were skipped and
/// why. Throws Error(io_failed) on all ranks when there is none. @note Collective
CheckpointData read_newest_checkpoint(const std::filesystem::path& folder, const Communicator& communicator);

}  // namespace unbarred
