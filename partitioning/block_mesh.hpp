#pragma once
// A mesh before partitioning: tetrahedra of bodies, and triangles of obstacles, which have no volume. Vertices,
// tetrahedra and triangles lie in contiguous blocks of their global numbers over the ranks (BlockDistribution). No
// rank holds more than its blocks.
#include <cstdint>
#include <vector>

#include "core/vec3.hpp"
#include "partitioning/index_map.hpp"

namespace unbarred {

struct GlobalTetrahedron {
  GlobalIndex v[4];  ///< positively oriented: det(x1-x0, x2-x0, x3-x0) > 0 at rest
};

struct GlobalTriangle {
  GlobalIndex v[3];  ///< counterclockwise seen from outside, where the surface has an outside
};

struct BlockMesh {
  BlockDistribution vertices, tetrahedra, triangles;  ///< the same on every rank
  std::vector<Vec3> positions;                        ///< this rank's vertex block, m
  std::vector<std::int32_t> vertex_body;              ///< this rank's vertex block: body number
  std::vector<GlobalTetrahedron> connectivity;        ///< this rank's tetrahedron block
  std::vector<std::int32_t> material;                 ///< this rank's tetrahedron block: material number
  std::vector<GlobalTriangle> surface;                ///< this rank's triangle block: obstacles only
};

}  // namespace unbarred
