#pragma once
// Obstacles without files, and whole scenes of bodies and obstacles as block meshes.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "partitioning/partitioner.hpp"
#include "scene/tetrahedra_source.hpp"

namespace unbarred::test {

/// Vertices and triangles that every rank knows, handed out in blocks.
class ListedSurface final : public SurfaceSource {
 public:
  ListedSurface(std::vector<Vec3> vertices, std::vector<GlobalTriangle> triangles)
      : vertices_(std::move(vertices)), triangles_(std::move(triangles)) {}
  GlobalIndex vertex_count() const override { return static_cast<GlobalIndex>(vertices_.size()); }
  GlobalIndex triangle_count() const override { return static_cast<GlobalIndex>(triangles_.size()); }
  std::vector<Vec3> vertices(const Communicator&, GlobalIndex begin, GlobalIndex end) const override {
    return {vertices_.begin() + begin, vertices_.begin() + end};
  }
  std::vector<GlobalTriangle> triangles(const Communicator&, GlobalIndex begin, GlobalIndex end) const override {
    return {triangles_.begin() + begin, triangles_.begin() + end};
  }

 private:
  std::vector<Vec3> vertices_;
  std::vector<GlobalTriangle> triangles_;
};

/// A square of n x n cells with edge 1 in the plane z = 0, centered at the origin, seen from above.
inline ListedSurface square(GlobalIndex n) {
  std::vector<Vec3> vertices;
  std::vector<GlobalTriangle> triangles;
  for (GlobalIndex j = 0; j <= n; ++j)
    for (GlobalIndex i = 0; i <= n; ++i)
      vertices.push_back(
          {{static_cast<Real>(i) / static_cast<Real>(n) - 0.5, static_cast<Real>(j) / static_cast<Real>(n) - 0.5, 0}});
  for (GlobalIndex j = 0; j < n; ++j)
    for (GlobalIndex i = 0; i < n; ++i) {
      const GlobalIndex v = i + j * (n + 1);
      triangles.push_back({{v, v + 1, v + n + 2}});
      triangles.push_back({{v, v + n + 2, v + n + 1}});
    }
  return {vertices, triangles};
}

/// An obstacle of the scene; its mesh comes from a ListedSurface.
inline ObstacleSpec obstacle(const std::string& name, const Vec3& translate, Real degrees = 0) {
  ObstacleSpec spec;
  spec.name = name;
  spec.place.translate = translate;
  spec.place.axis = {{1, 0, 0}};
  spec.place.degrees = degrees;
  return spec;
}

/// Bodies from their generators; surfaces[o] is the mesh of scene.obstacles[o]. @note Collective
inline BlockMesh block_mesh(const Scene& scene, const std::vector<ListedSurface>& surfaces,
                            const Communicator& communicator) {
  std::vector<std::unique_ptr<TetrahedraSource>> bodies;
  std::vector<std::unique_ptr<SurfaceSource>> obstacles;
  for (const BodySpec& body : scene.bodies) bodies.push_back(make_generator(body.mesh));
  for (const ListedSurface& surface : surfaces) obstacles.push_back(std::make_unique<ListedSurface>(surface));
  return make_block_mesh(scene, bodies, obstacles, communicator);
}

}  // namespace unbarred::test
