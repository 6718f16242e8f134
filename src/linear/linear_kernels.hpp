#pragma once
// Launches of the linear algebra kernels. Sums are over this rank only and have a fixed order.
#include <array>

#include "core/device_array.hpp"
#include "core/symmetric_block.hpp"
#include "core/vec3.hpp"
#include "linear/block_matrix.hpp"
#include "linear/fixed_axes.hpp"

namespace unbarred {

/// y_i = free part of sum_j A_ij x_j for begin <= i < end; returns sum_i x_i . y_i over these rows.
Real multiply_and_dot(const BlockMatrix& matrix, View<const AxisMask> fixed, Index begin, Index end, View<const Vec3> x,
                      View<Vec3> y);

void copy_diagonal(const BlockMatrix& matrix, View<SymmetricBlock> blocks);
/// Each block becomes the inverse of its restriction to the free coordinates.
void invert_blocks(View<const AxisMask> fixed, View<SymmetricBlock> blocks);

/// marks[i] = 1 where the diagonal block of row i is not positive definite on the free coordinates, 0 elsewhere;
/// returns how many.
Real mark_indefinite_blocks(const BlockMatrix& matrix, View<const AxisMask> fixed, View<Real> marks);

/// r = free part of (b - q), z = P^-1 r; returns r . z.
Real first_residual(View<const SymmetricBlock> inverse, View<const AxisMask> fixed, View<const Vec3> b,
                    View<const Vec3> q, View<Vec3> r, View<Vec3> z);

/// x += step d, r -= step q, z = P^-1 r; returns r . z.
Real advance_solution(View<const SymmetricBlock> inverse, Real step, View<const Vec3> d, View<const Vec3> q,
                      View<Vec3> x, View<Vec3> r, View<Vec3> z);

/// d = z + factor d.
void next_direction(Real factor, View<const Vec3> z, View<Vec3> d);

}  // namespace unbarred
