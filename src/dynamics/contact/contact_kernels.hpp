#pragma once
// Contact in the linear system, and the bookkeeping of the feasible state.
#include <optional>

#include "contact/pairs/constraint_kernels.hpp"
#include "linear/fixed_axes.hpp"
#include "linear/linear_kernels.hpp"

namespace unbarred {

/// y[v] += free part of sum w images at the vertices that have pairs; returns sum x . (what was added).
Real add_pair_images(const PairsOfVertices& around, View<const PairTerms> terms, View<const Vec3> images,
                     View<const AxisMask> fixed, View<const Vec3> x, View<Vec3> y);
/// diagonal[v] += sum w^2 K.
void add_pair_diagonal(const PairsOfVertices& around, View<const PairTerms> terms, View<SymmetricBlock> diagonal);

/// What is left of a step's motion.
struct Remaining {
  Real largest = 1;             ///< share, over the vertices
  Real least_fraction = 1;      ///< step fraction, over the vertices with at least epsilon left before it
  std::int64_t unfinished = 0;  ///< vertices with at least epsilon left
};
/// remaining *= 1 - fraction, owned vertices.
Remaining reduce_remaining(View<const Real> fractions, Real epsilon, View<Real> remaining);
/// compliance[v][0] = mean of 1/A_kk over the free coordinates of owned vertex v, 0 without any.
void compliances(const BlockMatrix& matrix, View<const AxisMask> fixed, View<Vec3> compliance);
/// Largest diagonal entry over free coordinates of owned vertices.
Real largest_diagonal(const BlockMatrix& matrix, View<const AxisMask> fixed);

/// Whether any two entries differ.
bool any_differs(View<const Vec3> a, View<const Vec3> b);

struct BodyPair {
  std::int32_t a, b;
};
/// Bodies of a pair, of prescribed vertices, of which one moves, and that meets on the way; none without one. The same
/// for any number of threads. body: of extended vertices.
std::optional<BodyPair> prescribed_crossing(View<const ContactPair> candidates, View<const std::int32_t> body,
                                            View<const Vec3> start, View<const Vec3> target);

}  // namespace unbarred
