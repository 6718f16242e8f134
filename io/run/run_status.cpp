#include "io/run/run_status.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <sched.h>
#include <spdlog/version.h>
#include <unistd.h>
#include <vtkVersion.h>

#include "io/text/files.hpp"
#include "io/text/json.hpp"

namespace unbarred {

static const char* to_text(RunState state) {
  switch (state) {
    case RunState::running:
      return "running";
    case RunState::done:
      return "done";
    case RunState::stopped:
      return "stopped";
    case RunState::failed:
      return "failed";
  }
  return "failed";
}

static std::optional<std::string> text_or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string to_json(const RunStatus& status) {
  const auto expected_end =
      status.remaining_seconds ? std::optional(utc_time(*status.remaining_seconds)) : std::nullopt;
  JsonWriter json(true);
  json.begin_object()
      .field("state", to_text(status.state))
      .field("exit_code", static_cast<int>(status.exit_code))
      .field("message", status.message)
      .field("step", status.step)
      .field("time", status.time)
      .field("end_time", status.end_time)
      .field("unfinished_steps", status.unfinished_steps)
      .field("expected_end", expected_end)
      .field("checkpoint", text_or_null(status.checkpoint))
      .field("started", status.started)
      .field("updated", utc_time())
      .field("ranks", status.ranks)
      .field("backend", status.backend)
      .end_object();
  return json.text() + "\n";
}

RankPlace this_rank_place(const std::string& gpu) {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  cpu_set_t cores;
  const bool known = ::sched_getaffinity(0, sizeof cores, &cores) == 0;
  return {host, known ? CPU_COUNT(&cores) : 0, gpu};
}

std::vector<RankPlace> gather_rank_places(const RankPlace& place, const Communicator& communicator) {
  std::vector<RankPlace> places;
  for (const std::string& text :
       gather_texts(communicator, fmt::format("{}\n{}\n{}", place.cores, place.host, place.gpu))) {
    const std::size_t first = text.find('\n'), second = text.find('\n', first + 1);
    places.push_back({text.substr(first + 1, second - first - 1), std::stoi(text), text.substr(second + 1)});
  }
  return places;
}

std::string to_json(const Provenance& provenance) {
  JsonWriter json(true);
  json.begin_object()
      .field("version", provenance.version)
      .field("git", provenance.git)
      .field("compiler", provenance.compiler)
      .field("libraries", provenance.libraries)
      .field("options", provenance.options)
      .key("ranks")
      .begin_array();
  for (const RankPlace& rank : provenance.ranks)
    json.begin_object()
        .field("host", rank.host)
        .field("cores", rank.cores)
        .field("gpu", text_or_null(rank.gpu))
        .end_object();
  json.end_array()
      .field("scene_sha256", provenance.scene_sha256)
      .field("mesh_sha256", provenance.mesh_sha256)
      .end_object();
  return json.text() + "\n";
}

std::string compiler_version() {
#ifdef __clang__
  return "clang " __VERSION__;
#else
  return "g++ " __VERSION__;
#endif
}

std::map<std::string, std::string> library_versions() {
  std::map<std::string, std::string> versions;
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  versions["hdf5"] = fmt::format("{}.{}.{}", major, minor, release);
  versions["vtk"] = vtkVersion::GetVTKVersion();
  versions["fmt"] = fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
  versions["spdlog"] = fmt::format("{}.{}.{}", SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH);
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(mpi, &length);
  const std::string text(mpi, static_cast<std::size_t>(length));
  versions["mpi"] = text.substr(0, text.find_first_of(",\n"));
  return versions;
}

}  // namespace unbarred
