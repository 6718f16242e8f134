#pragma once
// The independent audit: does a triangle surface meet itself or another one? It shares nothing with the collision
// detection of the solver (own tree, own predicates, exact arithmetic), so that an error there cannot hide here.
//
// Audited are surfaces: a body wholly inside another one meets nothing and is not reported.
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "audit/triangle_intersection.hpp"

namespace unbarred {

/// Triangles over vertices; the arrays belong to the caller.
struct AuditSurface {
  std::span<const Vec3> positions;                  ///< m
  std::span<const std::array<Index, 3>> triangles;  ///< numbers of their corners in `positions`
  std::span<const std::int32_t> vertex_body;        ///< body of each vertex; empty: all of body 0
  /// The name of each vertex: corners with equal ids (and equal positions) are the same vertex, whose triangles are
  /// neighbors there. Empty: its number in `positions`, and nothing in common with another surface.
  std::span<const GlobalIndex> vertex_ids;
  /// Not 0 for a copy of a triangle that somebody else audits as well: pairs of two copies are left to others, and so
  /// is what the triangle is by itself (zero_area, not_finite). Empty: no copies.
  std::span<const std::uint8_t> is_copy{};
};

struct AuditOptions {
  /// Pairs of bodies, in either order, whose contact is allowed; {b, b} stands for body b with itself.
  std::vector<std::pair<std::int32_t, std::int32_t>> excluded_bodies;
  std::size_t list_limit = 1000;  ///< most entries of each list of the report; the counts go on
};

/// Two triangles by their numbers in their surfaces.
struct AuditPair {
  Index a, b;
  exact::Relation relation;
  bool operator==(const AuditPair&) const = default;
};

struct AuditReport {
  std::int64_t crossing = 0;                ///< pairs
  std::int64_t touching = 0;                ///< pairs
  std::int64_t zero_area = 0;               ///< triangles whose corners lie on one line; they take part like any other
  std::int64_t not_finite = 0;              ///< triangles with an infinite or NaN coordinate; they meet nothing
  std::vector<AuditPair> pairs;             ///< crossing before touching, then by a, then by b: the first of all
  std::vector<Index> zero_area_triangles;   ///< ascending: the first of all
  std::vector<Index> not_finite_triangles;  ///< ascending: the first of all
  /// Nothing found: a surface as it should be.
  bool clean() const { return crossing == 0 && touching == 0 && zero_area == 0 && not_finite == 0; }
};

/// All pairs of triangles of one surface that cross or touch (exact::triangle_triangle); a < b in every pair. But for
/// the numbers the result depends neither on the order of the triangles nor on that of the vertices. Serial, O(n log n)
/// and a constant time for every pair whose boxes meet.
AuditReport audit(const AuditSurface& surface, const AuditOptions& options = {});

/// All pairs of a triangle of the first and one of the second surface that cross or touch. zero_area and not_finite
/// stay 0: they are found by the audit of each surface. The same triangle in both touches itself.
AuditReport audit_between(const AuditSurface& first, const AuditSurface& second, const AuditOptions& options = {});

}  // namespace unbarred
