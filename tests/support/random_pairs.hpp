#pragma once
// Seeded pairs of primitives of every awkward kind.
#include <string>

#include "contact/pair.hpp"
#include "support/random_matrices.hpp"

namespace unbarred::test {

/// Positions of a pair, ordered as in ContactPair.
struct PairSample {
  PairKind kind;
  Vec3 x[4];
};

inline const char* name_of(PairKind kind) {
  return kind == PairKind::vertex_triangle ? "vertex-triangle" : "edge-edge";
}

/// Largest coordinate difference to vertex 0.
inline Real extent(const Vec3 (&x)[4]) {
  Real largest = 0;
  for (int k = 1; k < 4; ++k)
    for (int i = 0; i < 3; ++i) largest = std::fmax(largest, std::fabs(x[k][i] - x[0][i]));
  return largest;
}

class RandomPairs : public RandomMatrices {
 public:
  using RandomMatrices::RandomMatrices;

  Real logarithmic(Real low, Real high) { return std::pow(10, uniform(std::log10(low), std::log10(high))); }
  bool chance(Real p) { return uniform(0, 1) < p; }
  Vec3 direction() {
    const Vec3 v = vector();
    return (1 / std::sqrt(squared_norm(v))) * v;
  }

  /// Four independent points.
  PairSample anywhere(PairKind kind) { return {kind, {vector(), vector(), vector(), vector()}}; }

  /// Two edges at the angle `angle` and distance `gap`, crossing, overlapping or apart.
  PairSample edges(Real angle, Real gap) {
    const Mat3 R = chance(0.5) ? rotation() : diagonal(1.0, 1.0, 1.0);
    PairSample pair{PairKind::edge_edge, {}};
    const Real from = uniform(-2, 1), to = from + uniform(0.5, 2);
    pair.x[0] = R * Vec3{{-1, 0, gap}};
    pair.x[1] = R * Vec3{{1, 0, gap}};
    pair.x[2] = R * Vec3{{from, std::sin(angle) * (from + uniform(-1, 1)), 0}};
    pair.x[3] = R * Vec3{{to, pair.x[2][1] + std::sin(angle) * (to - from), 0}};
    if (chance(0.5))
      pair.x[3] = R * Vec3{{to * std::cos(angle), std::sin(angle) * to, 0}},
      pair.x[2] = R * Vec3{{from * std::cos(angle), std::sin(angle) * from, 0}};
    return pair;
  }

  /// A vertex `gap` over the plane of a triangle of height `height`, in and around it.
  PairSample vertex_over_triangle(Real height, Real gap) {
    const Mat3 R = chance(0.5) ? rotation() : diagonal(1.0, 1.0, 1.0);
    PairSample pair{PairKind::vertex_triangle, {}};
    const Real a = uniform(-0.2, 1), b = uniform(-0.2, 1), apex = uniform(-0.5, 1.5);
    const int turn = static_cast<int>(uniform(0, 3));
    const Vec3 corners[3] = {{{0, 0, 0}}, {{1, 0, 0}}, {{apex, height, 0}}};
    for (int k = 0; k < 3; ++k) pair.x[1 + (k + turn) % 3] = R * corners[k];
    pair.x[0] = R * Vec3{{a + b * apex, b * height, gap}};
    return pair;
  }

  /// Integer coordinates: features coincide, are parallel, degenerate or touch exactly.
  PairSample integers(PairKind kind) {
    PairSample pair{kind, {}};
    for (Vec3& x : pair.x)
      for (int i = 0; i < 3; ++i) x[i] = std::floor(uniform(-1, 3));
    return pair;
  }

  /// Points that share places, all but one digit or exactly.
  PairSample collapsed(PairKind kind) {
    PairSample pair = anywhere(kind);
    for (int n = 0; n < 2; ++n) {
      const int from = static_cast<int>(uniform(0, 4)), to = static_cast<int>(uniform(0, 4));
      pair.x[to] = pair.x[from] + (chance(0.5) ? 0 : logarithmic(1e-17, 1e-3)) * vector();
    }
    if (chance(0.3)) pair.x[2] = pair.x[1] + uniform(-1, 2) * (pair.x[3] - pair.x[1]);
    return pair;
  }

  /// All kinds, at all scales.
  PairSample any() {
    const PairKind kind = chance(0.5) ? PairKind::vertex_triangle : PairKind::edge_edge;
    PairSample pair = anywhere(kind);
    const Real which = uniform(0, 7), gap = logarithmic(1e-15, 1);
    if (which < 1) pair = edges(logarithmic(1e-16, 1), gap);
    if (which > 1 && which < 2) pair = vertex_over_triangle(logarithmic(1e-16, 1), gap);
    if (which > 2 && which < 3) pair = integers(kind);
    if (which > 3 && which < 4) pair = collapsed(kind);
    if (which > 4 && which < 5) {
      const Vec3 far = logarithmic(1, 1e6) * vector();
      for (Vec3& x : pair.x) x += far;
    }
    const Real scales[] = {1, 1, 1, 1e-6, 1e6, 1e-150, 1e150};
    const Real scale = scales[static_cast<int>(uniform(0, 7))];
    for (Vec3& x : pair.x) x = scale * x;
    return pair;
  }
};

inline std::string describe(const PairSample& pair) {
  std::string text = name_of(pair.kind);
  char number[40];
  for (const Vec3& x : pair.x) {
    text += " (";
    for (int i = 0; i < 3; ++i) {
      std::snprintf(number, sizeof number, "%.17g%s", x[i], i < 2 ? ", " : ")");
      text += number;
    }
  }
  return text;
}

}  // namespace unbarred::test
