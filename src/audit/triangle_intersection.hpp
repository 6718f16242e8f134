#pragma once
// How two closed triangles lie to each other, decided from exact signs alone: no tolerance, no rounding.
#include <array>

#include "core/vec3.hpp"

namespace unbarred::exact {

enum class Relation : std::uint8_t {
  apart,  ///< no common point: the distance is positive, however small
  /// A common point, but no proper crossing: vertex on face, edge on edge, coplanar overlap, identical, ... Surfaces
  /// that went through each other exactly along edges or vertices, as aligned meshes may, touch as well.
  touching,
  crossing,  ///< an edge of one passes through the inside of the other, every sign strictly positive or negative
};

/// As sets of points: their order and turning do not matter. A triangle of zero area is the segment or the point that
/// it covers.
using Corners = std::array<Vec3, 3>;

/// No coordinate is infinite or NaN.
bool is_finite(const Corners& t);

/// A triangle whose corners lie on one line.
bool has_zero_area(const Corners& t);

/// Of the closed segment p, q and the closed triangle t.
Relation segment_triangle(const Vec3& p, const Vec3& q, const Corners& t);

/// Of two triangles. Their first `shared` (0 to 3) corners are common vertices of the surface (t[i] == o[i] there),
/// and the vertex or edge that they span does not count as a common point; everything else does: a fold back onto the
/// neighbor, an opposite edge through the neighbor. Three shared corners are the same face twice, so touching.
/// Corners that merely have equal coordinates are not shared and touch.
Relation triangle_triangle(const Corners& t, const Corners& o, int shared);

}  // namespace unbarred::exact
