#pragma once
// Where MPI finds the bytes of a message. In the host flavour that is where the kernels left them; in the CUDA
// flavour it is pinned host memory, unless the MPI library takes device pointers.
// staging_host.cpp and cuda/staging_cuda.cpp implement it; the build links one of them.
#include <memory>
#include <span>

#include "partitioning/transport.hpp"

namespace unbarred {

class Staging {
 public:
  virtual ~Staging() = default;
  /// What MPI shall send: holds the bytes of `sends` as the kernels launched so far leave them. The result
  /// stays valid until the next call.
  virtual std::span<const Message> outgoing(std::span<const Message> sends) = 0;
  /// Where MPI shall receive. The result stays valid until the next call.
  virtual std::span<const Message> incoming(std::span<const Message> receives) = 0;
  /// All bytes have arrived in incoming(): brings them to where the kernels read them.
  virtual void deliver() = 0;
  /// Name of the transport that stages this way.
  virtual const char* transport_name() const = 0;
};

std::unique_ptr<Staging> make_staging();

}  // namespace unbarred
