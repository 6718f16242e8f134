#pragma once
// One checkpoint file: the state by global id, so that any number of ranks can write it and any other read it.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// What a checkpoint says about itself, the same on every rank.
struct CheckpointHeader {
  std::int64_t step = 0;
  Real time = 0;       ///< s
  Real time_step = 0;  ///< s
  std::string scene_hash, mesh_hash;
  GlobalIndex vertex_count = 0, tetrahedron_count = 0;  ///< all ranks
  std::optional<GlobalIndex> pair_count;                ///< all ranks; of what was read, not needed to write
  std::map<std::string, Real> numbers;                  ///< further global state, by name
  std::map<std::string, std::string> texts;             ///< not for NUL bytes
};

/// A named value per vertex or pair, `components` Reals a row.
struct CheckpointField {
  std::string name;
  int components = 1;
  std::vector<Real> values;
};

/// The contact pairs of one rank, each pair on one rank only.
struct CheckpointPairs {
  static constexpr int key_width = 5;
  std::vector<std::int64_t> keys;       ///< a row: kind, four global vertex numbers
  std::vector<CheckpointField> fields;  ///< read back in ascending order of their names
};

/// The rows of one rank. Writing: those it owns, in any order. Reading: a block of the file's rows; the caller
/// sends them on to the owners (fetch_rows).
struct CheckpointData : CheckpointHeader {
  std::vector<GlobalIndex> ids;  ///< global vertex numbers
  std::vector<Real> positions;   ///< 3 a row, m
  std::vector<Real> velocities;  ///< 3 a row, m/s
  std::vector<CheckpointField> fields;
  std::optional<CheckpointPairs> pairs;  ///< none: the run had no contact
};

struct CheckpointSummary {
  std::int64_t bytes = 0;      ///< of the file
  std::uint64_t checksum = 0;  ///< of header and rows; the same for any distribution and order of the rows
};

/// Writes the file in one go: under a hidden name, flushed to disk, then renamed. Fields have the same names and
/// components in the same order on every rank, and all ranks have pairs or none has. Throws Error(io_failed), with path
/// and bytes, on all ranks; nothing of the failed file remains. @note Collective
CheckpointSummary write_checkpoint(const std::filesystem::path& path, const CheckpointData& data,
                                   const Communicator& communicator);

/// Every rank gets a block of rows. Throws Error(io_failed) on all ranks when the file is not whole: truncated, not a
/// checkpoint, or its checksum differs. @note Collective
CheckpointData read_checkpoint(const std::filesystem::path& path, const Communicator& communicator);

/// The header alone; checks that the file is not truncated and has all its tables, not their checksum.
/// Throws Error(io_failed).
CheckpointHeader read_checkpoint_header(const std::filesystem::path& path);

}  // namespace unbarred
