// plate_with_hole: {size: [x, y, z], radius, cells, cells_radial, cells_through}: a plate with a round hole along z
// through its middle, centered at the origin; `cells` along each of the four sides and so along a quarter of the hole.
// cells_radial, cells_through = 0 choose cells about as long as those at the hole are wide.
#include <cmath>

#include "scene/cell_grid.hpp"

namespace unbarred {

namespace {

constexpr auto alternating = CellGrid::Cut::alternating;

/// Axes of the grid: from the hole to the sides, around the hole, through the plate.
class PlateWithHole final : public CellGrid {
 public:
  PlateWithHole(const std::array<GlobalIndex, 3>& cells, const Vec3& half, Real radius)
      : CellGrid(cells, {alternating, alternating, alternating}, 1),
        half_(half),
        radius_(radius),
        growth_(std::min(half[0], half[1]) / radius) {}

 private:
  /// Straight lines from the hole to the sides; on them the cells grow in proportion to their distance from the center.
  Vec3 position(const Vec3& at) const override {
    const Real side = 2 * (at[1] + 1);  // 0 .. 4
    const int number = static_cast<int>(side);
    const Real along = 2 * (side - number) - 1;  // -1 .. 1 from corner to corner, counterclockwise
    const Real a = half_[number % 2], b = half_[1 - number % 2];
    const Real angle = along * std::atan2(b, a) + number * (M_PI / 2);
    const Real turn_x[4] = {1, 0, -1, 0}, turn_y[4] = {0, 1, 0, -1};  // of the side's normal
    const Real outer_x = a * turn_x[number] - b * along * turn_y[number];
    const Real outer_y = a * turn_y[number] + b * along * turn_x[number];
    const Real part = (std::pow(growth_, 0.5 * (at[0] + 1)) - 1) / (growth_ - 1);
    return {{(1 - part) * radius_ * std::cos(angle) + part * outer_x,
             (1 - part) * radius_ * std::sin(angle) + part * outer_y, half_[2] * at[2]}};
  }

  Vec3 half_;
  Real radius_, growth_;
};

}  // namespace

std::unique_ptr<TetrahedraSource> make_plate_with_hole(const MeshSpec& spec) {
  const auto& size = positive_parameter(spec, "size", 3);
  const Real radius = positive_parameter(spec, "radius", 1)[0];
  const Real narrow = std::min(size[0], size[1]);
  if (2 * radius >= narrow)
    throw bad_input(spec.place, "`radius` of `plate_with_hole` must be less than half of the plate's width");
  const Real cells = generator_parameter(spec, "cells", 1)[0];
  const Real width = 0.5 * M_PI * radius / cells;  // of a cell at the hole
  const Real radial = cells_or(spec, "cells_radial", std::log(0.5 * narrow / radius) * radius / width);
  const Real through = cells_or(spec, "cells_through", size[2] / width);
  const Vec3 half{{0.5 * spec.scale * size[0], 0.5 * spec.scale * size[1], 0.5 * spec.scale * size[2]}};
  return std::make_unique<PlateWithHole>(checked_cells(spec, {radial, 4 * cells, through}), half, radius * spec.scale);
}

}  // namespace unbarred
