#pragma once
// A box of n^3 cells cut into six tetrahedra each, in blocks over the ranks: small enough to be known by heart.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "partitioning/block_mesh.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred::test {

struct Box {
  GlobalIndex cells;  ///< along an edge of the unit cube

  GlobalIndex vertex_count() const { return (cells + 1) * (cells + 1) * (cells + 1); }
  GlobalIndex tetrahedron_count() const { return 6 * cells * cells * cells; }
  Vec3 position(GlobalIndex vertex) const {
    const GlobalIndex n = cells + 1;
    const Real h = 1.0 / static_cast<Real>(cells);
    return {{h * static_cast<Real>(vertex % n), h * static_cast<Real>(vertex / n % n),
             h * static_cast<Real>(vertex / (n * n))}};
  }
  /// Two bodies and two materials, so that both travel and sort.
  std::int32_t body(GlobalIndex vertex) const { return vertex % 2 == 0 ? 0 : 1; }
  std::int32_t material(GlobalIndex tetrahedron) const { return tetrahedron % 5 == 0 ? 1 : 0; }
  /// The six tetrahedra of a cell are the paths from its lowest to its highest corner, one a permutation of the axes.
  GlobalTetrahedron tetrahedron(GlobalIndex number) const {
    static constexpr int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const GlobalIndex cell = number / 6, path = number % 6, n = cells + 1;
    const GlobalIndex step[3] = {1, n, n * n};
    GlobalIndex corner = cell % cells + cell / cells % cells * n + cell / (cells * cells) * n * n;
    GlobalTetrahedron result;
    result.v[0] = corner;
    for (int k = 0; k < 3; ++k) result.v[k + 1] = corner += step[axes[path][k]];
    if (path >= 3) std::swap(result.v[2], result.v[3]);  // odd permutations come out inside out
    // Turn some of them, so that the smallest vertex is not always the first.
    for (GlobalIndex turn = 0; turn < number % 3; ++turn) std::rotate(result.v, result.v + 1, result.v + 3);
    return result;
  }

  BlockMesh mesh(const Communicator& communicator) const {
    BlockMesh mesh;
    const int rank = communicator.rank();
    mesh.vertices = {vertex_count(), communicator.size()};
    mesh.tetrahedra = {tetrahedron_count(), communicator.size()};
    for (GlobalIndex v = mesh.vertices.begin(rank); v < mesh.vertices.end(rank); ++v) {
      mesh.positions.push_back(position(v));
      mesh.vertex_body.push_back(body(v));
    }
    for (GlobalIndex t = mesh.tetrahedra.begin(rank); t < mesh.tetrahedra.end(rank); ++t) {
      mesh.connectivity.push_back(tetrahedron(t));
      mesh.material.push_back(material(t));
    }
    return mesh;
  }
};

}  // namespace unbarred::test
