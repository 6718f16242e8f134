#pragma once
// The mesh of one rank after partitioning, on the host. "Row-complete": every tetrahedron and every obstacle's triangle
// that touches an owned vertex is present, so that the rows of owned vertices need no sum across ranks.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "partitioning/index_map.hpp"

namespace unbarred {

/// A named part of a body of the scene.
struct MeshRegion {
  int body;
  std::string name;
};

struct LocalMesh {
  IndexMap map;
  std::vector<Vec3> rest_positions;              ///< local vertices, m
  std::vector<std::int32_t> vertex_body;         ///< local vertices: body of the mesh
  std::vector<std::array<Index, 4>> tetrahedra;  ///< local vertex numbers; by material, then along a Morton curve
  std::vector<GlobalIndex> tetrahedron_ids;      ///< global numbers
  std::vector<std::int32_t> material;            ///< per tetrahedron, ascending
  std::vector<std::uint8_t> counted;             ///< 1 on the rank that counts it: owner of its smallest vertex
  GlobalIndex global_tetrahedra = 0;
  std::vector<std::array<Index, 3>> triangles;  ///< of obstacles: local vertex numbers, along a Morton curve
  std::vector<GlobalIndex> triangle_ids;        ///< global numbers
  std::vector<std::uint8_t> triangle_counted;   ///< as `counted`
  GlobalIndex global_triangles = 0;
  std::vector<std::int32_t> region{};  ///< per tetrahedron: number in `regions` or -1; empty unless asked for
  std::vector<MeshRegion> regions{};
  /// Per body of the mesh, ascending, the same on every rank: body of the scene; obstacle o is body bodies.size() + o.
  std::vector<int> scene_body{};
};

}  // namespace unbarred
