#include "partitioning/distinct_devices.hpp"

#include <array>
#include <cstdlib>
#include <numeric>

namespace unbarred {

std::optional<std::pair<int, int>> ranks_on_one_device(const Communicator& communicator, const DeviceInfo& device) {
  using Identity = std::array<char, 48>;  // longer than "GPU-" and 36 characters
  Identity own{};
  device.uuid.copy(own.data(), own.size());
  const std::vector<Identity> all = communicator.all_gather(own);
  std::vector<int> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return all[a] < all[b]; });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (all[order[i]] != Identity{} && all[order[i]] == all[order[i - 1]]) return std::pair(order[i - 1], order[i]);
  return std::nullopt;
}

void require_distinct_devices(const Communicator& communicator, const DeviceInfo& device) {
  const auto pair = ranks_on_one_device(communicator, device);
  const char* allowed = std::getenv("UNBARRED_SHARE_GPU");
  communicator.agree([&] {
    if (pair && !(allowed && std::string(allowed) == "1"))
      throw Error(ExitCode::launch_unusable,
                  "ranks " + std::to_string(pair->first) + " and " + std::to_string(pair->second) +
                      " would share one GPU; start one rank a GPU, or set UNBARRED_SHARE_GPU=1 to allow it");
  });
}

}  // namespace unbarred
