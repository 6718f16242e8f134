#include <cstdio>

#include "core/device.hpp"
#include "core/error.hpp"
#include "cuda/cuda_check.hpp"

namespace unbarred {

static std::string text_of(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += hex;
  }
  return text;
}

DeviceInfo current_device() {
  int device = 0;
  cudaDeviceProp properties;
  cuda_check(cudaGetDevice(&device), "asking for the GPU in use");
  cuda_check(cudaGetDeviceProperties(&properties, device), "asking for the properties of the GPU");
  return {.name = properties.name,
          .uuid = text_of(properties.uuid),
          .processors = properties.multiProcessorCount,
          .memory_bytes = properties.totalGlobalMem};
}

DeviceInfo choose_device(int node_rank, int) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count == 0)
    throw Error(ExitCode::launch_unusable, "no CUDA device: none is visible (CUDA_VISIBLE_DEVICES, --gpus-per-node)");
  cuda_check(status, "counting GPUs");
  cuda_check(cudaSetDevice(node_rank % count), "taking a GPU");
  return current_device();
}

}  // namespace unbarred
