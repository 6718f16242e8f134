// rod: {radius, length, cells, cells_along}: a round rod along x; cylinder: {radius, height, cells, cells_along}: the
// same upright, along y. Both centered at the origin; `cells` across the diameter, cells_along = 0 chooses cells about
// as long as wide.
#include "scene/cell_grid.hpp"
#include "scene/disk_map.hpp"

namespace unbarred {

namespace {

constexpr auto alternating = CellGrid::Cut::alternating, outward = CellGrid::Cut::outward;

class Rod final : public CellGrid {
 public:
  Rod(const std::array<GlobalIndex, 3>& cells, Real radius, Real length)
      : CellGrid(cells, {alternating, outward, outward}), radius_(radius), half_(0.5 * length) {}

 private:
  Vec3 position(const Vec3& at) const override {
    const auto [y, z] = on_unit_disk(at[1], at[2]);
    return {{half_ * at[0], radius_ * y, radius_ * z}};
  }

  Real radius_, half_;
};

class Cylinder final : public CellGrid {
 public:
  Cylinder(const std::array<GlobalIndex, 3>& cells, Real radius, Real height)
      : CellGrid(cells, {outward, alternating, outward}), radius_(radius), half_(0.5 * height) {}

 private:
  Vec3 position(const Vec3& at) const override {
    const auto [x, z] = on_unit_disk(at[0], at[2]);
    return {{radius_ * x, half_ * at[1], radius_ * z}};
  }

  Real radius_, half_;
};

}  // namespace

std::unique_ptr<TetrahedraSource> make_rod(const MeshSpec& spec) {
  const Real radius = positive_parameter(spec, "radius", 1)[0];
  const Real length = positive_parameter(spec, "length", 1)[0];
  const Real across = generator_parameter(spec, "cells", 1)[0];
  const Real along = cells_or(spec, "cells_along", across * length / (2 * radius));
  return std::make_unique<Rod>(checked_cells(spec, {along, across, across}), radius * spec.scale, length * spec.scale);
}

std::unique_ptr<TetrahedraSource> make_cylinder(const MeshSpec& spec) {
  const Real radius = positive_parameter(spec, "radius", 1)[0];
  const Real height = positive_parameter(spec, "height", 1)[0];
  const Real across = generator_parameter(spec, "cells", 1)[0];
  const Real along = cells_or(spec, "cells_along", across * height / (2 * radius));
  return std::make_unique<Cylinder>(checked_cells(spec, {across, along, across}), radius * spec.scale,
                                    height * spec.scale);
}

}  // namespace unbarred
