#pragma once
// Grids of quadrangles, two triangles each, computed from their numbers alone: the base of the surface generators.
#include <array>

#include "scene/tetrahedra_source.hpp"

namespace unbarred {

/// Vertices and triangles of a surface that knows each by its number.
class NumberedSurface : public SurfaceSource {
 public:
  std::vector<Vec3> vertices(const Communicator& communicator, GlobalIndex begin, GlobalIndex end) const override;
  std::vector<GlobalTriangle> triangles(const Communicator& communicator, GlobalIndex begin,
                                        GlobalIndex end) const override;

 private:
  virtual Vec3 vertex(GlobalIndex number) const = 0;
  virtual GlobalTriangle triangle(GlobalIndex number) const = 0;
};

/// counts[0] x counts[1] cells; along the first axis the surface may be closed. Seen from where the first axis goes
/// to the right and the second one up, triangles are counterclockwise.
class SurfaceGrid : public NumberedSurface {
 public:
  SurfaceGrid(const std::array<GlobalIndex, 2>& counts, bool closed) : counts_(counts), closed_(closed) {}
  GlobalIndex vertex_count() const override { return columns() * (counts_[1] + 1); }
  GlobalIndex triangle_count() const override { return 2 * counts_[0] * counts_[1]; }

 private:
  Vec3 vertex(GlobalIndex number) const override;
  GlobalTriangle triangle(GlobalIndex number) const override;
  /// A grid point, given by coordinates in [-1, 1]; 1 is left out along the closed axis.
  virtual Vec3 position(Real u, Real v) const = 0;
  GlobalIndex columns() const { return counts_[0] + (closed_ ? 0 : 1); }

  std::array<GlobalIndex, 2> counts_;
  bool closed_;
};

/// The surface of a block of counts[0] x counts[1] x counts[2] cells: closed, triangles counterclockwise from outside.
class BlockSurface : public NumberedSurface {
 public:
  explicit BlockSurface(const std::array<GlobalIndex, 3>& counts) : n_(counts) {}
  GlobalIndex vertex_count() const override { return 2 * layer() + (n_[2] - 1) * ring(); }
  GlobalIndex triangle_count() const override { return 4 * n_[0] * n_[1] + 2 * n_[2] * ring(); }

 private:
  Vec3 vertex(GlobalIndex number) const override;
  GlobalTriangle triangle(GlobalIndex number) const override;
  /// A grid point of the surface, given by coordinates in [-1, 1].
  virtual Vec3 position(const Vec3& at) const = 0;

  GlobalIndex layer() const { return (n_[0] + 1) * (n_[1] + 1); }
  GlobalIndex ring() const { return 2 * (n_[0] + n_[1]); }
  /// Around a layer: (i, j) of the ring's point `at`, counterclockwise from above; and back.
  std::array<GlobalIndex, 2> ring_point(GlobalIndex at) const;
  GlobalIndex ring_number(GlobalIndex i, GlobalIndex j) const;
  GlobalIndex number(GlobalIndex i, GlobalIndex j, GlobalIndex k) const;

  std::array<GlobalIndex, 3> n_;
};

/// One generator each; throw Error(bad_input) at spec.place.
std::unique_ptr<SurfaceSource> make_plane(const MeshSpec& spec);
std::unique_ptr<SurfaceSource> make_box_surface(const MeshSpec& spec);
std::unique_ptr<SurfaceSource> make_plate(const MeshSpec& spec);
std::unique_ptr<SurfaceSource> make_sphere(const MeshSpec& spec);
std::unique_ptr<SurfaceSource> make_bowl(const MeshSpec& spec);
std::unique_ptr<SurfaceSource> make_tube(const MeshSpec& spec);
std::unique_ptr<SurfaceSource> make_funnel(const MeshSpec& spec);

}  // namespace unbarred
