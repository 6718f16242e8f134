#pragma once
// Grids of hexahedral cells, six tetrahedra each, computed from their numbers alone: the base of the generators.
#include <array>

#include "scene/tetrahedra_source.hpp"

namespace unbarred {

/// A grid of counts[0] x counts[1] x counts[2] cells, mapped to space by position(). A cell is cut into the six
/// Kuhn tetrahedra around one of its diagonals. The diagonal may be mirrored along an axis by any rule that
/// depends on the cell's number along that axis only: faces of neighbors then match. Along a closed axis the last cell
/// is followed by the first, and there are as many vertices as cells.
class CellGrid : public TetrahedraSource {
 public:
  enum class Cut {
    alternating,  ///< mirrored from cell to cell: no preferred direction
    outward,      ///< from the middle outwards: no tetrahedron lies flat where a mapped edge is rounded off
  };

  static constexpr int no_axis = -1;
  CellGrid(const std::array<GlobalIndex, 3>& counts, const std::array<Cut, 3>& cuts, int closed_axis = no_axis)
      : counts_(counts), cuts_(cuts), closed_axis_(closed_axis) {}

  GlobalIndex vertex_count() const override { return points(0) * points(1) * points(2); }
  GlobalIndex tetrahedron_count() const override { return 6 * counts_[0] * counts_[1] * counts_[2]; }
  std::vector<Vec3> vertices(const Communicator& communicator, GlobalIndex begin, GlobalIndex end) const override;
  std::vector<GlobalTetrahedron> tetrahedra(const Communicator& communicator, GlobalIndex begin,
                                            GlobalIndex end) const override;

  Vec3 vertex(GlobalIndex number) const;
  GlobalTetrahedron tetrahedron(GlobalIndex number) const;

 protected:
  const std::array<GlobalIndex, 3>& counts() const { return counts_; }

 private:
  /// Grid point (i, j, k), given as coordinates in [-1, 1] that are symmetric about 0 to the last bit; 1 is left out
  /// along a closed axis.
  virtual Vec3 position(const Vec3& at) const = 0;
  GlobalIndex points(int axis) const {
    return counts_[static_cast<std::size_t>(axis)] + (axis == closed_axis_ ? 0 : 1);
  }

  std::array<GlobalIndex, 3> counts_;
  std::array<Cut, 3> cuts_;
  int closed_axis_;
};

/// One generator each; throw Error(bad_input) at spec.place.
std::unique_ptr<TetrahedraSource> make_box(const MeshSpec& spec);
std::unique_ptr<TetrahedraSource> make_ball(const MeshSpec& spec);
std::unique_ptr<TetrahedraSource> make_rod(const MeshSpec& spec);
std::unique_ptr<TetrahedraSource> make_cylinder(const MeshSpec& spec);
std::unique_ptr<TetrahedraSource> make_torus(const MeshSpec& spec);
std::unique_ptr<TetrahedraSource> make_plate_with_hole(const MeshSpec& spec);
std::unique_ptr<TetrahedraSource> make_arch(const MeshSpec& spec);

/// Parameter `name`, which has exactly `size` numbers.
const std::vector<Real>& generator_parameter(const MeshSpec& spec, const std::string& name, std::size_t size);
/// As above, for lengths: finite and > 0.
const std::vector<Real>& positive_parameter(const MeshSpec& spec, const std::string& name, std::size_t size);
/// A number of cells that may be left to the generator: `automatic`, rounded, at least 1, when the parameter is 0.
Real cells_or(const MeshSpec& spec, const std::string& name, Real automatic);
/// `cells` as one number a direction; one number: along the shortest of `size`, the others to match.
std::vector<Real> cells_along_sides(const MeshSpec& spec, const std::vector<Real>& size);
/// Throws unless 1 <= counts and the grid has fewer than 2^50 tetrahedra; takes numbers that are whole already.
std::array<GlobalIndex, 3> checked_cells(const MeshSpec& spec, const std::array<Real, 3>& counts);

}  // namespace unbarred
