// main() of every test binary: starts MPI once; a failure on any rank fails the binary on all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

#include "support/world.hpp"

namespace unbarred::test {
static Communicator* world_pointer = nullptr;
const Communicator& world() { return *world_pointer; }
}  // namespace unbarred::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
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
  MPI_Finalize();
  return failed;
}
