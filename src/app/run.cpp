#include "app/run.hpp"

#include <algorithm>
#include <cmath>

#include "app/mesh_bodies.hpp"
#include "app/outcome.hpp"
#include "app/version.hpp"
#include "core/log.hpp"
#include "core/sha256.hpp"
#include "io/run/run_report.hpp"
#include "io/text/files.hpp"

namespace unbarred {

static std::optional<ContactOutput> make_contact_output(Simulation& simulation, const Communicator& communicator) {
  if (!simulation.contact()) return std::nullopt;
  return std::make_optional<ContactOutput>(*simulation.contact(), simulation.map(), simulation.halo(), communicator,
                                           simulation.scene().time_step);
}

static std::vector<std::string> motion_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const MotionSpec& motion : scene.motions) names.push_back(motion.name);
  return names;
}

Run::Run(RunFolder folder, Simulation& simulation, const Communicator& communicator, const Options& options)
    : folder_(std::move(folder)),
      simulation_(simulation),
      communicator_(communicator),
      options_(options),
      scene_hash_(sha256(simulation.scene().resolved_yaml)),
      mesh_hash_(mesh_hash(simulation, communicator)),
      contact_output_(make_contact_output(simulation, communicator)),
      source_(simulation, simulation.scene().output.fields, contact_output_ ? &*contact_output_ : nullptr),
      frames_(folder_.frames(), simulation.scene().name, communicator, options.resumed_step),
      checkpoints_(folder_.checkpoints(), communicator, options.resumed_step),
      steps_(folder_.steps(), communicator, options.resumed_step),
      progress_(simulation.state().time, simulation.scene().end_time, communicator.is_root()),
      request_(folder_.path()),
      started_(utc_time()),
      checkpoint_step_(options.resumed_step.value_or(-1)),
      checkpoint_wall_(wall_seconds()),
      first_step_(simulation.state().step) {
  if (!simulation.scene().obstacles.empty())
    obstacle_frames_.emplace(folder_.frames(), simulation.scene().name + "_obstacles", communicator,
                             options.resumed_step);
  if (contact_output_) {
    contact_log_.emplace(folder_.contact_forces(), communicator,
                         mesh_body_names(simulation.scene(), simulation.mesh().scene_body), options.resumed_step);
    if (simulation.scene().output.contacts)
      contact_frames_.emplace(folder_.frames(), simulation.scene().name + "_contacts", communicator,
                              options.resumed_step, FrameFormat::lines);
  }
  if (!simulation.scene().motions.empty()) {
    reactions_.emplace(communicator, simulation.map(), simulation.plan(), simulation.motion(), simulation.stepper(),
                       Reactions::Options{.time_step = simulation.scene().time_step,
                                          .origin = simulation.scene().origin,
                                          .contact = contact_output_ ? &*contact_output_ : nullptr});
    reaction_log_.emplace(folder_.reaction_forces(), communicator, motion_names(simulation.scene()),
                          options.resumed_step);
  }
  if (options.resumed_step) {
    const auto newest = newest_complete_checkpoint(folder_.checkpoints());
    if (newest) checkpoint_ = newest->lexically_relative(folder_.path()).string();
  }
  if (simulation_.scene().solver.audit > 0) audit_.emplace(simulation_.scene(), simulation_.mesh(), communicator);
  simulation_.release_host_mesh();
}

Run::~Run() { simulation_.stepper().set_watch({}); }

void Run::go() {
  simulation_.stepper().set_watch(
      [this](int iteration, const std::string& unfinished) { watch_iteration(iteration, unfinished); });
  try {
    folder_.write_status(status(RunState::running, ExitCode::done, ""));
    loop();
  } catch (const std::exception&) {
    progress_.finish();
    save_after(error_in_flight());
    throw;
  }
}

std::int64_t Run::end_step() const {
  const State& state = simulation_.state();
  const Real left = (simulation_.scene().end_time - state.origin_time) / simulation_.scene().time_step;
  // A millionth of a step is rounding, not another step.
  const std::int64_t end = state.origin_step + static_cast<std::int64_t>(std::ceil(left - 1e-6));
  return options_.last_step >= 0 ? std::min<std::int64_t>(end, options_.last_step) : end;
}

