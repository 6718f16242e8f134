#pragma once
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "partitioning/communicator.hpp"

namespace unbarred::test {

/// An empty folder that all ranks of the communicator see; removed with its content at the end.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const Communicator& communicator) : communicator_(communicator) {
    std::string name;
    if (communicator.is_root()) {
      name = (std::filesystem::temp_directory_path() / "unbarred_test_XXXXXX").string();
      if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make " + name);
    }
    path_ = communicator.broadcast(name, 0);
  }
  ~TemporaryFolder() {
    communicator_.barrier();
    std::error_code ignored;
    if (communicator_.is_root()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  const Communicator& communicator_;
  std::filesystem::path path_;
};

}  // namespace unbarred::test
