#pragma once
// The contact problem of a scene.
#include <memory>

#include "dynamics/contact_problem.hpp"
#include "partitioning/local_mesh.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// Of scene.solver and scene.contact, which must be there; lengths in m.
ContactOptions contact_options(const Scene& scene, const LocalMesh& mesh);

/// guard may be null. Keeps references to all but the scene. @note Collective
std::unique_ptr<ContactProblem> make_contact(const Scene& scene, const LocalMesh& mesh,
                                             const Communicator& communicator, Transport& transport,
                                             const InversionGuard* guard);

}  // namespace unbarred
