#pragma once
// Memory where kernels run: host memory in the host flavour, device memory in the CUDA flavour.
// memory_host.cpp and cuda/memory_cuda.cpp implement it; the build links one of them.
#include <cstddef>

namespace unbarred::memory {

/// 64-byte aligned (256 on a GPU). Throws Error(out_of_capacity) with the size asked for.
/// In checked builds fresh memory is filled with NaN bytes (0xff).
void* allocate(std::size_t bytes);
void deallocate(void* pointer, std::size_t bytes) noexcept;
void copy_to_device(void* device, const void* host, std::size_t bytes);
void copy_to_host(void* host, const void* device, std::size_t bytes);
void copy_on_device(void* to, const void* from, std::size_t bytes);
void zero(void* device, std::size_t bytes);
/// Waits until every launched kernel has ended; throws Error(internal) with the label of a failed one.
void synchronize(const char* label);

struct Usage {
  std::size_t current = 0;  ///< bytes held now through allocate()
  std::size_t peak = 0;     ///< largest `current` so far
};
Usage usage();
void reset_peak();

}  // namespace unbarred::memory
