#include "io/checkpoint/checkpoint_folder.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "core/log.hpp"
#include "io/text/files.hpp"
#include "io/text/json.hpp"

namespace unbarred {

namespace {

/// The step in step_<step>.h5; nothing for other files.
std::optional<std::int64_t> checkpoint_step(const std::string& file) {
  constexpr std::string_view prefix = "step_";
  if (!file.starts_with(prefix)) return std::nullopt;
  std::int64_t step = 0;
  const char* const end = file.data() + file.size();
  const auto [rest, problem] = std::from_chars(file.data() + prefix.size(), end, step);
  return problem == std::errc() && std::string_view(rest, end) == ".h5" ? std::optional(step) : std::nullopt;
}

bool is_leftover(const std::string& file) {
  return file.starts_with(".step_") && file.find(".h5.") != std::string::npos;
}

std::vector<std::string> file_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
    names.push_back(file.path().filename().string());
  return names;
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::filesystem::path folder, const Communicator& communicator,
                                   std::optional<std::int64_t> resumed_step, int kept)
    : folder_(std::move(folder)), communicator_(communicator), kept_(static_cast<std::size_t>(kept)) {
  communicator_.agree([&] {
    if (!communicator_.is_root()) return;
    std::error_code ignored;
    for (const std::string& name : file_names(folder_))
      if (is_leftover(name)) std::filesystem::remove(folder_ / name, ignored);
    if (!resumed_step) return;
    entries_ = read_manifest(folder_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.step > *resumed_step; });
    write_manifest(entries_);
    for (const std::string& name : file_names(folder_))
      if (checkpoint_step(name).value_or(*resumed_step) > *resumed_step)
        std::filesystem::remove(folder_ / name, ignored);
  });
}

std::filesystem::path CheckpointFolder::write(const CheckpointData& data) {
  const std::string file = fmt::format("step_{:06d}.h5", data.step);
  const CheckpointSummary summary = write_checkpoint(folder_ / file, data, communicator_);
  communicator_.agree([&] {
    if (!communicator_.is_root()) return;
    std::vector<Entry> entries = entries_;
    std::erase_if(entries, [&](const Entry& entry) { return entry.step >= data.step; });
    entries.push_back({file, data.step, data.time, summary});
    if (entries.size() > kept_) entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(kept_));
    write_manifest(entries);
    entries_ = std::move(entries);
    remove_all_but(entries_);
  });
  return folder_ / file;
}

std::vector<CheckpointFolder::Entry> CheckpointFolder::read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "manifest.json";
  std::vector<Entry> entries;
  if (!std::filesystem::exists(path)) return entries;
  try {
    for (const YAML::Node& item : YAML::Load(read_file(path))["checkpoints"]) {
      Entry entry{item["file"].as<std::string>(), item["step"].as<std::int64_t>(), item["time"].as<Real>(), {}};
      entry.summary.bytes = item["bytes"].as<std::int64_t>();
      const auto checksum = item["checksum"].as<std::string>();
      std::from_chars(checksum.data(), checksum.data() + checksum.size(), entry.summary.checksum, 16);
      entries.push_back(entry);
    }
  } catch (const std::exception& problem) {
    log_warning(
        fmt::format("{}: damaged ({}); the checkpoint files are looked at without it", path.string(), problem.what()));
    entries.clear();
  }
  return entries;
}

void CheckpointFolder::write_manifest(const std::vector<Entry>& entries) const {
  JsonWriter json(true);
  json.begin_object().key("checkpoints").begin_array();
  for (const Entry& entry : entries)
    json.begin_object()
        .field("file", entry.file)
        .field("step", entry.step)
        .field("time", entry.time)
        .field("bytes", entry.summary.bytes)
        .field("checksum", fmt::format("{:016x}", entry.summary.checksum))
        .end_object();
  json.end_array().end_object();
  write_file(folder_ / "manifest.json", json.text() + "\n", true);
}

void CheckpointFolder::remove_all_but(const std::vector<Entry>& entries) const {
  std::set<std::string> kept;
  for (const Entry& entry : entries) kept.insert(entry.file);
  std::error_code ignored;
  for (const std::string& name : file_names(folder_))
    if (checkpoint_step(name) && !kept.contains(name)) std::filesystem::remove(folder_ / name, ignored);
}

std::vector<FoundCheckpoint> list_checkpoints(const std::filesystem::path& folder) {
  std::vector<FoundCheckpoint> found;
  for (const std::string& name : file_names(folder))
    if (const auto step = checkpoint_step(name)) found.push_back({folder / name, *step, ""});
  std::ranges::sort(found, std::greater(), &FoundCheckpoint::step);

  const std::vector<CheckpointFolder::Entry> manifest = CheckpointFolder::read_manifest(folder);
  for (FoundCheckpoint& checkpoint : found) {
    const auto entry = std::ranges::find(manifest, checkpoint.path.filename().string(), &CheckpointFolder::Entry::file);
    std::error_code ignored;
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(checkpoint.path, ignored));
    if (entry != manifest.end() && bytes != entry->summary.bytes) {
      checkpoint.problem =
          fmt::format("{}: {} bytes, written were {}", checkpoint.path.string(), bytes, entry->summary.bytes);
      continue;
    }
    try {
      read_checkpoint_header(checkpoint.path);
    } catch (const Error& error) {
      checkpoint.problem = error.what();
    }
  }
  return found;
}

std::optional<std::filesystem::path> newest_complete_checkpoint(const std::filesystem::path& folder) {
  for (const FoundCheckpoint& checkpoint : list_checkpoints(folder)) {
    if (checkpoint.problem.empty()) return checkpoint.path;
    log_warning(fmt::format("checkpoint skipped: {}", checkpoint.problem));
  }
  return std::nullopt;
}

CheckpointData read_newest_checkpoint(const std::filesystem::path& folder, const Communicator& communicator) {
  std::string candidates;  // one path a line
  if (communicator.is_root()) {
    for (const FoundCheckpoint& checkpoint : list_checkpoints(folder)) {
      if (checkpoint.problem.empty()) candidates += checkpoint.path.string() + "\n";
      else log_warning(fmt::format("checkpoint skipped: {}", checkpoint.problem));
    }
  }
  candidates = communicator.broadcast(candidates, 0);
  for (std::size_t begin = 0; begin < candidates.size();) {
    const std::size_t end = candidates.find('\n', begin);
    try {
      return read_checkpoint(candidates.substr(begin, end - begin), communicator);
    } catch (const Error& error) {
      if (communicator.is_root()) log_warning(fmt::format("checkpoint skipped: {}", error.what()));
    }
    begin = end + 1;
  }
  throw Error(ExitCode::io_failed,
              fmt::format("{}: no whole checkpoint; start the run again with --overwrite", folder.string()));
}

}  // namespace unbarred
