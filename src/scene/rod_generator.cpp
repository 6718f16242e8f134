// rod: {radius, length, cells, cells_along}: a round rod along x, centered at the origin; `cells` across the
// diameter, cells_along = 0 chooses cells about as long as wide.
#include <algorithm>
#include <cmath>

#include "scene/cell_grid.hpp"

namespace unbarred {

namespace {

// The cross-section is a square mapped to the disk as the ball generator maps the cube; here the smallest
// dihedral angle is flat around this value.
constexpr Real core = 0.8;

class Rod final : public CellGrid {
 public:
  Rod(const std::array<GlobalIndex, 3>& cells, Real radius, Real length)
      : CellGrid(cells, {Cut::alternating, Cut::outward, Cut::outward}), radius_(radius), half_(0.5 * length) {}

 private:
  Vec3 position(const Vec3& at) const override {
    const Real m = std::max(std::abs(at[1]), std::abs(at[2]));
    if (m == 0) return {{half_ * at[0], 0, 0}};
    const Real y = std::tan(M_PI / 4 * (at[1] / m)), z = std::tan(M_PI / 4 * (at[2] / m));
    const Real on_circle = m * (m / std::sqrt(y * y + z * z)), inside = core * (1 - m);
    return {{half_ * at[0], radius_ * (inside * at[1] + on_circle * y), radius_ * (inside * at[2] + on_circle * z)}};
  }

  Real radius_, half_;
};

}  // namespace

std::unique_ptr<TetrahedraSource> make_rod(const MeshSpec& spec) {
  const Real radius = positive_parameter(spec, "radius", 1)[0];
  const Real length = positive_parameter(spec, "length", 1)[0];
  const Real across = generator_parameter(spec, "cells", 1)[0];
  Real along = generator_parameter(spec, "cells_along", 1)[0];
  if (along == 0) along = std::max<Real>(1, std::round(across * length / (2 * radius)));
  return std::make_unique<Rod>(checked_cells(spec, {along, across, across}), radius * spec.scale,
                               length * spec.scale);
}

}  // namespace unbarred