void Run::loop() {
  const std::int64_t end = end_step();
  if (!options_.resumed_step) write_frame();
  while (simulation_.state().step < end) {
    step();
    const Request request = request_.poll(communicator_);
    const std::int64_t now = simulation_.state().step;
    if (checkpoint_due() || request != Request::none) write_checkpoint(contact_state(simulation_));
    if (request == Request::stop && now < end)
      throw Error(ExitCode::stopped, "stopped on request after step " + std::to_string(now) +
                                         "; continue with: unbarred resume " + folder_.path().string());
  }
  write_checkpoint(contact_state(simulation_));
  progress_.finish();
  const bool finished = simulation_.state().time >= simulation_.scene().end_time * (1 - 1e-9);
  folder_.write_status(status(finished ? RunState::done : RunState::stopped, ExitCode::done,
                              finished ? "" : "ended after step " + std::to_string(end) + " as asked by --steps"));
  const RunScale scale{.vertices = simulation_.map().global_size(),
                       .tetrahedra = simulation_.mesh().global_tetrahedra,
                       .steps = simulation_.state().step - first_step_,
                       .memory_bytes = static_cast<std::int64_t>(memory::usage().peak)};
  const std::string report = run_report(times_, scale, communicator_);
  if (!communicator_.is_root()) return;
  log_info(report);
  if (steps_.unfinished() > 0)
    log_warning(std::to_string(steps_.unfinished()) +
                " steps were accepted unfinished; `unfinished` in steps.jsonl says why");
}

// Steps that take long say so, and hear requests.
void Run::watch_iteration(int iteration, const std::string& unfinished) {
  constexpr int usual_iterations = 10, iterations_a_line = 25;
  if (iteration < usual_iterations) return;
  const std::int64_t now = simulation_.state().step;
  const std::string at = "step " + std::to_string(now + 1) + ", iteration " + std::to_string(iteration);
  if (iteration % iterations_a_line == 0 && communicator_.is_root()) log_info(at + ": " + unfinished);
  const Request request = request_.poll(communicator_);
  if (request == Request::checkpoint) write_checkpoint(contact_at_start_);
  if (request == Request::stop)
    throw Error(ExitCode::stopped, "stopped on request in " + at + "; continue after step " + std::to_string(now) +
                                       " with: unbarred resume " + folder_.path().string());
}

void Run::step() {
  contact_at_start_ = contact_state(simulation_);
  StepRecord record = simulation_.advance();
  audit(record);
  const double start = wall_seconds();
  if (frame_due()) write_frame();
  if (contact_log_) contact_log_->append(record.step, record.time, contact_output_->between_bodies());
  if (reactions_) reaction_log_->append(record.step, record.time, reactions_->of_step(simulation_.state()));
  complete(record, wall_seconds() - start);
  steps_.append(record);
  progress_.step_done(record);
  folder_.write_status(status(RunState::running, ExitCode::done, ""));
}

// By steps and by simulated time at their multiples, so that a resumed run writes the same ones; by the clock of rank 0
// since the last one.
bool Run::checkpoint_due() const {
  const OutputSpec& output = simulation_.scene().output;
  const State& state = simulation_.state();
  bool due = output.checkpoint_steps > 0 && state.step % output.checkpoint_steps == 0;
  if (output.checkpoint_time > 0) {
    const Real slack = 1e-6 * simulation_.scene().time_step;  // rounding of n h
    const auto number = [&](Real time) { return std::floor((time + slack) / output.checkpoint_time); };
    due |= number(state.time) > number(state.time - simulation_.scene().time_step);
  }
  if (output.checkpoint_wall > 0) {
    const bool late = communicator_.is_root() && wall_seconds() - checkpoint_wall_ >= output.checkpoint_wall;
    due |= communicator_.max(late ? 1 : 0) > 0;
  }
  return due;
}

void Run::audit(StepRecord& record) const {
  if (!audit_ || record.step % simulation_.scene().solver.audit != 0) return;
  const DistributedAuditReport report = audit_->of(simulation_.state().x.to_host());
  record.intersections = report.crossing + report.touching;
  if (simulation_.scene().contact && report.intersects())
    throw Error(ExitCode::internal, "the audit of step " + std::to_string(record.step) + " failed" +
                                        (communicator_.is_root() ? ": " + describe(report, audit_->body_names()) : ""));
}

