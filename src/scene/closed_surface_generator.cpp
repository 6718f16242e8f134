// box: {size: [x, y, z], cells: n | [nx, ny, nz]}; plate: {size: [x, y, z], cells: n | [nx, nz]}: a flat box, one cell
// thick in y; sphere: {radius, cells}: the surface of a cube of cells x cells x cells, blown up. All closed, centered
// at the origin.
#include <cmath>

#include "scene/cell_grid.hpp"
#include "scene/surface_grid.hpp"

namespace unbarred {

namespace {

class BoxSurface final : public BlockSurface {
 public:
  BoxSurface(const std::array<GlobalIndex, 3>& cells, const std::vector<Real>& size, Real scale)
      : BlockSurface(cells), half_((0.5 * scale) * Vec3{{size[0], size[1], size[2]}}) {}

 private:
  Vec3 position(const Vec3& at) const override { return {{at[0] * half_[0], at[1] * half_[1], at[2] * half_[2]}}; }

  Vec3 half_;
};

class Sphere final : public BlockSurface {
 public:
  Sphere(const std::array<GlobalIndex, 3>& cells, Real radius) : BlockSurface(cells), radius_(radius) {}

 private:
  /// Grid lines of equal angles, as on the ball's surface.
  Vec3 position(const Vec3& at) const override {
    Vec3 direction;
    for (int axis = 0; axis < 3; ++axis) direction[axis] = std::tan(M_PI / 4 * at[axis]);
    return (radius_ / std::sqrt(squared_norm(direction))) * direction;
  }

  Real radius_;
};

}  // namespace

std::unique_ptr<SurfaceSource> make_box_surface(const MeshSpec& spec) {
  const auto& size = positive_parameter(spec, "size", 3);
  const std::vector<Real> n = cells_along_sides(spec, size);
  return std::make_unique<BoxSurface>(checked_cells(spec, {n[0], n[1], n[2]}), size, spec.scale);
}

std::unique_ptr<SurfaceSource> make_plate(const MeshSpec& spec) {
  const auto& size = positive_parameter(spec, "size", 3);
  const std::vector<Real> n = cells_along_sides(spec, {size[0], size[2]});
  return std::make_unique<BoxSurface>(checked_cells(spec, {n[0], 1, n[1]}), size, spec.scale);
}

std::unique_ptr<SurfaceSource> make_sphere(const MeshSpec& spec) {
  const Real radius = positive_parameter(spec, "radius", 1)[0];
  const Real n = generator_parameter(spec, "cells", 1)[0];
  return std::make_unique<Sphere>(checked_cells(spec, {n, n, n}), radius * spec.scale);
}

}  // namespace unbarred
