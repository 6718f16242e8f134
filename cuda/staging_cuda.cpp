// Pinned host copies for an MPI library that cannot take device pointers; none for one that can.
#include "partitioning/staging.hpp"

#include <algorithm>
#include <vector>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "cuda/cuda_check.hpp"

namespace unbarred {

/// What the library says at run time; libraries that cannot be asked get host memory.
static bool mpi_takes_device_pointers() {
#ifdef MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

/// Memory that only grows.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { cudaFreeHost(data_); }
  char* at_least(std::size_t bytes) {
    if (bytes > capacity_) {
      cudaFreeHost(data_);
      data_ = nullptr;
      capacity_ = 0;
      cuda_check(cudaMallocHost(&data_, bytes), "allocating pinned host memory for messages");
      capacity_ = bytes;
    }
    return static_cast<char*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Messages whose data lie in pinned memory, in the order of the device's messages.
class PinnedMessages {
 public:
  std::span<const Message> over(std::span<const Message> device) {
    std::size_t total = 0;
    for (const Message& message : device) total += padded(message.bytes);
    char* at = buffer_.at_least(total);
    messages_.assign(device.begin(), device.end());
    for (Message& message : messages_) {
      message.data = at;
      at += padded(message.bytes);
    }
    return messages_;
  }

 private:
  static std::size_t padded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  PinnedBuffer buffer_;
  std::vector<Message> messages_;
};

class HostStaging final : public Staging {
 public:
  std::span<const Message> outgoing(std::span<const Message> sends) override {
    const std::span<const Message> host = sends_.over(sends);
    for (std::size_t i = 0; i < sends.size(); ++i)
      cuda_check(cudaMemcpyAsync(host[i].data, sends[i].data, sends[i].bytes, cudaMemcpyDeviceToHost),
                 "copying a message from the GPU");
    cuda_check(cudaStreamSynchronize(nullptr), "waiting for messages from the GPU");
    return host;
  }
  std::span<const Message> incoming(std::span<const Message> receives) override {
    targets_.assign(receives.begin(), receives.end());
    return arrived_ = receives_.over(receives);
  }
  void deliver() override {
    for (std::size_t i = 0; i < targets_.size(); ++i)
      cuda_check(cudaMemcpyAsync(targets_[i].data, arrived_[i].data, targets_[i].bytes, cudaMemcpyHostToDevice),
                 "copying a message to the GPU");
    // The pinned bytes may be overwritten by the next exchange as soon as this returns.
    cuda_check(cudaStreamSynchronize(nullptr), "waiting for messages to the GPU");
  }
  const char* transport_name() const override { return "MPI through pinned host memory"; }

 private:
  PinnedMessages sends_, receives_;
  std::vector<Message> targets_;
  std::span<const Message> arrived_;
};

/// MPI reads and writes GPU memory itself, but does not know about running kernels.
class DevicePointers final : public Staging {
 public:
  std::span<const Message> outgoing(std::span<const Message> sends) override { return sends; }
  std::span<const Message> incoming(std::span<const Message> receives) override {
    cuda_check(cudaStreamSynchronize(nullptr), "waiting for kernels before an exchange");
    return receives;
  }
  void deliver() override {}
  const char* transport_name() const override { return "MPI with device pointers"; }
};

std::unique_ptr<Staging> make_staging() {
  if (mpi_takes_device_pointers()) return std::make_unique<DevicePointers>();
  return std::make_unique<HostStaging>();
}

}  // namespace unbarred
