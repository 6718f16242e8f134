#pragma once
// The contact surface of one rank: what can touch and be touched. Boundary triangles of bodies (faces that one
// tetrahedron of the whole mesh has), triangles of obstacles, and their edges and vertices.
//
// Every primitive of the whole surface is owned by one rank: the owner of its smallest global vertex. That rank has all
// elements around this vertex, so it finds the primitive, and all faces at an edge, without asking anybody.
#include "contact/primitives.hpp"
#include "core/device_array.hpp"
#include "partitioning/communicator.hpp"
#include "partitioning/local_mesh.hpp"

namespace unbarred {

/// Over all ranks, each primitive once.
struct SurfaceCounts {
  GlobalIndex vertices = 0, edges = 0, triangles = 0;
  GlobalIndex border_edges = 0;        ///< of one triangle: the surface is open there
  GlobalIndex non_manifold_edges = 0;  ///< of three or more triangles
  GlobalIndex duplicate_faces = 0;     ///< triangles of obstacles that have the vertices of another one, which stays
  GlobalIndex overlapping_faces = 0;   ///< faces of three or more tetrahedra: none of them is part of the surface
};

/// Local vertex numbers; vertices may be ghosts, except the first of each primitive. Primitives are ordered by body,
/// then along a Morton curve of their centers at rest.
struct Surface {
  /// Start with their smallest global vertex; outward: counterclockwise seen from outside a body. Triangles of
  /// obstacles keep the orientation that their mesh gives them.
  DeviceArray<Triangle> owned_triangles;
  DeviceArray<Edge> owned_edges;  ///< smaller global vertex first
  DeviceArray<SurfaceVertex> owned_vertices;
  DeviceArray<std::int32_t> body;  ///< of every local vertex, surface or not
  SurfaceCounts counts;
};

/// Rest positions order the primitives; elements and bodies of `mesh` make them. @note Collective
Surface build_surface(const LocalMesh& mesh, const Communicator& communicator);

}  // namespace unbarred
