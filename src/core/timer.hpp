#pragma once
// Wall time by phase on one rank. min/mean/max over ranks are made at the end of a run.
#include <chrono>
#include <map>
#include <string>

namespace unbarred {

/// Monotonic wall clock, s.
inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds a phase; the names are those of `wall` in steps.jsonl.
class PhaseTimes {
 public:
  void add(const std::string& phase, double seconds) { seconds_[phase] += seconds; }
  double operator[](const std::string& phase) const {
    const auto found = seconds_.find(phase);
    return found == seconds_.end() ? 0.0 : found->second;
  }
  const std::map<std::string, double>& all() const { return seconds_; }
  void clear() { seconds_.clear(); }

 private:
  std::map<std::string, double> seconds_;
};

/// Adds its lifetime to a phase.
class ScopedTimer {
 public:
  ScopedTimer(PhaseTimes& times, const char* phase) : times_(times), phase_(phase), start_(wall_seconds()) {}
  ~ScopedTimer() { times_.add(phase_, wall_seconds() - start_); }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  PhaseTimes& times_;
  const char* phase_;
  double start_;
};

}  // namespace unbarred
