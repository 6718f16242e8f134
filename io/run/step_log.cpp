#include "io/run/step_log.hpp"

#include <charconv>

#include "io/text/files.hpp"
#include "io/text/json.hpp"

namespace unbarred {

namespace {

constexpr std::string_view line_start = "{\"step\":";

/// The step of a whole line; nothing for a line that was cut off.
std::optional<std::int64_t> line_step(std::string_view line) {
  if (!line.starts_with(line_start) || !line.ends_with('}')) return std::nullopt;
  std::int64_t step = 0;
  const auto [rest, problem] = std::from_chars(line.data() + line_start.size(), line.data() + line.size(), step);
  return problem == std::errc() ? std::optional(step) : std::nullopt;
}

std::string lines_until(const std::string& text, std::int64_t last_step) {
  std::string kept;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line(text.data() + begin, end - begin);
    if (line_step(line).value_or(last_step + 1) <= last_step) kept.append(line).append("\n");
  }
  return kept;
}

void write_solves(JsonWriter& json, const std::vector<LinearSolveRecord>& solves) {
  json.key("cg_iterations").begin_array();
  for (const LinearSolveRecord& solve : solves) json.value(solve.iterations);
  json.end_array().key("solves").begin_array();
  for (const LinearSolveRecord& solve : solves)
    json.begin_object()
        .field("iterations", solve.iterations)
        .field("reason", solve.reason)
        .field("residual", solve.residual)
        .end_object();
  json.end_array();
}

void write_wall(JsonWriter& json, const std::map<std::string, double>& wall) {
  json.key("wall").begin_object();
  for (const char* phase : step_phases) {
    const auto found = wall.find(phase);
    json.field(phase, found == wall.end() ? 0.0 : found->second);
  }
  json.end_object();
}

std::int64_t count_unfinished(std::string_view lines) {
  constexpr std::string_view mark = ",\"converged\":false,";
  std::int64_t count = 0;
  for (std::size_t at = 0; (at = lines.find(mark, at)) != std::string_view::npos; at += mark.size()) ++count;
  return count;
}

}  // namespace

std::string step_line(const StepRecord& record) {
  JsonWriter json;
  json.begin_object()
      .field("step", record.step)
      .field("time", record.time)
      .field("outer_iterations", record.outer_iterations)
      .field("step_fraction_mean", record.step_fraction_mean)
      .field("step_fraction_min", record.step_fraction_min)
      .field("remaining", record.remaining)
      .field("residual_speed", record.residual_speed)
      .field("residual_relative", record.residual_relative)
      .field("converged", record.converged);
  if (!record.converged) json.field("unfinished", record.unfinished);
  json.field("momentum_defect", record.momentum_defect).field("energy_change", record.energy_change);
  write_solves(json, record.solves);
  json.field("pairs", record.pairs)
      .field("pairs_active", record.pairs_active)
      .field("pairs_new", record.pairs_new)
      .field("gap_min", record.gap_min)
      .field("penalty", record.penalty)
      .field("offset", record.offset)
      .key("energy")
      .begin_object()
      .field("kinetic", record.energy.kinetic)
      .field("elastic", record.energy.elastic)
      .field("gravity", record.energy.gravity)
      .field("friction_loss", record.energy.friction_loss)
      .field("loads", record.energy.loads)
      .end_object()
      .field("momentum", record.momentum)
      .field("angular_momentum", record.angular_momentum)
      .field("intersections", record.intersections);
  write_wall(json, record.wall);
  json.field("imbalance", record.imbalance).field("memory_bytes", record.memory_bytes).end_object();
  return json.text();
}

StepLog::StepLog(std::filesystem::path file, const Communicator& communicator, std::optional<std::int64_t> resumed_step)
    : file_(std::move(file)), communicator_(communicator) {
  communicator_.agree([&] {
    if (!communicator_.is_root()) return;
    const bool continues = resumed_step && std::filesystem::exists(file_);
    const std::string kept = continues ? lines_until(read_file(file_), *resumed_step) : std::string();
    write_file(file_, kept);
    unfinished_ = count_unfinished(kept);
  });
  unfinished_ = communicator_.max(unfinished_);
}

void StepLog::append(const StepRecord& record) {
  communicator_.agree([&] {
    if (communicator_.is_root()) append_to_file(file_, step_line(record) + "\n");
  });
  if (!record.converged) ++unfinished_;
}

}  // namespace unbarred
