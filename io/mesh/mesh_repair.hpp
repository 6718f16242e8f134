#pragma once
// What `unbarred mesh weld` and `unbarred mesh orient` do to a mesh.
#include "io/mesh/mesh_data.hpp"

namespace unbarred {

struct WeldReport {
  GlobalIndex merged_vertices = 0;     ///< that went into an earlier one
  GlobalIndex collapsed_elements = 0;  ///< two of whose corners became one
  GlobalIndex duplicate_elements = 0;  ///< with the corners of an earlier one
  GlobalIndex unused_vertices = 0;
};

/// Merges vertices nearer to each other than tolerance x the diagonal of the bounding box (0: at one place) into the
/// first of them, then removes collapsed and duplicate elements and vertices without elements. tolerance: 0 .. 0.1.
WeldReport weld(MeshData& mesh, Real tolerance);

/// Length of the bounding box's diagonal.
Real diagonal_of(const std::vector<Vec3>& positions);

/// Removes vertices without elements; returns how many.
GlobalIndex drop_unused_vertices(MeshData& mesh);

struct OrientReport {
  GlobalIndex turned = 0;
  GlobalIndex conflicts = 0;  ///< edges of a surface that no orientation suits (a Moebius strip)
};

/// Tetrahedra become positive. The triangles of each edge-connected part get the orientation of its first one; a part
/// without rim then faces outwards.
OrientReport orient(MeshData& mesh);

}  // namespace unbarred
