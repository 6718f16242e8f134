#pragma once
// Do two ranks use the same GPU? Only the identities of the GPUs tell: a launcher may show every rank one GPU and
// call each of them number 0.
#include <optional>
#include <utility>

#include "core/device.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// Two ranks that use one device, if there are any; the same pair on every rank. @note Collective
std::optional<std::pair<int, int>> ranks_on_one_device(const Communicator& communicator, const DeviceInfo& device);

/// Throws Error(launch_unusable) on all ranks when two share a GPU, unless the environment variable
/// UNBARRED_SHARE_GPU is 1. @note Collective
void require_distinct_devices(const Communicator& communicator, const DeviceInfo& device);

}  // namespace unbarred
