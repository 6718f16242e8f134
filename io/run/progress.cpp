#include "io/run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/log.hpp"
#include "core/timer.hpp"
#include "io/run/log.hpp"

namespace unbarred {

std::string step_text(const StepRecord& record) {
  int cg = 0;
  for (const LinearSolveRecord& solve : record.solves) cg += solve.iterations;
  const auto total = record.wall.find("total");
  std::string text =
      fmt::format("step {:6}  t {:.6g} s  outer {:3}  cg {:5}", record.step, record.time, record.outer_iterations, cg);
  if (record.step_fraction_mean < 1) text += fmt::format("  fraction {:.2g}", record.step_fraction_mean);
  if (record.pairs > 0) text += fmt::format("  pairs {}", record.pairs);
  if (record.gap_min) text += fmt::format("  gap {:.2e} m", *record.gap_min);
  text += fmt::format("  kinetic {:.3e} J", record.energy.kinetic);
  if (total != record.wall.end()) text += fmt::format("  {:.3g} s/step", total->second);
  if (!record.converged)
    text += fmt::format("  UNFINISHED, residual {:.2e} m/s: {}", record.residual_speed, record.unfinished);
  return text;
}

std::string progress_bar(double fraction, std::optional<double> remaining_seconds) {
  constexpr int width = 30;
  const double part = std::clamp(fraction, 0.0, 1.0);
  const int full = static_cast<int>(std::floor(part * width));
  std::string text = fmt::format("[{}{}] {:3.0f} %", std::string(static_cast<std::size_t>(full), '#'),
                                 std::string(static_cast<std::size_t>(width - full), '-'), std::floor(100 * part));
  if (remaining_seconds) {
    const auto seconds = static_cast<long long>(std::llround(*remaining_seconds));
    text += fmt::format("  expected end in {}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
  return text;
}

Progress::Progress(Real start_time, Real end_time, bool shows)
    : start_time_(start_time),
      end_time_(end_time),
      time_(start_time),
      shows_(shows),
      bar_(shows && on_terminal()),
      clock_(wall_seconds()) {}

void Progress::step_done(const StepRecord& record) {
  const double now = wall_seconds();
  if (record.time > time_) {
    const double pace = (now - clock_) / (record.time - time_);
    constexpr double weight = 0.1;  // of the newest step: about the last ten steps count
    pace_ = pace_ ? *pace_ + weight * (pace - *pace_) : pace;
    remaining_ = *pace_ * std::max(end_time_ - record.time, 0.0);
  }
  time_ = record.time;
  clock_ = now;
  if (!shows_) return;
  log_info(step_text(record));
  if (!bar_) return;
  const double length = end_time_ - start_time_;
  std::fputs(progress_bar(length > 0 ? (time_ - start_time_) / length : 1, remaining_).c_str(), stdout);
  std::fflush(stdout);
}

void Progress::finish() const {
  if (!bar_) return;
  std::fputs("\r\033[K", stdout);
  std::fflush(stdout);
}

}  // namespace unbarred
