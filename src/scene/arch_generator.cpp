// arch: {radius, thickness, width, degrees, blocks, gap, cells: n | [along, through, across]}: a ring of equal blocks
// (voussoirs) around the z axis, its crown up, from one foot to the other; `radius` to the middle of the thickness.
// The blocks share no vertex: the two faces of a joint are flat, parallel and `gap` apart.
#include <cmath>

#include "scene/cell_grid.hpp"

namespace unbarred {

namespace {

constexpr auto alternating = CellGrid::Cut::alternating;

/// The block at the crown; straight edges join the corners of its two joints.
class Voussoir final : public CellGrid {
 public:
  Voussoir(const std::array<GlobalIndex, 3>& cells, const Vec3& size, Real half_angle, Real half_gap)
      : CellGrid(cells, {alternating, alternating, alternating}),
        radius_(size[0]),
        half_thickness_(0.5 * size[1]),
        half_width_(0.5 * size[2]),
        sine_(std::sin(half_angle)),
        cosine_(std::cos(half_angle)),
        half_gap_(half_gap) {}

 private:
  Vec3 position(const Vec3& at) const override {
    const Real r = radius_ + half_thickness_ * at[1];
    return {{at[0] * (r * sine_ - half_gap_ * cosine_), r * cosine_ + half_gap_ * sine_, half_width_ * at[2]}};
  }

  Real radius_, half_thickness_, half_width_, sine_, cosine_, half_gap_;
};

class Arch final : public TetrahedraSource {
 public:
  Arch(const Voussoir& crown, GlobalIndex blocks, Real angle) : crown_(crown), blocks_(blocks), angle_(angle) {}

  GlobalIndex vertex_count() const override { return blocks_ * crown_.vertex_count(); }
  GlobalIndex tetrahedron_count() const override { return blocks_ * crown_.tetrahedron_count(); }

  std::vector<Vec3> vertices(const Communicator&, GlobalIndex begin, GlobalIndex end) const override {
    std::vector<Vec3> result;
    result.reserve(static_cast<std::size_t>(end - begin));
    for (GlobalIndex v = begin; v < end; ++v) {
      const Vec3 x = crown_.vertex(v % crown_.vertex_count());
      const GlobalIndex from_crown = 2 * (v / crown_.vertex_count()) - (blocks_ - 1);  // in half blocks
      const Real turn = 0.5 * angle_ * static_cast<Real>(from_crown), sine = std::sin(turn), cosine = std::cos(turn);
      result.push_back({{cosine * x[0] + sine * x[1], cosine * x[1] - sine * x[0], x[2]}});
    }
    return result;
  }

  std::vector<GlobalTetrahedron> tetrahedra(const Communicator&, GlobalIndex begin, GlobalIndex end) const override {
    std::vector<GlobalTetrahedron> result;
    result.reserve(static_cast<std::size_t>(end - begin));
    for (GlobalIndex e = begin; e < end; ++e) {
      GlobalTetrahedron t = crown_.tetrahedron(e % crown_.tetrahedron_count());
      for (GlobalIndex& v : t.v) v += e / crown_.tetrahedron_count() * crown_.vertex_count();
      result.push_back(t);
    }
    return result;
  }

 private:
  Voussoir crown_;
  GlobalIndex blocks_;
  Real angle_;  ///< of a block
};

}  // namespace

std::unique_ptr<TetrahedraSource> make_arch(const MeshSpec& spec) {
  const auto number = [&](const char* name) { return positive_parameter(spec, name, 1)[0]; };
  const Real radius = number("radius"), thickness = number("thickness"), gap = number("gap"), blocks = number("blocks");
  const Real half_angle = number("degrees") * M_PI / 360 / blocks;
  if (thickness >= 2 * radius)
    throw bad_input(spec.place, "`thickness` of `arch` must be less than twice `radius`: the ring has no hole");
  if (number("degrees") > 360 || half_angle >= 0.5 * M_PI)
    throw bad_input(spec.place, "`degrees` of `arch` must be at most 360, and less than 180 a block");
  if (gap >= (2 * radius - thickness) * std::tan(half_angle))
    throw bad_input(spec.place, "`gap` of `arch` leaves nothing of the blocks at the inside of the ring");
  const Vec3 size{{radius, thickness, number("width")}};
  auto cells = spec.parameters.at("cells");
  if (cells.size() == 1) cells.resize(3, cells[0]);
  if (cells.size() != 3) throw bad_input(spec.place, "`cells` of `arch` takes one number or three");
  const auto counts = checked_cells(spec, {cells[0], cells[1], cells[2]});
  checked_cells(spec, {blocks * cells[0], cells[1], cells[2]});
  const Voussoir crown(counts, spec.scale * size, half_angle, 0.5 * gap * spec.scale);
  return std::make_unique<Arch>(crown, static_cast<GlobalIndex>(blocks), 2 * half_angle);
}

}  // namespace unbarred
