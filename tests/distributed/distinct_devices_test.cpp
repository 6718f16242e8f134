#include "partitioning/distinct_devices.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/world.hpp"

namespace unbarred::test {

static DeviceInfo gpu(int number) {
  return {.name = "GPU", .uuid = "GPU-00000000-0000-0000-0000-00000000000" + std::to_string(number)};
}

TEST(DistinctDevices, FindsRanksThatShareAGpu) {
  EXPECT_FALSE(ranks_on_one_device(world(), gpu(world().rank())));
  // The last rank uses the GPU of rank 0, whatever number its launcher gave it.
  const int last = world().size() - 1;
  const auto pair = ranks_on_one_device(world(), gpu(world().rank() % std::max(last, 1)));
  if (last == 0) return;
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, std::pair(0, last));
}

TEST(DistinctDevices, RefusesSharingUnlessAskedFor) {
  unsetenv("UNBARRED_SHARE_GPU");
  EXPECT_NO_THROW(require_distinct_devices(world(), gpu(world().rank())));
  if (world().size() == 1) return;
  try {
    require_distinct_devices(world(), gpu(0));
    ADD_FAILURE() << "sharing was allowed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::launch_unusable);
  }
  setenv("UNBARRED_SHARE_GPU", "1", 1);
  EXPECT_NO_THROW(require_distinct_devices(world(), gpu(0)));
  unsetenv("UNBARRED_SHARE_GPU");
}

TEST(DistinctDevices, LetsRanksShareTheHost) {
  const DeviceInfo host{.name = "CPU", .uuid = "", .processors = 8, .memory_bytes = 1};
  EXPECT_NO_THROW(require_distinct_devices(world(), host));
}

}  // namespace unbarred::test
