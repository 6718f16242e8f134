#include "io/run/run_folder.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>

#include "io/text/files.hpp"

namespace unbarred {

namespace {

/// Everything that a run leaves in its folder.
constexpr std::array<const char*, 10> names_of_a_run{
    "used_scene.yaml", "provenance.json", "log.txt",     "steps.jsonl",        "run_status.json",
    "frames",          "checkpoints",     "diagnostics", "contact_forces.csv", "reaction_forces.csv"};

/// A run that failed before it left anything that one might want: it does not stand in the way of the next.
bool failed_at_its_start(const RunFolder& folder) {
  std::error_code none;
  for (const auto& results : {folder.frames(), folder.checkpoints(), folder.steps()})
    if (std::filesystem::exists(results, none) && !std::filesystem::is_empty(results, none)) return false;
  try {
    return YAML::LoadFile(folder.status().string())["state"].as<std::string>() == "failed";
  } catch (const YAML::Exception&) {
    return false;
  }
}

bool holds_a_run(const std::filesystem::path& folder) {
  for (const char* name : names_of_a_run)
    if (std::filesystem::exists(folder / name)) return true;
  return false;
}

/// Turns what std::filesystem throws into the error that names the path.
template <class F>
void with_filesystem_errors(const std::filesystem::path& path, F&& action) {
  try {
    action();
  } catch (const std::filesystem::filesystem_error& problem) {
    throw Error(ExitCode::io_failed, fmt::format("{}: {}", path.string(), problem.code().message()));
  }
}

}  // namespace

RunFolder RunFolder::create(const std::filesystem::path& path, bool overwrite, const Communicator& communicator) {
  const RunFolder folder(path, communicator);
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    with_filesystem_errors(path, [&] {
      if (!overwrite && holds_a_run(path) && !failed_at_its_start(folder))
        throw bad_input({path.string()},
                        "holds a run already: resume it, name another output.directory, or say --overwrite");
      for (const char* name : names_of_a_run) std::filesystem::remove_all(path / name);
    });
  });
  folder.make_folders();
  return folder;
}

RunFolder RunFolder::reopen(const std::filesystem::path& path, const Communicator& communicator) {
  const RunFolder folder(path, communicator);
  communicator.agree([&] {
    std::error_code ignored;  // what cannot be looked at is not there
    if (communicator.is_root() && !std::filesystem::exists(folder.used_scene(), ignored))
      throw bad_input({path.string()}, "holds no run to resume (no used_scene.yaml)");
  });
  folder.make_folders();
  return folder;
}

void RunFolder::make_folders() const {
  communicator_.agree([&] {
    if (!communicator_.is_root()) return;
    with_filesystem_errors(path_, [&] {
      std::filesystem::create_directories(frames());
      std::filesystem::create_directories(checkpoints());
    });
  });
  test_write();
}

void RunFolder::test_write() const {
  communicator_.agree([&] {
    const auto probe = frames() / fmt::format(".test_write_{}", communicator_.rank());
    write_file(probe, std::string(4096, '.'));
    std::error_code ignored;
    std::filesystem::remove(probe, ignored);
  });
}

void RunFolder::write(const std::filesystem::path& file, const std::string& content) const {
  communicator_.agree([&] {
    if (communicator_.is_root()) write_file(file, content);
  });
}

void RunFolder::write_used_scene(const std::string& yaml) const { write(used_scene(), yaml); }
void RunFolder::write_provenance(const Provenance& made_from) const { write(provenance(), to_json(made_from)); }
void RunFolder::write_status(const RunStatus& state) const { write(status(), to_json(state)); }

}  // namespace unbarred
