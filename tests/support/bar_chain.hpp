#pragma once
// A bar whose motion along its axis is exactly that of a one-dimensional chain: equilateral triangles and single
// vertices in turn, one tetrahedron between two neighboring layers. All vertices of a layer carry the same mass and
// take the same force, so that with Poisson's ratio 0 and the lateral coordinates held a layer stays a layer. (The
// cells of a box do not do this: the corners of its ends have other ratios of force and mass.)
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace unbarred::test {

struct BarChain {
  int cells = 4;    ///< even: the bar ends in triangles
  Real length = 1;  ///< m
  Real radius = 1;  ///< of the triangles' circumcircle, m

  Real cell_length() const { return length / cells; }
  Real area() const { return 0.75 * std::sqrt(3.0) * radius * radius; }
  Real cell_volume() const { return area() * cell_length() / 3; }

  /// kg; a quarter of each tetrahedron at each of its vertices.
  std::vector<Real> layer_masses(Real density) const {
    std::vector<Real> masses(static_cast<std::size_t>(cells) + 1, 0);
    for (int c = 0; c < cells; ++c) {
      masses[c] += vertices_of(c) * density * cell_volume() / 4;
      masses[c + 1] += vertices_of(c + 1) * density * cell_volume() / 4;
    }
    return masses;
  }

  /// Gmsh MSH 2.2; the axis is y, from 0 to length.
  std::string msh() const {
    std::string nodes, elements;
    int first = 1, count = 0;
    for (int layer = 0; layer <= cells; ++layer) {
      for (int k = 0; k < vertices_of(layer); ++k, ++count) nodes += node(count + 1, layer, k);
      if (layer == cells) break;
      // The triangle turns the other way when its vertex is below it, so that all volumes are positive.
      const bool below = vertices_of(layer) == 1;
      const int triangle = below ? first + 1 : first, apex = below ? first : first + 3;
      elements += std::to_string(layer + 1) + " 4 2 0 1";
      for (const int number : {triangle + (below ? 1 : 0), triangle + (below ? 0 : 1), triangle + 2, apex})
        elements += ' ' + std::to_string(number);
      elements += '\n';
      first += vertices_of(layer);
    }
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(count) + '\n' + nodes +
           "$EndNodes\n$Elements\n" + std::to_string(cells) + '\n' + elements + "$EndElements\n";
  }

 private:
  static int vertices_of(int layer) { return layer % 2 == 0 ? 3 : 1; }
  std::string node(int number, int layer, int k) const {
    const Real angle = -2 * std::numbers::pi * k / 3, r = vertices_of(layer) == 3 ? radius : 0;
    char line[128];
    std::snprintf(line, sizeof line, "%d %.17g %.17g %.17g\n", number, r * std::cos(angle), layer * cell_length(),
                  r * std::sin(angle));
    return line;
  }
};

}  // namespace unbarred::test
