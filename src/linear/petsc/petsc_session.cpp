#include "linear/petsc/petsc_session.hpp"

#include <petscsys.h>

namespace unbarred {

PetscSession::PetscSession(const Communicator& communicator, const std::string& scene_options,
                           const std::string& command_line) {
  PETSC_COMM_WORLD = communicator.handle();
  // Our own signal handling and floating-point rules stay in force.
  PetscErrorCode code = PetscInitializeNoArguments();
  if (!code) code = PetscPopSignalHandler();
  for (const std::string* options : {&scene_options, &command_line})
    if (!code && !options->empty()) code = PetscOptionsInsertString(nullptr, options->c_str());
  if (code) throw Error(ExitCode::bad_input, "PETSc refused its options: " + scene_options + " " + command_line);
}

PetscSession::~PetscSession() { PetscFinalize(); }

std::string petsc_version() {
  return std::to_string(PETSC_VERSION_MAJOR) + "." + std::to_string(PETSC_VERSION_MINOR) + "." +
         std::to_string(PETSC_VERSION_SUBMINOR);
}

}  // namespace unbarred
