#include <mpi.h>

#include "app/program.hpp"

// The only place that knows MPI_COMM_WORLD.
int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int code = 0;
  {
    const unbarred::Communicator world(MPI_COMM_WORLD);
    code = unbarred::run_program(world, argc, argv);
  }
  MPI_Finalize();
  return code;
}
