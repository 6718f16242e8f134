#pragma once
// Which surface triangles lie around a vertex: where a contact goes that slides off a triangle.
#include "contact/surface/surface.hpp"
#include "partitioning/index_map.hpp"

namespace unbarred {

/// Those of owned vertex v are triangles[offsets[v]] ..., by local vertex numbers in ascending order of global ids,
/// ascending.
struct TrianglesAround {
  View<const Index> offsets;
  View<const Triangle> triangles;
};

/// Complete for the vertices that this rank owns.
class SurfaceNeighbours {
 public:
  /// @note Collective
  SurfaceNeighbours(const Communicator& communicator, const IndexMap& map, const Surface& surface);

  TrianglesAround around() const { return {offsets_.view(), triangles_.view()}; }

 private:
  DeviceArray<Index> offsets_;  // owned vertices + 1
  DeviceArray<Triangle> triangles_;
};

/// Rank that owns a local vertex.
int owner_of(Index v, const IndexMap& map, int rank);

}  // namespace unbarred
