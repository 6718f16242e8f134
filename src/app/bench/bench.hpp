#pragma once
// Benchmarks print what they measured with machine, date and commit, so that a figure can be published as it is.
#include <algorithm>
#include <string>
#include <vector>

#include "core/memory.hpp"
#include "core/timer.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// Title, machine, device, ranks and threads, date, version and commit.
std::string bench_heading(const std::string& name, int ranks);

/// Largest resident size of this process so far, bytes.
double resident_peak_bytes();

inline constexpr int bench_repetitions = 5;

/// Median over repetitions of the slowest rank's seconds. @note Collective
template <class F>
double seconds_of(const Communicator& world, F&& work) {
  std::vector<double> seconds;
  for (int i = 0; i < bench_repetitions; ++i) {
    world.barrier();
    const double start = wall_seconds();
    work();
    memory::synchronize("bench");
    seconds.push_back(world.max(wall_seconds() - start));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[bench_repetitions / 2];
}

/// cells^3 x 6 tetrahedra. @note Collective
void bench_kernels(const Communicator& world, int cells);

/// Trees, searches and step filters on a lattice of spheres of about so many triangles. @note Collective
void bench_contact(const Communicator& world, std::int64_t triangles);

/// How much more of a motion the lazy filter keeps than the global one: 10 clouds of 3,000 triangles, `draws` random
/// motions each, as in the table of the divide-and-truncate paper. @note Collective
void bench_retention(const Communicator& world, int draws);

/// Errors of a scene's steps against a converged reference, over what they cost. words: accuracy_usage().
/// @note Collective
void bench_accuracy(const Communicator& world, const std::vector<std::string>& words);

}  // namespace unbarred
