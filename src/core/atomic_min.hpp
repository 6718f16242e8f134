#pragma once
// The one atomic on numbers that we allow: a minimum does not depend on the order.
#include <atomic>
#include <cstring>

#include "core/types.hpp"

namespace unbarred {

/// target = min(target, value), for values that are not negative (+0 included, -0 not), safe among threads.
UNBARRED_FUNCTION void atomic_min(Real& target, Real value) {
#ifdef __CUDA_ARCH__
  // Bit patterns of non-negative numbers ascend with the numbers.
  atomicMin(reinterpret_cast<unsigned long long*>(&target), __double_as_longlong(value));
#else
  std::atomic_ref<Real> shared(target);
  Real seen = shared.load(std::memory_order_relaxed);
  while (value < seen && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
#endif
}

}  // namespace unbarred
