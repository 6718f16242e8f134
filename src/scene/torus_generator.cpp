// torus: {radius, tube_radius, cells, cells_around}: a ring around the y axis, centered at the origin; `radius` from
// the axis to the middle of the tube, `cells` across the tube, cells_around = 0 chooses cells about as long as wide.
#include "scene/cell_grid.hpp"
#include "scene/disk_map.hpp"

namespace unbarred {

namespace {

constexpr auto alternating = CellGrid::Cut::alternating, outward = CellGrid::Cut::outward;

/// Axes of the grid: around the ring, away from the axis, up.
class Torus final : public CellGrid {
 public:
  Torus(const std::array<GlobalIndex, 3>& cells, Real radius, Real tube_radius)
      : CellGrid(cells, {alternating, outward, outward}, 0), radius_(radius), tube_radius_(tube_radius) {}

 private:
  Vec3 position(const Vec3& at) const override {
    const auto [u, v] = on_unit_disk(at[1], at[2]);
    const Real angle = M_PI * at[0], distance = radius_ + tube_radius_ * u;
    return {{distance * std::cos(angle), tube_radius_ * v, distance * std::sin(angle)}};
  }

  Real radius_, tube_radius_;
};

}  // namespace

std::unique_ptr<TetrahedraSource> make_torus(const MeshSpec& spec) {
  const Real radius = positive_parameter(spec, "radius", 1)[0];
  const Real tube_radius = positive_parameter(spec, "tube_radius", 1)[0];
  if (tube_radius >= radius)
    throw bad_input(spec.place, "`tube_radius` of `torus` must be less than `radius`: the ring has no hole otherwise");
  const Real across = generator_parameter(spec, "cells", 1)[0];
  const Real around = std::max<Real>(cells_or(spec, "cells_around", across * M_PI * radius / tube_radius), 3);
  return std::make_unique<Torus>(checked_cells(spec, {around, across, across}), radius * spec.scale,
                                 tube_radius * spec.scale);
}

}  // namespace unbarred
