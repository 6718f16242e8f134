#pragma once
// Regions of mesh files (physical groups), for the tetrahedra that a rank holds.
#include <memory>
#include <vector>

#include "partitioning/local_mesh.hpp"
#include "scene/tetrahedra_source.hpp"

namespace unbarred {

/// True when a selection of the scene names a region.
bool uses_regions(const Scene& scene);

/// Fills mesh.regions and mesh.region, if the scene uses them, from the sources of its bodies, of which the mesh was
/// made.
/// @note Collective
void add_regions(const Scene& scene, const std::vector<std::unique_ptr<TetrahedraSource>>& sources,
                 const Communicator& communicator, LocalMesh& mesh);

}  // namespace unbarred
