#include <unistd.h>

#include <fstream>
#include <thread>

#include "core/device.hpp"

namespace unbarred {

static std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0)
      if (const std::size_t value = line.find_first_not_of(" \t", line.find(':') + 1); value != std::string::npos)
        return line.substr(value);
  return "CPU";
}

DeviceInfo current_device() {
  return {.name = cpu_model(),
          .uuid = "",
          .processors = static_cast<int>(std::thread::hardware_concurrency()),
          .memory_bytes =
              static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))};
}

DeviceInfo choose_device(int, int) { return current_device(); }

}  // namespace unbarred
