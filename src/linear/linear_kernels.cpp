#include "linear/linear_kernels.hpp"

#include "core/parallel.hpp"
#include "core/symmetric3.hpp"

namespace unbarred {

/// Bytes a block: 72 of values, 4 of column; the x_j stay in cache when vertices are ordered along a curve.
struct MultiplyRow {
  Index begin;
  View<const Index> offsets, columns;
  View<const Block> values;
  View<const AxisMask> fixed;
  View<const Vec3> x;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t k, Real (&terms)[1]) const {
    const Index i = begin + static_cast<Index>(k);
    BlockSum sum = zero_block_sum();
    for (Index e = offsets[i]; e < offsets[i + 1]; ++e) add_product(sum, values[e], x[columns[e]]);
    const Vec3 row = free_part(to_vector(sum), fixed[i]);
    y[i] = row;
    terms[0] = dot(x[i], row);
  }
};

Real multiply_and_dot(const BlockMatrix& matrix, View<const AxisMask> fixed, Index begin, Index end, View<const Vec3> x,
                      View<Vec3> y) {
  return sums<1>("multiply", end - begin,
                 MultiplyRow{.begin = begin,
                             .offsets = matrix.offsets.view(),
                             .columns = matrix.columns.view(),
                             .values = matrix.values(),
                             .fixed = fixed,
                             .x = x,
                             .y = y})[0];
}

struct CopyDiagonal {
  View<const Index> diagonal;
  View<const Block> values;
  View<SymmetricBlock> blocks;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Block& a = values[diagonal[i]];
    blocks[i] = {{a(0, 0), a(0, 1), a(0, 2), a(1, 1), a(1, 2), a(2, 2)}};
  }
};

void copy_diagonal(const BlockMatrix& matrix, View<SymmetricBlock> blocks) {
  for_each_index("copy diagonal", matrix.rows(),
                 CopyDiagonal{.diagonal = matrix.diagonal.view(), .values = matrix.values(), .blocks = blocks});
}

struct InvertBlock {
  View<const AxisMask> fixed;
  View<SymmetricBlock> blocks;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Mat3 c = inverse(free_block(full(blocks[i]), fixed[i]));
    blocks[i] = {{c(0, 0), c(0, 1), c(0, 2), c(1, 1), c(1, 2), c(2, 2)}};
  }
};

void invert_blocks(View<const AxisMask> fixed, View<SymmetricBlock> blocks) {
  for_each_index("invert blocks", blocks.size(), InvertBlock{.fixed = fixed, .blocks = blocks});
}

struct MarkIndefiniteBlock {
  View<const Index> diagonal;
  View<const Block> values;
  View<const AxisMask> fixed;
  View<Real> marks;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    const Block& a = values[diagonal[i]];
    Mat3 block;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) block(r, c) = a(r, c);
    marks[i] = terms[0] = detail::surely_positive_definite(free_block(block, fixed[i])) ? 0 : 1;
  }
};

Real mark_indefinite_blocks(const BlockMatrix& matrix, View<const AxisMask> fixed, View<Real> marks) {
  return sums<1>("mark indefinite blocks", matrix.rows(),
                 MarkIndefiniteBlock{
                     .diagonal = matrix.diagonal.view(), .values = matrix.values(), .fixed = fixed, .marks = marks})[0];
}

struct FirstResidual {
  View<const SymmetricBlock> inverse;
  View<const AxisMask> fixed;
  View<const Vec3> b, q;
  View<Vec3> r, z;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    r[i] = free_part(b[i] - q[i], fixed[i]);
    z[i] = multiply(inverse[i], r[i]);
    terms[0] = dot(r[i], z[i]);
  }
};

Real first_residual(View<const SymmetricBlock> inverse, View<const AxisMask> fixed, View<const Vec3> b,
                    View<const Vec3> q, View<Vec3> r, View<Vec3> z) {
  return sums<1>("first residual", r.size(),
                 FirstResidual{.inverse = inverse, .fixed = fixed, .b = b, .q = q, .r = r, .z = z})[0];
}

struct AdvanceSolution {
  View<const SymmetricBlock> inverse;
  Real step;
  View<const Vec3> d, q;
  View<Vec3> x, r, z;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    x[i] += step * d[i];
    const Vec3 residual = r[i] - step * q[i];
    const Vec3 preconditioned = multiply(inverse[i], residual);
    r[i] = residual;
    z[i] = preconditioned;
    terms[0] = dot(residual, preconditioned);
  }
};

Real advance_solution(View<const SymmetricBlock> inverse, Real step, View<const Vec3> d, View<const Vec3> q,
                      View<Vec3> x, View<Vec3> r, View<Vec3> z) {
  return sums<1>("advance solution", r.size(),
                 AdvanceSolution{.inverse = inverse, .step = step, .d = d, .q = q, .x = x, .r = r, .z = z})[0];
}

struct NextDirection {
  Real factor;
  View<const Vec3> z;
  View<Vec3> d;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { d[i] = z[i] + factor * d[i]; }
};

void next_direction(Real factor, View<const Vec3> z, View<Vec3> d) {
  for_each_index("next direction", d.size(), NextDirection{.factor = factor, .z = z, .d = d});
}

}  // namespace unbarred
