#include "app/version.hpp"

#include "git_version.hpp"
#include "io/run/run_status.hpp"
#include "linear/petsc/petsc_session.hpp"

namespace unbarred {

std::string git_commit() { return UNBARRED_GIT; }
std::string version_text() { return std::string(UNBARRED_VERSION) + " (" + git_commit() + ")"; }

std::string backend_name() {
#ifdef UNBARRED_CUDA
  return "cuda";
#else
  return "host";
#endif
}

std::map<std::string, std::string> all_library_versions() {
  std::map<std::string, std::string> versions = library_versions();
  versions["PETSc"] = petsc_version();
  versions["PT-Scotch"] = UNBARRED_SCOTCH_VERSION;
  return versions;
}

}  // namespace unbarred
