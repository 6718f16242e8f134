// box: {size: [x, y, z], cells: n | [nx, ny, nz]}, centered at the origin. One number means n cells along the
// shortest side and cells that are as nearly cubes as possible.
#include "scene/cell_grid.hpp"

namespace unbarred {

namespace {

class Box final : public CellGrid {
 public:
  Box(const std::array<GlobalIndex, 3>& cells, const Vec3& size, Real scale)
      : CellGrid(cells, {Cut::alternating, Cut::alternating, Cut::alternating}), half_((0.5 * scale) * size) {}

 private:
  Vec3 position(const Vec3& at) const override { return {{at[0] * half_[0], at[1] * half_[1], at[2] * half_[2]}}; }

  Vec3 half_;
};

}  // namespace

std::unique_ptr<TetrahedraSource> make_box(const MeshSpec& spec) {
  const auto& size = positive_parameter(spec, "size", 3);
  const std::vector<Real> n = cells_along_sides(spec, size);
  return std::make_unique<Box>(checked_cells(spec, {n[0], n[1], n[2]}), Vec3{{size[0], size[1], size[2]}}, spec.scale);
}

}  // namespace unbarred
