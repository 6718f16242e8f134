#pragma once
// On which vertices and triangles of this rank the loads of a scene act: host memory only, so that a scene can be
// checked without a device.
#include <vector>

#include "dynamics/loads/boundary_faces.hpp"
#include "partitioning/communicator.hpp"
#include "scene/scene.hpp"

namespace unbarred {

struct SurfaceTriangle {
  Index v[3];  ///< local vertices, counter-clockwise seen from outside
};

/// A spring from a vertex to a fixed point.
struct VertexSpring {
  Index vertex;    ///< owned
  Real stiffness;  ///< N/m
  Vec3 point;      ///< m
};

/// A pressure on triangles, and the owned vertices on which it acts.
struct PressurePlan {
  Real pressure = 0;                       ///< Pa
  Real from = 0, to = 1e300;               ///< s
  bool closed = false;                     ///< the whole boundary of a body
  std::vector<SurfaceTriangle> triangles;  ///< all that touch an owned vertex; first those that this rank counts
  Index counted = 0;
  std::vector<Index> vertices;  ///< owned vertices of the triangles, ascending
  /// Triangles around vertices[i]: around[offsets[i]] ... around[offsets[i + 1] - 1].
  std::vector<Index> offsets, around;
};

struct LoadPlan {
  bool has_body_force = false;   ///< the same on every rank
  std::vector<Vec3> body_force;  ///< owned vertices, N; empty without
  std::vector<PressurePlan> pressures;
  std::vector<std::vector<VertexSpring>> springs;  ///< one a spring of the scene; a vertex once in each
};

/// scene_body as in selected_vertices(). Throws Error(bad_input) on all ranks for a selection that holds nothing.
/// @note Collective
LoadPlan plan_loads(const Scene& scene, const LocalMesh& mesh, const std::vector<int>& scene_body,
                    const Communicator& communicator);

}  // namespace unbarred
