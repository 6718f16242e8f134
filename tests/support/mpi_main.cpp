// main() of every test binary: starts MPI once; a failure on any rank fails the binary on all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>

#include "support/world.hpp"

namespace unbarred::test {
static Communicator* world_pointer = nullptr;
const Communicator& world() { return *world_pointer; }
}  // namespace unbarred::test

// Open MPI keeps one session folder a user and host, and a process that ends removes it under one that starts, which
// then fails: 1 start in 30 when tests run side by side. So a process that nobody launched starts without one, and
// what a test launches gets a folder of its own, and none of the variables by which MPI_Init marks this process.
class OwnSession {
 public:
  OwnSession(int* argc, char*** argv) {
    std::string path = (std::filesystem::temp_directory_path() / "unbarred-XXXXXX").string();
    const bool launched = std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMI_SIZE") || std::getenv("PMIX_RANK");
    if (launched || !mkdtemp(path.data())) {
      MPI_Init(argc, argv);
      return;
    }
    folder_ = path;
    setenv("OMPI_MCA_orte_tmpdir_base", path.c_str(), 1);
    const std::set<std::string> before = variables();
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 1);
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
    MPI_Init(argc, argv);
    for (const std::string& name : variables())
      if (!before.contains(name)) unsetenv(name.c_str());
  }
  ~OwnSession() {
    MPI_Finalize();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

 private:
  static std::set<std::string> variables() {
    std::set<std::string> names;
    for (char** entry = environ; *entry; ++entry) names.insert(std::string(*entry, std::strcspn(*entry, "=")));
    return names;
  }
  std::filesystem::path folder_;
};

int main(int argc, char** argv) {
  const OwnSession session(&argc, &argv);
  int failed = 1;
  {
    unbarred::Communicator world(MPI_COMM_WORLD);
    unbarred::test::world_pointer = &world;
    testing::InitGoogleTest(&argc, argv);
    // Passing cases are printed by rank 0 only; failures by the rank that saw them.
    if (!world.is_root()) {
      auto& listeners = testing::UnitTest::GetInstance()->listeners();
      delete listeners.Release(listeners.default_result_printer());
      struct Failures : testing::EmptyTestEventListener {
        // Kept from the start of the test: GoogleTest holds its lock while it reports a part, so asking it then
        // for the current test would never return.
        std::string test;
        void OnTestStart(const testing::TestInfo& info) override {
          test = std::string(info.test_suite_name()) + "." + info.name();
        }
        void OnTestPartResult(const testing::TestPartResult& part) override {
          if (!part.failed()) return;
          std::fprintf(stderr, "[rank %d] %s %s:%d\n%s\n", unbarred::test::world().rank(), test.c_str(),
                       part.file_name() ? part.file_name() : "", part.line_number(), part.message());
        }
      };
      listeners.Append(new Failures);
    }
    failed = world.max(RUN_ALL_TESTS());
  }
  return failed;
}
