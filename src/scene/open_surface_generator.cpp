// Surfaces with a rim; y is up.
//   plane: {size: [x, z], cells: n | [nx, nz]}: at y = 0, facing up
//   bowl: {radius, degrees, cells}: the part of a sphere around the origin that lies within `degrees` of its lowest
//   point tube: {radius, height, cells_around, cells_along}: around the y axis, centered at the origin funnel: {radius,
//   height, spout_radius, spout_height, cells_around, cells_along}: a cone that opens upwards from y = 0
//           on a tube that hangs below it
// cells_along = 0 chooses cells about as long as wide.
#include <cmath>

#include "scene/cell_grid.hpp"
#include "scene/disk_map.hpp"
#include "scene/surface_grid.hpp"

namespace unbarred {

namespace {

// Grids over x and z look down when x goes right and z up: the first axis is z.
class Plane final : public SurfaceGrid {
 public:
  Plane(const std::array<GlobalIndex, 2>& cells_z_x, Real half_x, Real half_z)
      : SurfaceGrid(cells_z_x, false), half_x_(half_x), half_z_(half_z) {}

 private:
  Vec3 position(Real z, Real x) const override { return {{half_x_ * x, 0, half_z_ * z}}; }
  Real half_x_, half_z_;
};

class Bowl final : public SurfaceGrid {
 public:
  Bowl(GlobalIndex cells, Real radius, Real opening)
      : SurfaceGrid({cells, cells}, false), radius_(radius), opening_(opening) {}

 private:
  Vec3 position(Real u, Real v) const override {
    const auto [z, x] = on_unit_disk(u, v);
    const Real distance = std::sqrt(x * x + z * z);
    if (distance == 0) return {{0, -radius_, 0}};
    const Real angle = opening_ * distance, across = radius_ * std::sin(angle) / distance;
    return {{across * x, -radius_ * std::cos(angle), across * z}};
  }
  Real radius_, opening_;
};

/// Around the y axis: radius and height change linearly along two parts, of which the second may be missing.
class Turned final : public SurfaceGrid {
 public:
  struct Part {
    Real radius[2], y[2];
    GlobalIndex cells;
  };
  Turned(GlobalIndex around, const Part& lower, const Part& upper)
      : SurfaceGrid({around, lower.cells + upper.cells}, true), parts_{lower, upper} {}

 private:
  /// Counterclockwise from outside: around from z to x.
  Vec3 position(Real u, Real v) const override {
    const auto cells = static_cast<Real>(parts_[0].cells + parts_[1].cells);
    const Real row = 0.5 * (v + 1) * cells, below = static_cast<Real>(parts_[0].cells);
    const Part& part = row <= below ? parts_[0] : parts_[1];
    const Real at = row <= below ? row / below : (row - below) / static_cast<Real>(part.cells);
    const Real radius = (1 - at) * part.radius[0] + at * part.radius[1], angle = M_PI * u;
    return {{radius * std::sin(angle), (1 - at) * part.y[0] + at * part.y[1], radius * std::cos(angle)}};
  }
  Part parts_[2];
};

Real positive_number(const MeshSpec& spec, const char* name) { return positive_parameter(spec, name, 1)[0]; }

Real cells_around(const MeshSpec& spec) {
  const Real around = generator_parameter(spec, "cells_around", 1)[0];
  if (!(around >= 3)) throw bad_input(spec.place, "`cells_around` of `" + spec.generator + "` must be at least 3");
  return around;
}

}  // namespace

std::unique_ptr<SurfaceSource> make_plane(const MeshSpec& spec) {
  const auto& size = positive_parameter(spec, "size", 2);
  const std::vector<Real> cells = cells_along_sides(spec, size);
  const auto n = checked_cells(spec, {cells[0], 1, cells[1]});
  return std::make_unique<Plane>(std::array<GlobalIndex, 2>{n[2], n[0]}, 0.5 * spec.scale * size[0],
                                 0.5 * spec.scale * size[1]);
}

std::unique_ptr<SurfaceSource> make_bowl(const MeshSpec& spec) {
  const Real radius = positive_number(spec, "radius"), degrees = positive_number(spec, "degrees");
  if (degrees >= 180) throw bad_input(spec.place, "`degrees` of `bowl` must be less than 180: use `sphere`");
  const Real cells = generator_parameter(spec, "cells", 1)[0];
  return std::make_unique<Bowl>(checked_cells(spec, {cells, 1, cells})[0], radius * spec.scale, degrees * M_PI / 180);
}

std::unique_ptr<SurfaceSource> make_tube(const MeshSpec& spec) {
  const Real radius = positive_number(spec, "radius"), height = positive_number(spec, "height");
  const Real around = cells_around(spec);
  const Real along = cells_or(spec, "cells_along", height * around / (2 * M_PI * radius));
  const auto n = checked_cells(spec, {around, along, 1});
  const Real r = radius * spec.scale, y = 0.5 * height * spec.scale;
  return std::make_unique<Turned>(n[0], Turned::Part{{r, r}, {-y, y}, n[1]}, Turned::Part{{r, r}, {y, y}, 0});
}

std::unique_ptr<SurfaceSource> make_funnel(const MeshSpec& spec) {
  const Real radius = positive_number(spec, "radius"), height = positive_number(spec, "height");
  const Real spout_radius = positive_number(spec, "spout_radius");
  const Real spout_height = positive_number(spec, "spout_height");
  if (spout_radius >= radius)
    throw bad_input(spec.place, "`spout_radius` of `funnel` must be less than `radius`: use `tube` for a plain one");
  const Real around = cells_around(spec);
  const Real slope = std::sqrt(height * height + (radius - spout_radius) * (radius - spout_radius));
  // The cone's cells are as wide in the middle; the spout gets its share of the number asked for.
  const Real on_cone = slope * around / (M_PI * (radius + spout_radius));
  const Real on_spout = spout_height * around / (2 * M_PI * spout_radius);
  const Real along = cells_or(spec, "cells_along", on_cone + on_spout);
  const Real lower = std::max<Real>(1, std::round(along * on_spout / (on_cone + on_spout)));
  const Real upper = std::max<Real>(1, along - lower);
  const auto n = checked_cells(spec, {around, lower, upper});
  const Real s = spec.scale;
  return std::make_unique<Turned>(n[0],
                                  Turned::Part{{s * spout_radius, s * spout_radius}, {-s * spout_height, 0}, n[1]},
                                  Turned::Part{{s * spout_radius, s * radius}, {0, s * height}, n[2]});
}

}  // namespace unbarred
