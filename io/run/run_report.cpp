#include "io/run/run_report.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "dynamics/step_record.hpp"

namespace unbarred {

namespace {

struct Spread {
  std::vector<Real> smallest, mean, largest;
};

/// Over the ranks, entry by entry. Collective.
Spread spread(const std::vector<Real>& values, const Communicator& communicator) {
  Spread over{values, values, values};
  communicator.min(std::span<Real>(over.smallest));
  communicator.sum(std::span<Real>(over.mean));
  communicator.max(std::span<Real>(over.largest));
  for (Real& value : over.mean) value /= communicator.size();
  return over;
}

double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// Largest / mean, 1 when nothing was done.
double imbalance(double largest, double mean) { return mean > 0 ? largest / mean : 1; }

}  // namespace

std::string run_report(const PhaseTimes& times, const RunScale& scale, const Communicator& communicator) {
  // Columns: the phases (total first), what no phase names, work, bytes.
  std::vector<Real> mine;
  Real named = 0;
  for (const char* phase : step_phases) mine.push_back(times[phase]);
  for (std::size_t p = 1; p < step_phases.size(); ++p) named += mine[p];
  mine.push_back(times["total"] - named);
  mine.push_back(named - times["exchange"] - times["output"]);
  mine.push_back(static_cast<Real>(scale.memory_bytes));
  const Spread over = spread(mine, communicator);
  const int nodes = communicator.sum(static_cast<int>(communicator.node_rank() == 0));
  if (!communicator.is_root()) return "";

  constexpr std::size_t exchange = 7, other = step_phases.size(), work = other + 1, bytes = other + 2;
  static_assert(std::string_view(step_phases[exchange]) == "exchange");
  const double total = over.mean[0];
  const auto row = [&](const char* name, std::size_t i) {
    return fmt::format("{:<14}{:>11.3f}{:>11.3f}{:>11.3f}{:>9.1f} %\n", name, over.smallest[i], over.mean[i],
                       over.largest[i], share(over.mean[i], total));
  };
  std::string text = fmt::format("{:<14}{:>11}{:>11}{:>11}{:>11}\n", "phase", "min s", "mean s", "max s", "share");
  for (std::size_t p = 1; p < step_phases.size(); ++p) text += row(step_phases[p], p);
  text += row("other", other) + row("total", 0);

  const double balance = imbalance(over.largest[work], over.mean[work]);
  constexpr double mebi = 1024.0 * 1024.0;
  text += fmt::format("load balance (largest / mean work): {:.3f}\n", balance);
  text += fmt::format("memory a rank, MiB: min {:.1f}, mean {:.1f}, max {:.1f}\n", over.smallest[bytes] / mebi,
                      over.mean[bytes] / mebi, over.largest[bytes] / mebi);
  const double wall = over.largest[0];
  const auto steps = static_cast<double>(scale.steps);
  text += fmt::format(
      "scaling: nodes {}, ranks {}, vertices {}, tetrahedra {}, steps {}, wall {:.4g} s, {:.4g} s/step, "
      "{:.4g} vertex-steps/s/rank, load balance {:.3f}, exchange {:.1f} %",
      nodes, communicator.size(), scale.vertices, scale.tetrahedra, scale.steps, wall, steps > 0 ? wall / steps : 0,
      wall > 0 ? static_cast<double>(scale.vertices) * steps / wall / communicator.size() : 0, balance,
      share(over.mean[exchange], total));
  return text;
}

}  // namespace unbarred
