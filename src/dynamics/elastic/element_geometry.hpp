#pragma once
// Linear tetrahedra, as many at a time as T has lanes: what kernels over elements start from.
#include "core/pack.hpp"
#include "core/vec3.hpp"
#include "core/view.hpp"
#include "dynamics/elastic/elastic_mesh.hpp"

namespace unbarred {

/// Rest shape and deformation gradient. F = sum_a x_a (outer) gradient[a]; the four gradients sum to zero.
template <class T>
struct ElementGeometry {
  Vec3T<T> gradient[4];  ///< of the shape functions at rest, 1/m
  T volume;              ///< at rest, m^3
  Mat3T<T> F;
};

/// Edge vectors x1 - x0, x2 - x0, x3 - x0 as columns; lane l is tetrahedron number(l).
template <class T, class Number>
UNBARRED_FUNCTION Mat3T<T> edge_matrix(View<const Tetrahedron> tetrahedra, View<const Vec3> x, Number number) {
  Mat3T<T> edges;
  for (int l = 0; l < lanes<T>; ++l) {
    const Tetrahedron t = tetrahedra[number(l)];
    const Vec3 origin = x[t.v[0]];
    for (int a = 0; a < 3; ++a) {
      const Vec3 edge = x[t.v[a + 1]] - origin;
      for (int k = 0; k < 3; ++k) set_lane(edges(k, a), l, edge[k]);
    }
  }
  return edges;
}

template <class T>
UNBARRED_FUNCTION ElementGeometry<T> element_geometry(const Mat3T<T>& rest_edges, const Mat3T<T>& edges) {
  const Mat3T<T> c = cofactor(rest_edges);
  const T six_volumes = rest_edges(0, 0) * c(0, 0) + rest_edges(0, 1) * c(0, 1) + rest_edges(0, 2) * c(0, 2);
  const T inverse = T(1) / six_volumes;
  ElementGeometry<T> g;
  g.volume = T(1.0 / 6.0) * six_volumes;
  // Rows of the inverse edge matrix are the gradients of nodes 1, 2, 3.
  for (int a = 0; a < 3; ++a)
    for (int k = 0; k < 3; ++k) g.gradient[a + 1][k] = inverse * c(k, a);
  for (int k = 0; k < 3; ++k) g.gradient[0][k] = T(0) - (g.gradient[1][k] + g.gradient[2][k] + g.gradient[3][k]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      g.F(i, j) = edges(i, 0) * g.gradient[1][j] + edges(i, 1) * g.gradient[2][j] + edges(i, 2) * g.gradient[3][j];
  return g;
}

}  // namespace unbarred
