#pragma once
// CUDA return codes become our errors.
#include <cuda_runtime.h>

namespace unbarred {

/// True for what a machine without a usable GPU answers. A program that links the runtime statically but finds no
/// driver sees cudaErrorInsufficientDriver, one with a driver but no GPU cudaErrorNoDevice.
bool means_no_device(cudaError_t status);

/// Throws Error for anything but cudaSuccess: launch_unusable without a device, out_of_capacity without memory, else
/// internal. `what` says what was tried.
void cuda_check(cudaError_t status, const char* what);

}  // namespace unbarred
