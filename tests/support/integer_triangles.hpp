#pragma once
// The relation of two triangles with small integer corners, found in another way than by the code under test: two
// convex sets meet when the hull of their differences holds the origin, and a hull holds what one of its simplices
// holds inside (Caratheodory). All in 64-bit integers: coordinates up to 100.
#include <array>
#include <vector>

#include "audit/triangle_intersection.hpp"

namespace unbarred::test {

using Integer3 = std::array<std::int64_t, 3>;
using IntegerTriangle = std::array<Integer3, 3>;

inline Integer3 operator-(const Integer3& a, const Integer3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline std::int64_t dot(const Integer3& a, const Integer3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Integer3 cross(const Integer3& a, const Integer3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline bool is_zero(const Integer3& a) { return a == Integer3{}; }
inline std::int64_t determinant(const Integer3& a, const Integer3& b, const Integer3& c) { return dot(a, cross(b, c)); }
inline Integer3 normal(const IntegerTriangle& t) { return cross(t[1] - t[0], t[2] - t[0]); }

/// The origin lies strictly inside the simplex of the given corners (a point: is it), which has as many dimensions.
inline bool origin_inside(const Integer3& p, const Integer3& q) { return is_zero(cross(p, q)) && dot(p, q) < 0; }
inline bool origin_inside(const Integer3& p, const Integer3& q, const Integer3& r) {
  const Integer3 n = normal({p, q, r});
  return determinant(p, q, r) == 0 && dot(n, cross(p, q)) > 0 && dot(n, cross(q, r)) > 0 && dot(n, cross(r, p)) > 0;
}
inline bool origin_inside(const Integer3& p, const Integer3& q, const Integer3& r, const Integer3& s) {
  const std::int64_t a = determinant(q, r, s), b = determinant(r, p, s), c = determinant(p, q, s),
                     d = determinant(q, p, r);
  return (a > 0 && b > 0 && c > 0 && d > 0) || (a < 0 && b < 0 && c < 0 && d < 0);
}

inline bool hull_holds_origin(const std::vector<Integer3>& points) {
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (is_zero(points[i])) return true;
    for (std::size_t j = i + 1; j < n; ++j) {
      if (origin_inside(points[i], points[j])) return true;
      for (std::size_t k = j + 1; k < n; ++k) {
        if (origin_inside(points[i], points[j], points[k])) return true;
        for (std::size_t l = k + 1; l < n; ++l)
          if (origin_inside(points[i], points[j], points[k], points[l])) return true;
      }
    }
  }
  return false;
}

inline bool meet(const IntegerTriangle& t, const IntegerTriangle& o) {
  std::vector<Integer3> differences;
  for (const auto& p : t)
    for (const auto& q : o) differences.push_back(p - q);
  return hull_holds_origin(differences);
}

/// The cones at the first corner that a triangle fills near it: one of two rays, or, without area, rays on their own.
inline std::vector<std::vector<Integer3>> cones(const IntegerTriangle& t) {
  const Integer3 p = t[1] - t[0], q = t[2] - t[0];
  if (!is_zero(cross(p, q))) return {{p, q}};
  std::vector<std::vector<Integer3>> rays;
  for (const auto& ray : {p, q})
    if (!is_zero(ray)) rays.push_back({ray});
  return rays;
}

/// Beyond the common first corner: triangles meet there when their cones have a common ray.
inline bool meet_beyond_vertex(const IntegerTriangle& t, const IntegerTriangle& o) {
  for (const auto& cone : cones(t))
    for (const auto& other : cones(o)) {
      std::vector<Integer3> rays = cone;
      for (const auto& ray : other) rays.push_back(Integer3{} - ray);
      if (hull_holds_origin(rays)) return true;
    }
  return false;
}

/// Beyond the common edge of the first two corners.
inline bool meet_beyond_edge(const IntegerTriangle& t, const IntegerTriangle& o) {
  const Integer3 n = normal(t), m = normal(o);
  if (!is_zero(n) || !is_zero(m)) return is_zero(cross(n, m)) && dot(n, m) > 0;
  const Integer3 edge = t[1] - t[0], p = t[2] - t[0], q = o[2] - t[0];
  if (is_zero(edge)) return is_zero(cross(p, q)) && dot(p, q) > 0;
  const std::int64_t length = dot(edge, edge), a = dot(edge, p), b = dot(edge, q);
  return (a < 0 && b < 0) || (a > length && b > length);
}

/// The edge p, q passes through the plane of t strictly between p and q, at a point strictly inside t: the point itself
/// is computed, as a fraction.
inline bool pierces(const Integer3& p, const Integer3& q, const IntegerTriangle& t) {
  const Integer3 n = normal(t);
  const std::int64_t hp = dot(n, p - t[0]), hq = dot(n, q - t[0]);
  if (!((hp > 0 && hq < 0) || (hp < 0 && hq > 0))) return false;
  const std::int64_t scale = hp > 0 ? hp - hq : hq - hp, weight = hp > 0 ? hp : -hp;
  Integer3 x;  // scale * (point)
  for (std::size_t i = 0; i < 3; ++i) x[i] = scale * p[i] + weight * (q[i] - p[i]);
  for (std::size_t i = 0; i < 3; ++i) {
    const Integer3 &a = t[i], &b = t[(i + 1) % 3];
    const Integer3 from = x - Integer3{scale * a[0], scale * a[1], scale * a[2]};
    if (dot(n, cross(b - a, from)) <= 0) return false;
  }
  return true;
}

/// What exact::triangle_triangle must answer.
inline exact::Relation expected_relation(const IntegerTriangle& t, const IntegerTriangle& o, int shared) {
  for (std::size_t i = 0; i < 3; ++i)
    if (pierces(t[i], t[(i + 1) % 3], o) || pierces(o[i], o[(i + 1) % 3], t)) return exact::Relation::crossing;
  const bool contact = shared == 0 ? meet(t, o) : shared == 1 ? meet_beyond_vertex(t, o) : meet_beyond_edge(t, o);
  return contact ? exact::Relation::touching : exact::Relation::apart;
}

}  // namespace unbarred::test
