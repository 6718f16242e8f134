#pragma once
// Where the meshes of bodies (tetrahedra) and of obstacles (triangles only) come from, without any rank holding all
// of one: every rank asks for the range of vertices and elements that falls to it.
#include <memory>
#include <vector>

#include "core/vec3.hpp"
#include "partitioning/block_mesh.hpp"
#include "partitioning/communicator.hpp"
#include "scene/scene.hpp"

namespace unbarred {

class VertexSource {
 public:
  virtual ~VertexSource() = default;
  virtual GlobalIndex vertex_count() const = 0;
  /// Vertices [begin, end) of the mesh, in its own frame, m. The ranges of ranks 0, 1, ... ascend and do not
  /// overlap. @note Collective
  virtual std::vector<Vec3> vertices(const Communicator& communicator, GlobalIndex begin, GlobalIndex end) const = 0;
};

class TetrahedraSource : public VertexSource {
 public:
  virtual GlobalIndex tetrahedron_count() const = 0;
  /// Tetrahedra [begin, end), vertex numbers of the body, positively oriented. @note Collective
  virtual std::vector<GlobalTetrahedron> tetrahedra(const Communicator& communicator, GlobalIndex begin,
                                                    GlobalIndex end) const = 0;
  /// Named parts (physical groups of a mesh file); the same on every rank.
  virtual std::vector<std::string> region_names() const { return {}; }
  /// Of the tetrahedra [begin, end): numbers in region_names(), -1 for those in none. @note Collective
  virtual std::vector<std::int32_t> regions(const Communicator&, GlobalIndex begin, GlobalIndex end) const {
    return std::vector<std::int32_t>(static_cast<std::size_t>(end - begin), -1);
  }
};

/// A triangulated surface without a volume; it may be open. Every vertex belongs to a triangle.
class SurfaceSource : public VertexSource {
 public:
  virtual GlobalIndex triangle_count() const = 0;
  /// Triangles [begin, end), vertex numbers of the surface, three distinct ones each, oriented as the mesh gives
  /// them. @note Collective
  virtual std::vector<GlobalTriangle> triangles(const Communicator& communicator, GlobalIndex begin,
                                                GlobalIndex end) const = 0;
};

/// The generator that `spec` names; throws Error(bad_input) at spec.place for numbers out of range.
std::unique_ptr<TetrahedraSource> make_generator(const MeshSpec& spec);
/// As above, for surfaces.
std::unique_ptr<SurfaceSource> make_surface_generator(const MeshSpec& spec);

/// All bodies of the scene, placed and repeated, then all obstacles, placed, in blocks over the ranks. bodies[b]
/// belongs to scene.bodies[b], obstacles[o] to scene.obstacles[o].
/// Body numbers: scene bodies in order, the copies of a repeated body one after another; then the obstacles.
/// @note Collective
BlockMesh make_block_mesh(const Scene& scene, const std::vector<std::unique_ptr<TetrahedraSource>>& bodies,
                          const std::vector<std::unique_ptr<SurfaceSource>>& obstacles,
                          const Communicator& communicator);

}  // namespace unbarred
