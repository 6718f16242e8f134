// ball: {radius, cells}: a cube of cells x cells x cells mapped onto the ball around the origin.
#include <algorithm>
#include <cmath>

#include "scene/cell_grid.hpp"

namespace unbarred {

namespace {

// Shells |u|_max = m of the cube become shells of the ball. At the surface the grid lines have equal angles (the
// tangent map of a cubed sphere); towards the center they blend into a plain grid of `core` times the size, chosen
// for the largest smallest dihedral angle (30.8 degrees or more up to 40 cells; 26 with core = 1/sqrt(3)).
constexpr Real core = 0.75;

class Ball final : public CellGrid {
 public:
  Ball(const std::array<GlobalIndex, 3>& cells, Real radius)
      : CellGrid(cells, {Cut::outward, Cut::outward, Cut::outward}), radius_(radius) {}

 private:
  Vec3 position(const Vec3& at) const override {
    const Real m = std::max({std::abs(at[0]), std::abs(at[1]), std::abs(at[2])});
    if (m == 0) return {{0, 0, 0}};
    Vec3 equiangular;
    for (int axis = 0; axis < 3; ++axis) equiangular[axis] = std::tan(M_PI / 4 * (at[axis] / m));
    const Real on_sphere = m / std::sqrt(squared_norm(equiangular));
    return radius_ * ((core * (1 - m)) * at + (m * on_sphere) * equiangular);
  }

  Real radius_;
};

}  // namespace

std::unique_ptr<TetrahedraSource> make_ball(const MeshSpec& spec) {
  const Real radius = positive_parameter(spec, "radius", 1)[0];
  const Real n = generator_parameter(spec, "cells", 1)[0];
  return std::make_unique<Ball>(checked_cells(spec, {n, n, n}), radius * spec.scale);
}

}  // namespace unbarred
