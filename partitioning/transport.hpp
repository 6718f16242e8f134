#pragma once
// Moves bytes between device memories of neighbouring ranks. MPI and NCCL stand behind one interface, so
// no algorithm knows which one carries its halo.
#include <cstddef>
#include <memory>
#include <span>

#include "partitioning/communicator.hpp"

namespace unbarred {

struct Message {
  int peer;
  void* data;         ///< where kernels run: host or device memory
  std::size_t bytes;  ///< agreed by both sides beforehand; never 0
};

class Transport {
 public:
  virtual ~Transport() = default;
  /// Starts one grouped exchange. Buffers must stay untouched until finish(). One exchange at a time.
  /// Messages between a pair of ranks arrive in the order given.
  virtual void begin(std::span<const Message> sends, std::span<const Message> receives) = 0;
  /// Returns when kernels launched afterwards see the received bytes and send buffers may be reused.
  virtual void finish() = 0;
  virtual const char* name() const = 0;
};

/// MPI point-to-point; in the CUDA flavour the bytes are staged through pinned host memory unless the MPI
/// library says that it takes device pointers. @note Collective
std::unique_ptr<Transport> make_mpi_transport(const Communicator& communicator);
/// The fastest transport of this flavour: NCCL in a CUDA build when the library opens, else MPI. @note Collective
std::unique_ptr<Transport> make_transport(const Communicator& communicator);

}  // namespace unbarred
