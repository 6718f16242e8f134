#include "dynamics/contact_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct AddPairImages {
  PairsOfVertices around;
  View<const PairTerms> terms;
  View<const Vec3> images;
  View<const AxisMask> fixed;
  View<const Vec3> x;
  View<Vec3> y;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&sum)[1]) const {
    const Index v = around.vertices[i];
    Vec3 added{{0, 0, 0}};
    for (Index e = around.offsets[i]; e < around.offsets[i + 1]; ++e) {
      const Index entry = around.entries[e];
      added += terms[entry / 4].weight[entry % 4] * images[entry / 4];
    }
    added = free_part(added, fixed[v]);
    y[v] += added;
    sum[0] = dot(x[v], added);
  }
};

Real add_pair_images(const PairsOfVertices& around, View<const PairTerms> terms, View<const Vec3> images,
                     View<const AxisMask> fixed, View<const Vec3> x, View<Vec3> y) {
  return sums<1>("add pair images", around.vertices.size(),
                 AddPairImages{.around = around, .terms = terms, .images = images, .fixed = fixed, .x = x, .y = y})[0];
}

struct AddPairDiagonal {
  PairsOfVertices around;
  View<const PairTerms> terms;
  View<SymmetricBlock> diagonal;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    for (Index e = around.offsets[i]; e < around.offsets[i + 1]; ++e) {
      const Index entry = around.entries[e];
      const PairTerms& t = terms[entry / 4];
      const Real square = t.weight[entry % 4] * t.weight[entry % 4];
      for (int k = 0; k < 6; ++k) diagonal[around.vertices[i]].a[k] += square * t.stiffness[k];
    }
  }
};

void add_pair_diagonal(const PairsOfVertices& around, View<const PairTerms> terms, View<SymmetricBlock> diagonal) {
  for_each_index("add pair diagonal", around.vertices.size(),
                 AddPairDiagonal{.around = around, .terms = terms, .diagonal = diagonal});
}

struct MoveByFraction {
  View<const Real> fractions;
  View<const Vec3> target;
  View<Vec3> x;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const { x[v] = x[v] + fractions[v] * (target[v] - x[v]); }
};

void move_by_fractions(View<const Real> fractions, View<const Vec3> target, View<Vec3> x) {
  for_each_index("move by fractions", x.size(), MoveByFraction{.fractions = fractions, .target = target, .x = x});
}

struct ReduceRemaining {
  View<const Real> fractions;
  View<Real> remaining;
  UNBARRED_FUNCTION void operator()(std::int64_t v, Real (&terms)[1]) const {
    remaining[v] *= 1 - fractions[v];
    terms[0] = remaining[v];
  }
};

Real reduce_remaining(View<const Real> fractions, View<Real> remaining) {
  const Real most = largest<1>("reduce remaining", remaining.size(),
                               ReduceRemaining{.fractions = fractions, .remaining = remaining})[0];
  return most > 0 ? most : 0;
}

struct LargestDiagonal {
  View<const Index> diagonal;
  View<const Block> values;
  View<const AxisMask> fixed;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = 0;
    const Block& block = values[diagonal[i]];
    for (int k = 0; k < 3; ++k)
      if (!(fixed[i] >> k & 1) && block(k, k) > terms[0]) terms[0] = block(k, k);
  }
};

Real largest_diagonal(const BlockMatrix& matrix, View<const AxisMask> fixed) {
  const Real most =
      largest<1>("largest diagonal", matrix.rows(),
                 LargestDiagonal{.diagonal = matrix.diagonal.view(), .values = matrix.values(), .fixed = fixed})[0];
  return most > 0 ? most : 0;
}

}  // namespace unbarred
