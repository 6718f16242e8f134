#pragma once
// What run_status.json and provenance.json say, and their text.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

enum class RunState { running, done, stopped, failed };

/// run_status.json: is it alive, how far is it, where to resume. `updated` is the moment of writing.
struct RunStatus {
  RunState state = RunState::running;
  ExitCode exit_code = ExitCode::done;
  std::string message;
  std::int64_t step = 0;
  Real time = 0, end_time = 0;              ///< simulated, s
  std::int64_t unfinished_steps = 0;        ///< accepted although something had not converged
  std::optional<double> remaining_seconds;  ///< expected wall time to the end; becomes `expected_end`
  std::string checkpoint;                   ///< newest complete one, relative to the run folder; empty: none yet
  std::string started;                      ///< utc_time() at the start
  int ranks = 1;
  std::string backend;  ///< "host" or "cuda"
};

std::string to_json(const RunStatus& status);

/// Where one rank runs.
struct RankPlace {
  std::string host;
  int cores = 0;
  std::string gpu;  ///< UUID; empty without a GPU
};

/// This rank's host name and the cores it may use; `gpu` as given.
RankPlace this_rank_place(const std::string& gpu = "");

/// The places of all ranks in rank order on rank 0 (elsewhere empty). @note Collective
std::vector<RankPlace> gather_rank_places(const RankPlace& place, const Communicator& communicator);

/// provenance.json: with what, where and from what a run was made.
struct Provenance {
  std::string version, git, compiler;
  std::map<std::string, std::string> libraries;  ///< name -> version
  std::vector<std::string> options;              ///< the command line
  std::vector<RankPlace> ranks;
  std::string scene_sha256;
  std::map<std::string, std::string> mesh_sha256;  ///< file -> hash
};

std::string to_json(const Provenance& provenance);

/// Compiler, MPI, HDF5, VTK, fmt and spdlog that this program was built with or runs on.
std::string compiler_version();
std::map<std::string, std::string> library_versions();

}  // namespace unbarred
