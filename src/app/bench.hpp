#pragma once
// Benchmarks print what they measured with machine, date and commit, so that a figure can be published as it is.
#include <string>

#include "partitioning/communicator.hpp"

namespace unbarred {

/// Title, machine, device, ranks and threads, date, version and commit.
std::string bench_heading(const std::string& name, int ranks);

/// Largest resident size of this process so far, bytes.
double resident_peak_bytes();

/// cells^3 x 6 tetrahedra. @note Collective
void bench_kernels(const Communicator& world, int cells);

}  // namespace unbarred
