#pragma once
// Checked builds only: knows whether the calling thread is inside a kernel.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace unbarred {

inline thread_local int kernel_depth = 0;

/// Alive while a thread runs kernel bodies.
struct KernelScope {
  KernelScope() { ++kernel_depth; }
  ~KernelScope() { --kernel_depth; }
};

/// Ends the program: a wrong access is a defect of ours, never of the input.
inline void check_view_access(std::int64_t i, std::int64_t size) {
  if (kernel_depth > 0 && i >= 0 && i < size) return;
  std::fprintf(stderr, "unbarred: internal error: view element %lld of %lld touched %s a kernel\n",
               static_cast<long long>(i), static_cast<long long>(size), kernel_depth > 0 ? "inside" : "outside");
  std::abort();
}

}  // namespace unbarred
