#include "app/version.hpp"

#include "git_version.hpp"
#include "linear/petsc/petsc_session.hpp"

namespace unbarred {

std::string git_commit() { return UNBARRED_GIT; }
std::string version_text() { return std::string(UNBARRED_VERSION) + " (" + git_commit() + ")"; }

std::string compiler_text() {
#if defined(__clang__)
  return std::string("clang ") + __clang_version__;
#else
  return std::string("g++ ") + __VERSION__;
#endif
}

std::string backend_name() {
#ifdef UNBARRED_CUDA
  return "cuda";
#else
  return "host";
#endif
}

std::map<std::string, std::string> library_versions() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string mpi(text, static_cast<std::size_t>(length));
  mpi = mpi.substr(0, mpi.find(','));
  return {{"MPI", mpi},
          {"PETSc", petsc_version()},
          {"HDF5", UNBARRED_HDF5_VERSION},
          {"VTK", UNBARRED_VTK_VERSION},
          {"PT-Scotch", UNBARRED_SCOTCH_VERSION}};
}

}  // namespace unbarred
