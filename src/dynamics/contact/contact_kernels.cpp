#include "dynamics/contact/contact_kernels.hpp"

#include "contact/ccd.hpp"
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
      for (int k = 0; k < 6; ++k) diagonal[around.vertices[i]].a[k] += square * t.stiffness.a[k];
    }
  }
};

void add_pair_diagonal(const PairsOfVertices& around, View<const PairTerms> terms, View<SymmetricBlock> diagonal) {
  for_each_index("add pair diagonal", around.vertices.size(),
                 AddPairDiagonal{.around = around, .terms = terms, .diagonal = diagonal});
}

struct LeastUnfinished {
  View<const Real> fractions, remaining;
  Real epsilon;
  UNBARRED_FUNCTION void operator()(std::int64_t v, Real (&terms)[1]) const {
    terms[0] = remaining[v] >= epsilon ? fractions[v] : 1;
  }
};

struct ReduceRemaining {
  View<const Real> fractions;
  View<Real> remaining;
  UNBARRED_FUNCTION void operator()(std::int64_t v, Real (&terms)[1]) const {
    remaining[v] *= 1 - fractions[v];
    terms[0] = remaining[v];
  }
};

struct CountUnfinished {
  View<const Real> remaining;
  Real epsilon;
  UNBARRED_FUNCTION void operator()(std::int64_t v, Real (&terms)[1]) const { terms[0] = remaining[v] >= epsilon; }
};

Remaining reduce_remaining(View<const Real> fractions, Real epsilon, View<Real> remaining) {
  const std::int64_t n = remaining.size();
  const Real fraction = least<1>("least unfinished", n, LeastUnfinished{fractions, remaining, epsilon})[0];
  const Real most = largest<1>("reduce remaining", n, ReduceRemaining{fractions, remaining})[0];
  const Real unfinished = sums<1>("count unfinished", n, CountUnfinished{remaining, epsilon})[0];
  return {most > 0 ? most : 0, fraction < 1 ? fraction : 1, static_cast<std::int64_t>(unfinished)};
}

struct Compliance {
  View<const Block> values;
  View<const Index> diagonal;
  View<const AxisMask> fixed;
  View<Vec3> compliance;
  UNBARRED_FUNCTION void operator()(std::int64_t v) const {
    Real sum = 0;
    int count = 0;
    for (int k = 0; k < 3; ++k) {
      const Real entry = values[diagonal[v]](k, k);
      if ((fixed[v] >> k & 1) || !(entry > 0)) continue;
      sum += 1 / entry;
      ++count;
    }
    compliance[v] = Vec3{{count > 0 ? sum / count : 0, 0, 0}};
  }
};

void compliances(const BlockMatrix& matrix, View<const AxisMask> fixed, View<Vec3> compliance) {
  for_each_index(
      "compliances", compliance.size(),
      Compliance{
          .values = matrix.values(), .diagonal = matrix.diagonal.view(), .fixed = fixed, .compliance = compliance});
}

struct Differs {
  View<const Vec3> a, b;
  UNBARRED_FUNCTION void operator()(std::int64_t v, Real (&terms)[1]) const {
    terms[0] = a[v][0] != b[v][0] || a[v][1] != b[v][1] || a[v][2] != b[v][2];
  }
};

bool any_differs(View<const Vec3> a, View<const Vec3> b) {
  return largest<1>("any differs", a.size(), Differs{a, b})[0] > 0;
}

/// The number of the candidate where prescribed vertices meet, a huge one for the others.
struct PrescribedMeeting {
  View<const ContactPair> candidates;
  View<const Vec3> start, target;
  /// Relative to the gap at the start, which for a vertex that slides over a triangle far away is many times the one
  /// at which it passes.
  static constexpr Real slack = 1e-12;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    terms[0] = 1e300;
    const ContactPair pair = candidates[i];
    Vec3 x[4], move[4];
    bool moves = false;
    for (int k = 0; k < 4; ++k) {
      x[k] = start[pair.v[k]];
      move[k] = target[pair.v[k]] - x[k];
      moves = moves || squared_norm(move[k]) > 0;
    }
    if (moves && time_of_impact(pair.kind, x, move, 0, slack) <= 1) terms[0] = static_cast<Real>(i);
  }
};

std::optional<BodyPair> prescribed_crossing(View<const ContactPair> candidates, View<const std::int32_t> body,
                                            View<const Vec3> start, View<const Vec3> target) {
  const Real found = least<1>("prescribed meeting", candidates.size(),
                              PrescribedMeeting{.candidates = candidates, .start = start, .target = target})[0];
  if (!(found < 1e300)) return std::nullopt;
  ContactPair pair;
  memory::copy_to_host(&pair, candidates.data() + static_cast<std::int64_t>(found), sizeof pair);
  BodyPair bodies;
  memory::copy_to_host(&bodies.a, body.data() + pair.v[0], sizeof bodies.a);
  memory::copy_to_host(&bodies.b, body.data() + pair.v[3], sizeof bodies.b);
  return bodies;
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
