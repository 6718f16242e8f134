#include <atomic>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "cuda/cuda_check.hpp"

namespace unbarred::memory {

static std::atomic<std::size_t> current_bytes{0};
static std::atomic<std::size_t> peak_bytes{0};

void* allocate(std::size_t bytes) {
  void* pointer = nullptr;
  const cudaError_t status = cudaMalloc(&pointer, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // a later launch must not report this one again
    throw Error(ExitCode::out_of_capacity, "out of GPU memory: could not get " + std::to_string(bytes) +
                                               " bytes more (" + std::to_string(current_bytes.load()) +
                                               " in use on this rank)");
  }
  cuda_check(status, "allocating GPU memory");
#ifdef UNBARRED_CHECKED
  cuda_check(cudaMemset(pointer, 0xff, bytes), "poisoning fresh GPU memory");
#endif
  const std::size_t now = current_bytes += bytes;
  std::size_t seen = peak_bytes.load();
  while (now > seen && !peak_bytes.compare_exchange_weak(seen, now)) {
  }
  return pointer;
}

void deallocate(void* pointer, std::size_t bytes) noexcept {
  cudaFree(pointer);  // fails only when the process ends, with the memory already gone
  current_bytes -= bytes;
}

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  cuda_check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  cuda_check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
}
void copy_on_device(void* to, const void* from, std::size_t bytes) {
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copying on the GPU");
}
void zero(void* device, std::size_t bytes) { cuda_check(cudaMemsetAsync(device, 0, bytes), "zeroing GPU memory"); }

void synchronize(const char* label) {
  const std::string what = std::string("kernel '") + label + "'";
  cuda_check(cudaGetLastError(), what.c_str());
  cuda_check(cudaDeviceSynchronize(), what.c_str());
}

Usage usage() { return {current_bytes.load(), peak_bytes.load()}; }
void reset_peak() { peak_bytes = current_bytes.load(); }

}  // namespace unbarred::memory
