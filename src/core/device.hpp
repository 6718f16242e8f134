#pragma once
// What the kernels of this rank run on: a GPU in the CUDA flavour, the host's cores in the other one.
// device_host.cpp and cuda/device_cuda.cpp implement it; the build links one of them.
#include <cstddef>
#include <string>

namespace unbarred {

struct DeviceInfo {
  std::string name;              ///< "NVIDIA ...", or the model of the CPU
  std::string uuid;              ///< of the GPU, "GPU-xxxxxxxx-...", the same on every rank; empty for a CPU
  int processors = 0;            ///< multiprocessors of the GPU, or logical cores of the host
  std::size_t memory_bytes = 0;  ///< of the GPU, or of the host
};

/// Takes the device of a rank by its number on the node, before anything else touches a device. With fewer devices
/// than ranks they are taken in turn: require_distinct_devices() then tells whether two ranks share one.
/// Throws Error(launch_unusable) when there is none.
DeviceInfo choose_device(int node_rank, int node_size);
/// The device that this process uses.
DeviceInfo current_device();

}  // namespace unbarred
