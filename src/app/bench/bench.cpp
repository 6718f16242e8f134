#include "app/bench/bench.hpp"

#include <fmt/chrono.h>
#include <sys/resource.h>

#include <cstdlib>

#include "app/version.hpp"
#include "core/device.hpp"

namespace unbarred {

std::string bench_heading(const std::string& name, int ranks) {
  const char* threads = std::getenv("OMP_NUM_THREADS");
  return fmt::format("unbarred bench {}: {}, {} ranks, OMP_NUM_THREADS={}, {:%Y-%m-%d}, version {}\n", name,
                     choose_device(0, 1).name, ranks, threads ? threads : "unset", fmt::gmtime(std::time(nullptr)),
                     version_text());
}

double resident_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace unbarred
