#pragma once
#include <memory>

#include "cuda/nccl_library.hpp"
#include "partitioning/transport.hpp"

namespace unbarred {

/// Device to device, on a stream of its own beside the kernels. Every rank needs a GPU of its own.
/// Throws Error(internal) on all ranks when NCCL cannot start. @note Collective
std::unique_ptr<Transport> make_nccl_transport(const Communicator& communicator, const NcclLibrary& nccl);

}  // namespace unbarred
