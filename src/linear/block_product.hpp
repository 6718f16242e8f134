#pragma once
// y += A x of a 3x3 block, the innermost operation of every solve. A block lies column by column, so that on a CPU one
// register holds a column: three multiply-adds of four lanes, of which the last is waste.
#include "core/pack.hpp"
#include "core/vec3.hpp"

namespace unbarred {

/// A 3x3 block stored by columns.
struct Block {
  Real column[3][3];
  UNBARRED_FUNCTION Real& operator()(int row, int col) { return column[col][row]; }
  UNBARRED_FUNCTION const Real& operator()(int row, int col) const { return column[col][row]; }
};

#ifdef __CUDACC__

using BlockSum = Vec3;

UNBARRED_FUNCTION BlockSum zero_block_sum() { return {{0, 0, 0}}; }
UNBARRED_FUNCTION void add_product(BlockSum& sum, const Block& a, const Vec3& x) {
  for (int r = 0; r < 3; ++r) sum[r] += a(r, 0) * x[0] + a(r, 1) * x[1] + a(r, 2) * x[2];
}
UNBARRED_FUNCTION Vec3 to_vector(const BlockSum& sum) { return sum; }

#else

using BlockSum = Pack<4>;

inline BlockSum zero_block_sum() { return BlockSum(0.0); }
/// Reads one Real past the block: arrays of blocks end with a spare one.
inline void add_product(BlockSum& sum, const Block& a, const Vec3& x) {
  const Real* first = &a.column[0][0];
  __builtin_prefetch(first + 216);  // 24 blocks ahead: one core asks for too little by itself
  const BlockSum product = BlockSum::load(first) * BlockSum(x[0]) + BlockSum::load(first + 3) * BlockSum(x[1]) +
                           BlockSum::load(first + 6) * BlockSum(x[2]);
  sum = sum + product;
}
inline Vec3 to_vector(const BlockSum& sum) { return {{lane(sum, 0), lane(sum, 1), lane(sum, 2)}}; }

#endif

UNBARRED_FUNCTION Mat3 to_matrix(const Block& block) {
  Mat3 a;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) a(r, c) = block(r, c);
  return a;
}

}  // namespace unbarred
