#pragma once
// What a run has left in its folder, read as a user's script would.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "io/checkpoint/checkpoint_folder.hpp"
#include "support/run_program.hpp"
#include "support/world.hpp"

namespace unbarred::test {

/// A beam of 192 tetrahedra, clamped at its left end, for 8 steps under its weight.
inline const std::string beam_scene = R"(name: beam
parameters: {n: 2}
time: {step: 0.01, end: 0.08}
gravity: [0, -9.81, 0]
materials:
  rubber: {model: stable_neo_hookean, density: 1000, young: 1.0e5, poisson: 0.3}
bodies:
  beam:
    mesh: {box: {size: [1, 0.25, 0.25], cells: $(n)}}
    material: rubber
motions:
  clamp: {body: beam, select: {plane: {center: [-0.499, 0, 0], normal: [1, 0, 0]}}, move: fixed}
output: {directory: run, every: 2, checkpoint: {steps: 3}}
)";

/// Its mesh as the scene names it.
inline const std::string beam_mesh = "{box: {size: [1, 0.25, 0.25], cells: $(n)}}";

/// `text` with the first `what` replaced.
inline std::string with(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::invalid_argument("no " + what + " in the scene");
  return text.replace(at, what.size(), by);
}

inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++n;
  return n;
}

inline bool holds(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

inline YAML::Node status_of(const std::filesystem::path& run) {
  return YAML::LoadFile((run / "run_status.json").string());
}

inline std::vector<YAML::Node> steps_of(const std::filesystem::path& run) {
  std::vector<YAML::Node> steps;
  std::ifstream lines(run / "steps.jsonl");
  for (std::string line; std::getline(lines, line);) steps.push_back(YAML::Load(line));
  return steps;
}

/// steps.jsonl to the digit, without what a clock measured.
inline std::string steps_without_clocks(const std::filesystem::path& run) {
  std::string text;
  for (YAML::Node step : steps_of(run)) {
    step.remove("wall");
    step.remove("imbalance");
    text += YAML::Dump(step) + "\n";
  }
  return text;
}

/// Names of a mapping in ascending order, separated by spaces.
inline std::string names_in(const YAML::Node& mapping) {
  std::vector<std::string> names;
  for (const auto& member : mapping) names.push_back(member.first.as<std::string>());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

/// A checkpoint by global vertex number.
struct SavedState {
  std::int64_t step = -1;
  Real time = 0;
  std::vector<Real> positions, velocities;
};

inline SavedState read_state(const std::filesystem::path& checkpoint) {
  const CheckpointData data = read_checkpoint(checkpoint, world());
  SavedState state{data.step, data.time, std::vector<Real>(data.positions.size(), NAN),
                   std::vector<Real>(data.velocities.size(), NAN)};
  for (std::size_t i = 0; i < data.ids.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      state.positions.at(3 * static_cast<std::size_t>(data.ids[i]) + k) = data.positions[3 * i + k];
      state.velocities.at(3 * static_cast<std::size_t>(data.ids[i]) + k) = data.velocities[3 * i + k];
    }
  return state;
}

/// The state in the newest whole checkpoint of a run.
inline SavedState last_state(const std::filesystem::path& run) {
  const auto newest = newest_complete_checkpoint(run / "checkpoints");
  if (!newest) throw std::runtime_error(run.string() + " has no checkpoint");
  return read_state(*newest);
}

inline void expect_same_bits(const SavedState& a, const SavedState& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  EXPECT_FALSE(a.positions.empty());
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.velocities, b.velocities);
}

/// Largest difference relative to the largest value.
inline Real difference(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.size() != b.size() || a.empty()) return INFINITY;
  Real most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i]));
  }
  return most / size;
}

/// Times of the frames in the order of the PVD; every file that it names is there.
inline std::vector<double> frame_times(const std::filesystem::path& run) {
  const std::filesystem::path frames = run / "frames";
  std::vector<double> times;
  const std::string text = text_of(frames / "beam.pvd");
  const std::regex entry("timestep=\"([^\"]*)\"[^>]*file=\"([^\"]*)\"");
  for (std::sregex_iterator match(text.begin(), text.end(), entry), end; match != end; ++match) {
    times.push_back(std::stod((*match)[1]));
    EXPECT_TRUE(std::filesystem::exists(frames / (*match)[2].str())) << (*match)[2];
  }
  return times;
}

}  // namespace unbarred::test
