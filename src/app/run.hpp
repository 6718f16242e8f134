#pragma once
// A simulation with its run folder: steps, frames, checkpoints, status, until the end or until it is asked to stop.
#include <optional>

#include "app/contact_checkpoint.hpp"
#include "app/frame_source.hpp"
#include "app/simulation.hpp"
#include "app/start_audit.hpp"
#include "app/stop_request.hpp"
#include "dynamics/output/reactions.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/frames/frame_writer.hpp"
#include "io/run/contact_log.hpp"
#include "io/run/progress.hpp"
#include "io/run/reaction_log.hpp"
#include "io/run/run_folder.hpp"
#include "io/run/step_log.hpp"

namespace unbarred {

class Run {
 public:
  struct Options {
    long long last_step = -1;                  ///< `--steps`: end after it; -1: at the end of the scene's time
    std::optional<std::int64_t> resumed_step;  ///< step of the checkpoint that this run goes on from
  };
  /// Keeps references to the simulation and the communicator. @note Collective
  Run(RunFolder folder, Simulation& simulation, const Communicator& communicator, const Options& options);
  Run(const Run&) = delete;  // the simulation calls back
  ~Run();

  /// Runs to the end. Throws Error: `stopped` after a request (a checkpoint is written), `not_converged` (the last
  /// good state is saved), `io_failed`. run_status.json says the same in every case. @note Collective
  void go();

 private:
  void loop();
  void step();
  void watch_iteration(int iteration, const std::string& unfinished);
  void audit(StepRecord& record) const;
  void complete(StepRecord& record, double seconds_of_output);
  void write_frame();
  /// contact: at the step that the state is of.
  void write_checkpoint(const std::optional<ContactState>& contact);
  RunStatus status(RunState state, ExitCode code, const std::string& message) const;
  void save_after(const Error& error);
  bool frame_due() const;
  bool checkpoint_due() const;
  std::int64_t end_step() const;

  RunFolder folder_;
  Simulation& simulation_;
  const Communicator& communicator_;
  Options options_;
  std::string scene_hash_, mesh_hash_;
  std::optional<ContactOutput> contact_output_;
  FrameSource source_;
  FrameWriter frames_;
  std::optional<FrameWriter> obstacle_frames_;  ///< a series of its own: obstacles have no stresses
  std::optional<FrameWriter> contact_frames_;
  std::optional<ContactLog> contact_log_;
  std::optional<Reactions> reactions_;
  std::optional<ReactionLog> reaction_log_;
  std::optional<ContactState> contact_at_start_;  ///< of the step that is under way, in case it fails
  std::optional<SceneAudit> audit_;               ///< every solver.audit steps
  CheckpointFolder checkpoints_;
  StepLog steps_;
  Progress progress_;
  StopRequest request_;
  PhaseTimes times_;
  std::string started_;
  std::string checkpoint_;        ///< newest complete one, relative to the run folder
  std::int64_t checkpoint_step_;  ///< its step, -1 without one
  double checkpoint_wall_;        ///< when it was written, s; at first the start of this process
  std::int64_t first_step_;       ///< of this process
};

/// Order-independent hash of rest positions, elements and bodies: the same on any rank count. @note Collective
std::string mesh_hash(const Simulation& simulation, const Communicator& communicator);

}  // namespace unbarred
