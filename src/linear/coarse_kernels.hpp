#pragma once
// Launches of TwoLevel: the motions of aggregates, and the matrix between them.
#include "core/vec3.hpp"
#include "core/view.hpp"
#include "linear/block_matrix.hpp"
#include "linear/fixed_axes.hpp"

namespace unbarred {

/// Rigid motions of an aggregate: translations along, then rotations about, the axes through its center. Affine ones,
/// twice as many, take as many iterations and more time.
constexpr int coarse_modes = 6;

/// Mode j at a vertex so far from the center of its aggregate.
UNBARRED_FUNCTION Vec3 coarse_mode(int j, const Vec3& lever) {
  Vec3 axis{{0, 0, 0}};
  axis[j % 3] = 1;
  return j < 3 ? axis : cross(axis, lever);
}

/// The owned vertices of each aggregate of this rank are vertices[offsets[a]] ... vertices[offsets[a + 1] - 1].
struct AggregateVertices {
  View<const Index> offsets, vertices;
  Index count() const { return static_cast<Index>(offsets.size()) - 1; }
};
/// levers[v] = x[v] - mean of x over the aggregate of v.
void aggregate_levers(const AggregateVertices& of, View<const Vec3> x, View<Vec3> levers);
/// Rows of Z^T A Z of this rank's aggregates: columns[offsets[a]] ... are the aggregates, numbered over all ranks, that
/// its matrix rows reach, ascending, and each has coarse_modes^2 values, row by row.
struct CoarseRows {
  View<const Index> offsets, columns;
  View<Real> values;
};
struct CoarseVertices {
  View<const std::int32_t> aggregate;  ///< of local vertices, numbered over all ranks; -1: none
  View<const Vec3> levers;             ///< of local vertices, m
  View<const AxisMask> fixed;          ///< local vertices: prescribed coordinates do not move
};
/// names[v] = (aggregate, fixed, 0), local vertices.
void name_vertices(View<const std::int32_t> aggregate, View<const AxisMask> fixed, View<Vec3> names);
void coarse_rows(const AggregateVertices& of, const CoarseVertices& at, const BlockMatrix& matrix,
                 const CoarseRows& rows);
/// sums[coarse_modes a + j] = sum of mode j . r over aggregate a.
void to_aggregates(const AggregateVertices& of, View<const Vec3> levers, View<const Vec3> r, View<Real> sums);
/// z += free part of sum_j amplitudes[coarse_modes a + j] mode j, owned vertices; `first`: number of this rank's first
/// aggregate over all ranks, amplitudes are those of this rank.
void from_aggregates(const CoarseVertices& at, Index first, View<const Real> amplitudes, View<Vec3> z);

}  // namespace unbarred
