#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/error.hpp"
#include "core/memory.hpp"

namespace unbarred::memory {

static std::atomic<std::size_t> current_bytes{0};
static std::atomic<std::size_t> peak_bytes{0};

void* allocate(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* pointer = std::aligned_alloc(alignment, rounded);
  if (!pointer)
    throw Error(ExitCode::out_of_capacity, "out of memory: could not get " + std::to_string(bytes) + " bytes more (" +
                                               std::to_string(current_bytes.load()) + " in use on this rank)");
#ifdef UNBARRED_CHECKED
  std::memset(pointer, 0xff, rounded);
#endif
  const std::size_t now = current_bytes += bytes;
  std::size_t seen = peak_bytes.load();
  while (now > seen && !peak_bytes.compare_exchange_weak(seen, now)) {
  }
  return pointer;
}

void deallocate(void* pointer, std::size_t bytes) noexcept {
  std::free(pointer);
  current_bytes -= bytes;
}

void copy_to_device(void* device, const void* host, std::size_t bytes) { std::memcpy(device, host, bytes); }
void copy_to_host(void* host, const void* device, std::size_t bytes) { std::memcpy(host, device, bytes); }
void copy_on_device(void* to, const void* from, std::size_t bytes) { std::memmove(to, from, bytes); }
void zero(void* device, std::size_t bytes) { std::memset(device, 0, bytes); }
void synchronize(const char*) {}

Usage usage() { return {current_bytes.load(), peak_bytes.load()}; }
void reset_peak() { peak_bytes = current_bytes.load(); }

}  // namespace unbarred::memory
