#include "cuda/cuda_check.hpp"

#include "core/error.hpp"

namespace unbarred {

bool means_no_device(cudaError_t status) {
  return status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver;
}

void cuda_check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a later launch must not report this one again
  const std::string reason = cudaGetErrorString(status);
  if (means_no_device(status))
    throw Error(ExitCode::launch_unusable,
                "no CUDA device: " + reason + "; run where a GPU and its driver are, or use the host build");
  if (status == cudaErrorMemoryAllocation)
    throw Error(ExitCode::out_of_capacity, "out of memory on the GPU or of pinned host memory: " + std::string(what));
  throw Error(ExitCode::internal, std::string(what) + ": " + reason);
}

}  // namespace unbarred
