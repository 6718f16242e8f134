#pragma once
// PETSc is started when the first solver needs it and ended before MPI is.
#include <string>

#include "partitioning/communicator.hpp"

namespace unbarred {

/// Options come from PETSC_OPTIONS, then `scene_options`, then `command_line` (after `--`): later ones win.
/// Throws Error(bad_input) when PETSc refuses an option string.
class PetscSession {
 public:
  /// @note Collective over `communicator`, which becomes PETSc's world.
  PetscSession(const Communicator& communicator, const std::string& scene_options, const std::string& command_line);
  ~PetscSession();
  PetscSession(const PetscSession&) = delete;
  PetscSession& operator=(const PetscSession&) = delete;
};

/// "3.18.5"
std::string petsc_version();

}  // namespace unbarred