bool Run::frame_due() const {
  const int every = simulation_.scene().output.every;
  const std::int64_t now = simulation_.state().step;
  return every > 0 && (now % every == 0 || now == end_step());
}

// Phases become means over ranks; this rank's own sums are kept for the table at the end.
void Run::complete(StepRecord& record, double seconds_of_output) {
  record.wall["output"] = seconds_of_output;
  record.wall["total"] += seconds_of_output;
  for (const auto& [phase, seconds] : record.wall) times_.add(phase, seconds);
  std::vector<Real> all;
  for (const char* phase : step_phases) all.push_back(record.wall[phase]);
  const Real work = record.wall["total"] - record.wall["exchange"] - seconds_of_output;
  all.push_back(work);
  all.push_back(static_cast<Real>(memory::usage().current));
  communicator_.sum(std::span<Real>(all));
  for (std::size_t i = 0; i < step_phases.size(); ++i) record.wall[step_phases[i]] = all[i] / communicator_.size();
  const Real mean = all[step_phases.size()] / communicator_.size();
  const Real most = communicator_.max(work);
  record.imbalance = mean > 0 ? most / mean : 1;
  record.memory_bytes = static_cast<std::int64_t>(all.back());
}

void Run::write_frame() {
  if (simulation_.scene().output.every == 0) return;
  const State& state = simulation_.state();
  source_.update();
  frames_.write(state.step, state.time, source_.piece(communicator_.rank()));
  if (obstacle_frames_) obstacle_frames_->write(state.step, state.time, source_.obstacle_piece(communicator_.rank()));
  if (contact_frames_) contact_frames_->write(state.step, state.time, source_.contact_piece());
}

void Run::write_checkpoint(const std::optional<ContactState>& contact) {
  const State& state = simulation_.state();
  if (checkpoint_step_ == state.step) return;
  const IndexMap& map = simulation_.map();
  CheckpointData data;
  data.step = state.step;
  data.time = state.time;
  data.time_step = simulation_.scene().time_step;
  data.scene_hash = scene_hash_;
  data.mesh_hash = mesh_hash_;
  data.vertex_count = map.global_size();
  data.tetrahedron_count = simulation_.mesh().global_tetrahedra;
  data.numbers = {{"origin_time", state.origin_time}, {"origin_step", static_cast<Real>(state.origin_step)}};
  for (int k = 0; k < 3; ++k) data.numbers[std::string("origin_") + "xyz"[k]] = simulation_.scene().origin[k];
  data.ids.assign(map.global_ids().begin(), map.global_ids().begin() + map.owned());
  std::vector<Vec3> x = state.x.to_host(), v = state.v.to_host();
  x.resize(data.ids.size());
  v.resize(data.ids.size());
  data.positions = flatten(x);
  data.velocities = flatten(v);
  save_contact(contact, data);
  checkpoint_ = checkpoints_.write(data).lexically_relative(folder_.path()).string();
  checkpoint_step_ = state.step;
  checkpoint_wall_ = wall_seconds();
}

RunStatus Run::status(RunState state, ExitCode code, const std::string& message) const {
  RunStatus status;
  status.state = state;
  status.exit_code = code;
  status.message = message;
  status.step = simulation_.state().step;
  status.time = simulation_.state().time;
  status.end_time = simulation_.scene().end_time;
  status.unfinished_steps = steps_.unfinished();
  status.remaining_seconds = progress_.remaining_seconds();
  status.checkpoint = checkpoint_;
  status.started = started_;
  status.ranks = communicator_.size();
  status.backend = backend_name();
  return status;
}

// The state is the one at the start of the failed step. A rank that fails alone can only say so; when all fail
// together the last good state is saved, unless the disk itself is the trouble.
void Run::save_after(const Error& error) {
  const RunState state = error.code() == ExitCode::stopped ? RunState::stopped : RunState::failed;
  const bool together = communicator_.all_arrive(failure_patience);
  try {
    const bool saves = error.code() == ExitCode::not_converged || error.code() == ExitCode::stopped;
    if (together && saves) write_checkpoint(contact_at_start_);
  } catch (const Error& second) {
    log_error(std::string("could not save the state: ") + second.what());
  }
  write_last_status(folder_, status(state, error.code(), error.what()), together);
}

}  // namespace unbarred
