#pragma once
// The contact problem of a scene.
#include <memory>

#include "dynamics/contact/contact_problem.hpp"
#include "partitioning/local_mesh.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// Of scene.solver and scene.contact, which must be there; lengths in m. A friction_velocity that the scene leaves
/// open is 1e-3 of the diagonal of the box around the bodies at the start (IPC's rule, whose box holds all that
/// collides), a second: the same bits on any number of ranks. @note Collective
ContactOptions contact_options(const Scene& scene, const LocalMesh& mesh, const Communicator& communicator);

/// guard may be null. Keeps references to all but the scene. @note Collective
std::unique_ptr<ContactProblem> make_contact(const Scene& scene, const LocalMesh& mesh,
                                             const Communicator& communicator, Transport& transport,
                                             const InversionGuard* guard);

}  // namespace unbarred
