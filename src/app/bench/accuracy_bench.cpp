// `unbarred bench accuracy`: a converged reference and the settings advance side by side, so that no trajectory has to
// be kept, and from one state where single steps are compared.
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/bench/accuracy_request.hpp"
#include "app/bench/bench.hpp"
#include "app/bench/trajectory_error.hpp"
#include "app/commands.hpp"
#include "app/start_audit.hpp"
#include "app/supported.hpp"
#include "core/device.hpp"
#include "io/text/csv_log.hpp"
#include "io/text/files.hpp"

namespace unbarred {

namespace {

/// A step of one setting: a line of the file.
struct Measurement {
  std::int64_t step = 0;
  TrajectoryError error;
  double iterations = 0, cg_iterations = 0, cpu_seconds = 0;
  int unfinished = 0;
};

struct Setting {
  std::string name;
  std::unique_ptr<Simulation> simulation;
  std::vector<Measurement> measured{};
  std::string failure{};  ///< why it takes no further step
};

double process_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// One step; its error is still to be measured.
Measurement advance(Simulation& simulation, const Communicator& world) {
  const double start = process_cpu_seconds();
  const StepRecord record = simulation.advance();
  Measurement step{.step = record.step, .error = {}, .iterations = Real(record.outer_iterations)};
  for (const LinearSolveRecord& solve : record.solves) step.cg_iterations += solve.iterations;
  step.unfinished = record.converged ? 0 : 1;
  step.cpu_seconds = world.sum(process_cpu_seconds() - start);
  return step;
}

/// The state of `from` with all that a step takes from the one before; both have the same vertices on each rank.
void copy_state(const Simulation& from, Simulation& to) {
  const State& state = from.state();
  to.state().x.assign(state.x);
  to.state().v.assign(state.v);
  to.state().time = to.state().origin_time = state.time;
  to.state().step = to.state().origin_step = state.step;
  if (to.contact()) to.contact()->restore(from.contact()->active().saved());
}

std::vector<GlobalIndex> owned_ids(const Simulation& simulation) {
  const IndexMap& map = simulation.map();
  return {map.global_ids().begin(), map.global_ids().begin() + map.owned()};
}

/// Vertex by vertex from the same start, at the same times.
void require_comparable(const Setting& setting, const Simulation& reference, const Communicator& world) {
  const Simulation& simulation = *setting.simulation;
  bool same = simulation.scene().time_step == reference.scene().time_step &&
              !simulation.contact() == !reference.contact() && owned_ids(simulation) == owned_ids(reference);
  if (same) {
    const std::vector<Vec3> x = simulation.state().x.to_host(), x_ref = reference.state().x.to_host();
    for (std::size_t i = 0; i < x.size(); ++i) same &= squared_norm(x[i] - x_ref[i]) == 0;
  }
  if (world.min(same ? 1 : 0) == 0)
    throw Error(ExitCode::bad_input, "bench accuracy: `" + setting.name +
                                         "` changes the mesh, the time step or whether bodies touch: it cannot be "
                                         "compared with the reference");
}

constexpr std::string_view csv_head =
    "step,setting,displacement_error,velocity_error,force_error,iterations,cg_iterations,cpu_seconds,unfinished\n";

std::string csv_line(const std::string& setting, const Measurement& m) {
  const auto text = [](Real error) { return std::isnan(error) ? "" : fmt::format("{:.6g}", error); };
  return fmt::format("{},{},{},{},{},{},{},{:.6g},{}\n", m.step, csv_text(setting), text(m.error.displacement),
                     text(m.error.velocity), text(m.error.force), m.iterations, m.cg_iterations, m.cpu_seconds,
                     m.unfinished);
}

class AccuracyBench {
 public:
  AccuracyBench(AccuracyRequest request, const Communicator& world) : request_(std::move(request)), world_(world) {
    world_.agree([&] { choose_device(world_.node_rank(), world_.node_size()); });
    reference_ = {"reference", simulation_of(with(request_.reference))};
    audit_start();
    add_setting("scene", {});
    for (const std::string& setting : request_.settings) add_setting(setting, {setting});
    if (request_.csv.empty()) request_.csv = "runs/" + reference().scene().name + "_accuracy.csv";
    std::error_code problem;  // is that of writing the file, which then says so
    const std::filesystem::path folder = std::filesystem::path(request_.csv).parent_path();
    if (world_.is_root() && !folder.empty()) std::filesystem::create_directories(folder, problem);
    file_.emplace(request_.csv, csv_head, world_, std::nullopt);
  }

  void go() {
    const std::vector<Vec3> start = reference().state().x.to_host();
    for (int step = 1; step <= request_.steps; ++step) {
      if (request_.states == 0) compare(start);
      else if (is_compared(step)) compare_one_step();
      else reference().advance();
    }
  }

  void print_table() const;

 private:
  Simulation& reference() const { return *reference_.simulation; }

