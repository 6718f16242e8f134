#pragma once
// Contact in the linear system, and the bookkeeping of the feasible state.
#include "contact/constraint_kernels.hpp"
#include "linear/constraints.hpp"
#include "linear/linear_kernels.hpp"

namespace unbarred {

/// y[v] += free part of sum w images at the vertices that have pairs; returns sum x . (what was added).
Real add_pair_images(const PairsOfVertices& around, View<const PairTerms> terms, View<const Vec3> images,
                     View<const AxisMask> fixed, View<const Vec3> x, View<Vec3> y);
/// diagonal[v] += sum w^2 K.
void add_pair_diagonal(const PairsOfVertices& around, View<const PairTerms> terms, View<SymmetricBlock> diagonal);

/// x += fraction (target - x), the rounding that time_of_impact allows for. All arrays: local vertices.
void move_by_fractions(View<const Real> fractions, View<const Vec3> target, View<Vec3> x);
/// remaining *= 1 - fraction; returns the largest over owned vertices.
Real reduce_remaining(View<const Real> fractions, View<Real> remaining);
/// Largest diagonal entry over free coordinates of owned vertices.
Real largest_diagonal(const BlockMatrix& matrix, View<const AxisMask> fixed);

}  // namespace unbarred
