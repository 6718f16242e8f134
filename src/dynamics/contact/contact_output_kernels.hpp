#pragma once
// Launches behind ContactOutput: forces of pairs, their sums at vertices, the surface's area around a vertex.
#include "contact/pairs/active_pair.hpp"
#include "contact/pairs/constraint_kernels.hpp"
#include "contact/primitives.hpp"
#include "contact/surface/surface_neighbours.hpp"

namespace unbarred {

/// What a pair does, along the normal and with the weights of the last solve: so forces balance what moved.
struct PairForce {
  Vec3 normal;    ///< on side A, N
  Vec3 friction;  ///< on side A, N
  Real weight[4];
  Real gap;             ///< m
  Vec3 friction_error;  ///< friction less that of Coulomb's law for the slip in the step, N
  Real error_energy;    ///< what it bends where it acts: |friction_error|^2 / 2 mu, J
};

/// At the end of a step: x, its start, slip length (m) and h^2 (s^2).
struct StepEnd {
  VertexValues x, start;
  Real slip_length, time_step_squared;
};
void pair_forces(View<const ActivePair> pairs, const StepEnd& step, View<PairForce> forces);

/// The closest points of a pair, m.
struct PairLine {
  Vec3 a, b;
};
void pair_lines(View<const ActivePair> pairs, const VertexValues& x, View<PairLine> lines);

/// Of local vertices; written where a vertex has pairs.
struct VertexSums {
  View<Vec3> normal, friction;  ///< N
  View<Real> gap;               ///< least of its pairs, m
};
void sum_at_vertices(const PairsOfVertices& around, View<const PairForce> forces, const VertexSums& sums);

/// areas[v] = a third of the current area of the triangles around owned vertex v, m^2.
void share_areas(const TrianglesAround& around, View<const Vec3> x, View<Real> areas);
/// pressures = |forces| / areas where there is a force; areas and pressures may be one array.
void pressures_of(View<const Vec3> forces, View<const Real> areas, View<Real> pressures);

}  // namespace unbarred
