#include "io/mesh/msh_elements.hpp"

#include <algorithm>

namespace unbarred {

namespace {

enum class Family {
  point,
  line,
  triangle,
  quadrangle,
  curved_surface,
  tetrahedron,
  curved_tetrahedron,
  hexahedron,
  wedge
};

struct Type {
  int type, nodes;
  Family family;
};

using enum Family;
// Gmsh reference manual, "Low order elements" and "High order elements".
constexpr Type types[] = {
    {1, 2, line},
    {2, 3, triangle},
    {3, 4, quadrangle},
    {4, 4, tetrahedron},
    {5, 8, hexahedron},
    {6, 6, wedge},
    {7, 5, wedge},
    {8, 3, line},
    {9, 6, curved_surface},
    {10, 9, curved_surface},
    {11, 10, curved_tetrahedron},
    {12, 27, hexahedron},
    {13, 18, wedge},
    {14, 14, wedge},
    {15, 1, point},
    {16, 8, curved_surface},
    {17, 20, hexahedron},
    {18, 15, wedge},
    {19, 13, wedge},
    {20, 9, curved_surface},
    {21, 10, curved_surface},
    {22, 12, curved_surface},
    {23, 15, curved_surface},
    {24, 15, curved_surface},
    {25, 21, curved_surface},
    {26, 4, line},
    {27, 5, line},
    {28, 6, line},
    {29, 20, curved_tetrahedron},
    {30, 35, curved_tetrahedron},
    {31, 56, curved_tetrahedron},
    {36, 16, curved_surface},
    {37, 25, curved_surface},
    {92, 64, hexahedron},
    {93, 125, hexahedron},
};

const char* hint(Family family) {
  switch (family) {
    case hexahedron:
      return " (hexahedra) is not supported: mesh the volume with tetrahedra, or split the hexahedra (gmsh: no "
             "recombination)";
    case wedge:
      return " (prisms, pyramids) is not supported: mesh the volume with tetrahedra";
    case curved_tetrahedron:
      return " (tetrahedra of higher order) is not supported: save the mesh with order 1";
    default:
      return " (a surface of higher order) is not supported: save the mesh with order 1";
  }
}

}  // namespace

MshElement msh_element(GlobalIndex type, ElementKind wanted, const Place& place) {
  const Type* found =
      std::find_if(std::begin(types), std::end(types), [&](const Type& known) { return known.type == type; });
  const bool volume = wanted == ElementKind::tetrahedra;
  if (found == std::end(types))
    throw bad_input(place, "element type " + std::to_string(type) + ": only linear " +
                               (volume ? "tetrahedra are" : "triangles and quadrangles are") + " read");
  const Family family = found->family;
  if (volume ? family == hexahedron || family == wedge || family == curved_tetrahedron : family == curved_surface)
    throw bad_input(place, "element type " + std::to_string(type) + hint(family));
  return {found->nodes, volume ? family == tetrahedron : family == triangle || family == quadrangle};
}

}  // namespace unbarred
