#pragma once
// What rank 0 shows while a run goes on: a line a step, and on a terminal a bar with the expected end.
#include <optional>
#include <string>

#include "dynamics/step_record.hpp"

namespace unbarred {

/// The line of a step: what one wants to see of it, in a width that fits a terminal.
std::string step_text(const StepRecord& record);

/// [#####-----]  42 %  expected end in 0:12:33
std::string progress_bar(double fraction, std::optional<double> remaining_seconds);

class Progress {
 public:
  /// Simulated times at which this process starts and at which the run ends, s. Only rank 0 has one that shows.
  Progress(Real start_time, Real end_time, bool shows);

  /// Logs the step; on a terminal draws the bar below it.
  void step_done(const StepRecord& record);
  /// Wall time to the end, s, from the pace of the recent steps; none before the first step.
  std::optional<double> remaining_seconds() const { return remaining_; }
  /// Wipes the bar.
  void finish() const;

 private:
  Real start_time_, end_time_, time_;
  bool shows_, bar_;
  double clock_;                // wall time at the end of the last step
  std::optional<double> pace_;  // wall seconds per simulated second, smoothed
  std::optional<double> remaining_;
};

}  // namespace unbarred