  std::vector<std::string> with(const std::vector<std::string>& more) const {
    std::vector<std::string> all = request_.overrides;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::unique_ptr<Simulation> simulation_of(const std::vector<std::string>& overrides) {
    const Scene scene = load_scene(world_, request_.scene, overrides);
    refuse_what_is_not_yet(scene);
    // One PETSc, whose options are global, cannot serve several simulations of one process.
    if (scene.solver.linear.method != LinearSpec::Method::pcg)
      throw Error(ExitCode::bad_input, "bench accuracy: use solver.linear.method=pcg");
    return std::make_unique<Simulation>(scene, world_);
  }

  void audit_start() const {
    const Scene& scene = reference().scene();
    if (!scene.contact) return;
    const SceneAudit audit(scene, reference().mesh(), world_);
    audit.require_clean_start(audit.of(reference().state().x.to_host()), scene);
  }

  /// Unless an earlier one is the same.
  void add_setting(const std::string& name, const std::vector<std::string>& overrides) {
    Setting setting{name, simulation_of(with(overrides))};
    for (const Setting& earlier : settings_)
      if (earlier.simulation->scene().resolved_yaml == setting.simulation->scene().resolved_yaml) return;
    require_comparable(setting, reference(), world_);
    setting.simulation->release_host_mesh();
    settings_.push_back(std::move(setting));
  }

  /// After the last of every steps / states steps.
  bool is_compared(std::int64_t step) const {
    return step * request_.states / request_.steps > (step - 1) * request_.states / request_.steps;
  }

  void compare_one_step() {
    for (Setting& setting : settings_) copy_state(reference(), *setting.simulation);
    compare(reference().state().x.to_host());
  }

  /// One step of all; displacements count from `start`.
  void compare(const std::vector<Vec3>& start) {
    reference_.measured.push_back(advance(reference(), world_));
    std::string lines = csv_line(reference_.name, reference_.measured.back());
    for (Setting& setting : settings_)
      if (take_step(setting, start)) lines += csv_line(setting.name, setting.measured.back());
    file_->append(lines);
  }

  /// False when it does not come to its end, now or before.
  bool take_step(Setting& setting, const std::vector<Vec3>& start) {
    if (!setting.failure.empty()) return false;
    try {
      setting.measured.push_back(advance(*setting.simulation, world_));
    } catch (const Error& error) {
      if (error.code() != ExitCode::not_converged) throw;
      setting.failure = error.what();
      return false;
    }
    setting.measured.back().error = trajectory_error(*setting.simulation, reference(), start, world_);
    return true;
  }

  AccuracyRequest request_;
  const Communicator& world_;
  Setting reference_;
  std::vector<Setting> settings_;
  std::optional<CsvLog> file_;
};

/// Of a run the errors at its end, of single steps the largest; costs are means.
Measurement summary(const std::vector<Measurement>& steps, bool single_steps) {
  Measurement all;
  for (const Measurement& m : steps) {
    all.step = m.step;
    const auto take = [&](Real TrajectoryError::*error) {
      const Real now = m.error.*error;
      all.error.*error = single_steps && !(now >= all.error.*error) ? all.error.*error : now;
    };
    take(&TrajectoryError::displacement);
    take(&TrajectoryError::velocity);
    take(&TrajectoryError::force);
    const auto count = static_cast<double>(steps.size());
    all.iterations += m.iterations / count;
    all.cg_iterations += m.cg_iterations / count;
    all.cpu_seconds += m.cpu_seconds / count;
    all.unfinished += m.unfinished;
  }
  return all;
}

std::string error_text(Real error) { return std::isnan(error) ? "-" : fmt::format("{:.2e}", error); }

void print_row(const Setting& setting, bool single_steps, bool with_errors) {
  const Measurement m = summary(setting.measured, single_steps);
  const auto text = [&](Real error) { return with_errors ? error_text(error) : "-"; };
  fmt::print("{:<32} {:>12} {:>9} {:>9} {:>12.2f} {:>8.0f} {:>10.3g} {:>10}\n", setting.name,
             text(m.error.displacement), text(m.error.velocity), text(m.error.force), m.iterations, m.cg_iterations,
             m.cpu_seconds, m.unfinished);
  if (!setting.failure.empty()) fmt::print("  failed: {}\n", setting.failure);
}

void AccuracyBench::print_table() const {
  if (!world_.is_root()) return;
  const bool single_steps = request_.states > 0;
  fmt::print("{}{}: {} steps of {:g} s, {} tetrahedra; reference: {}\n", bench_heading("accuracy", world_.size()),
             reference().scene().name, request_.steps, reference().scene().time_step,
             reference().mesh().global_tetrahedra, fmt::join(request_.reference, ", "));
  if (single_steps) fmt::print("errors: the largest of one step from each of {} states\n\n", request_.states);
  else fmt::print("errors: after the last step\n\n");
  fmt::print("{:<32} {:>12} {:>9} {:>9} {:>12} {:>8} {:>10} {:>10}\n", "setting", "displacement", "velocity", "force",
             "iterations", "CG", "CPU s", "unfinished");
  print_row(reference_, single_steps, false);
  for (const Setting& setting : settings_) print_row(setting, single_steps, !setting.measured.empty());
  fmt::print("\niterations, CG and CPU s are means a step; unfinished: steps that were accepted so\n");
  if (const int unfinished = summary(reference_.measured, single_steps).unfinished; unfinished > 0)
    fmt::print("the reference itself is unfinished in {} of {} steps: errors are known only to its own\n", unfinished,
               reference_.measured.size());
  fmt::print("every step: {}\nplot: scripts/plot_accuracy.py {}\n", request_.csv, request_.csv);
}

}  // namespace

void bench_accuracy(const Communicator& world, const std::vector<std::string>& words) {
  AccuracyBench bench(parse_accuracy_request(words), world);
  std::optional<Error> failure;  // of the reference: what was measured before it is told all the same
  try {
    bench.go();
  } catch (const Error& error) {
    if (error.code() != ExitCode::not_converged) throw;
    failure = error;
  }
  bench.print_table();
  if (failure) throw *failure;
}

}  // namespace unbarred
