#include "audit/triangle_intersection.hpp"

#include <algorithm>
#include <cmath>

#include "audit/orientation.hpp"

namespace unbarred::exact {

namespace {

bool before(const Vec3& p, const Vec3& q) { return std::lexicographical_compare(p.x, p.x + 3, q.x, q.x + 3); }

/// Whether the bounding boxes of two segments are disjoint.
bool boxes_apart(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i)
    if (std::max(p[i], q[i]) < std::min(a[i], b[i]) || std::max(a[i], b[i]) < std::min(p[i], q[i])) return true;
  return false;
}

bool boxes_apart(const Vec3& p, const Vec3& q, const Corners& t) {
  for (int i = 0; i < 3; ++i) {
    const auto [low, high] = std::minmax({t[0][i], t[1][i], t[2][i]});
    if (std::max(p[i], q[i]) < low || high < std::min(p[i], q[i])) return true;
  }
  return false;
}

/// A coordinate plane in which a, b, c are not on one line; {-1} when they are on one line in space.
Projection spread_plane(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int i = 0; i < 3; ++i)
    if (orientation(a, b, c, Projection{i}) != 0) return {i};
  return {-1};
}

/// p is on the line of a and b in the coordinate plane: whether it is on the segment.
bool within(const Vec3& a, const Vec3& b, const Vec3& p, Projection plane) {
  const auto between = [](Real low, Real high, Real x) { return std::min(low, high) <= x && x <= std::max(low, high); };
  return between(plane.first(a), plane.first(b), plane.first(p)) &&
         between(plane.second(a), plane.second(b), plane.second(p));
}

/// Whether two closed segments have a common point, as seen in a coordinate plane.
bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, Projection plane) {
  const int pqa = orientation(p, q, a, plane), pqb = orientation(p, q, b, plane);
  const int abp = orientation(a, b, p, plane), abq = orientation(a, b, q, plane);
  if (pqa * pqb < 0 && abp * abq < 0) return true;
  return (pqa == 0 && within(p, q, a, plane)) || (pqb == 0 && within(p, q, b, plane)) ||
         (abp == 0 && within(a, b, p, plane)) || (abq == 0 && within(a, b, q, plane));
}

/// Whether two closed segments have a common point; each may be a point.
bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  if (boxes_apart(p, q, a, b) || orientation(p, q, a, b) != 0) return false;
  // Four points of one plane: a view in which any three of them are spread shows that plane one to one.
  const Vec3* triples[4][3] = {{&p, &q, &a}, {&p, &q, &b}, {&a, &b, &p}, {&a, &b, &q}};
  for (const auto& t : triples) {
    const Projection plane = spread_plane(*t[0], *t[1], *t[2]);
    if (plane.dropped >= 0) return segments_meet(p, q, a, b, plane);
  }
  // All on one line, along which the lexicographic order is an order of position.
  const auto [low, high] = std::minmax(p, q, before);
  const auto [from, to] = std::minmax(a, b, before);
  return !before(high, from) && !before(to, low);
}

bool contains(const Corners& t, const Vec3& p, Projection plane) {
  const int s[3] = {orientation(t[0], t[1], p, plane), orientation(t[1], t[2], p, plane),
                    orientation(t[2], t[0], p, plane)};
  const auto [least, greatest] = std::minmax({s[0], s[1], s[2]});
  return least >= 0 || greatest <= 0;
}

/// Whether a closed segment meets a closed triangle in the plane of all five points; the triangle may have zero area.
bool meet_in_plane(const Vec3& p, const Vec3& q, const Corners& t) {
  const Projection plane = spread_plane(t[0], t[1], t[2]);
  if (plane.dropped >= 0 && contains(t, p, plane)) return true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &a = t[i], &b = t[(i + 1) % 3];
    if (plane.dropped >= 0 ? segments_meet(p, q, a, b, plane) : segments_meet(p, q, a, b)) return true;
  }
  return false;
}

/// The sides of the plane of `t` on which p and q lie are known.
Relation relation_of(const Vec3& p, const Vec3& q, const Corners& t, int side_p, int side_q) {
  if (side_p * side_q > 0) return Relation::apart;
  if (side_p == 0 && side_q == 0) return meet_in_plane(p, q, t) ? Relation::touching : Relation::apart;
  // The line of p and q meets the plane of t in one point, which lies inside where all three turns are the same.
  bool positive = false, negative = false, strict = side_p * side_q < 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const int turn = orientation(p, q, t[i], t[(i + 1) % 3]);
    positive = positive || turn > 0;
    negative = negative || turn < 0;
    strict = strict && turn != 0;
    if (positive && negative) return Relation::apart;
  }
  return strict ? Relation::crossing : Relation::touching;
}

int side(const Corners& t, const Vec3& p) { return orientation(t[0], t[1], t[2], p); }

bool contains(const Corners& t, const Vec3& p) { return segment_triangle(p, p, t) != Relation::apart; }

/// No common vertices. Two triangles meet exactly where an edge of one meets the other.
Relation strangers(const Corners& t, const Corners& o) {
  int sides[2][3];
  const Corners* both[2] = {&t, &o};
  bool coplanar = true;
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < 3; ++i) sides[k][i] = side(*both[1 - k], (*both[k])[i]);
    const auto [least, greatest] = std::minmax({sides[k][0], sides[k][1], sides[k][2]});
    if (least > 0 || greatest < 0) return Relation::apart;
    coplanar = coplanar && least == 0 && greatest == 0;
  }
  const Relation most = coplanar ? Relation::touching : Relation::crossing;
  Relation relation = Relation::apart;
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < 3 && relation != most; ++i) {
      const std::size_t j = (i + 1) % 3;
      const Vec3 &p = (*both[k])[i], &q = (*both[k])[j];
      if (boxes_apart(p, q, *both[1 - k])) continue;
      relation = std::max(relation, relation_of(p, q, *both[1 - k], sides[k][i], sides[k][j]));
    }
  return relation;
}

/// The first corner is common. Of two proper triangles any further common point p lies on a ray from the common corner,
/// and the ray leaves one of them, before it leaves the other, through the edge opposite to that corner. A triangle
/// without area is made of its two edges at the common corner; it and another one have a further point in common where
/// one of its corners is in the other, or the opposite edge of the other meets it.
Relation neighbors_at_vertex(const Corners& t, const Corners& o) {
  const Relation through_o = segment_triangle(t[1], t[2], o), through_t = segment_triangle(o[1], o[2], t);
  const Relation relation = std::max(through_o, through_t);
  if (relation != Relation::touching) return relation;
  const bool contact = (through_o == Relation::touching && !has_zero_area(t)) ||
                       (through_t == Relation::touching && !has_zero_area(o)) ||
                       (!equal(t[1], t[0]) && contains(o, t[1])) || (!equal(t[2], t[0]) && contains(o, t[2])) ||
                       (!equal(o[1], t[0]) && contains(t, o[1])) || (!equal(o[2], t[0]) && contains(t, o[2]));
  return contact ? Relation::touching : Relation::apart;
}

/// The first two corners are common. Two planes meet in the line of the common edge; in one plane the triangles overlap
/// when their third corners lie on the same side of it. Triangles without area meet beyond the edge only on its line.
Relation neighbors_at_edge(const Corners& t, const Corners& o) {
  if (side(t, o[2]) != 0) return Relation::apart;
  const Projection plane = spread_plane(t[0], t[1], t[2]);
  bool contact = false;
  if (plane.dropped >= 0) {
    contact = orientation(t[0], t[1], t[2], plane) * orientation(t[0], t[1], o[2], plane) > 0;
  } else {
    const auto beyond = [&](const Vec3& p) { return !segments_meet(t[0], t[1], p, p); };
    contact = (beyond(t[2]) && contains(o, t[2])) || (beyond(o[2]) && contains(t, o[2]));
  }
  return contact ? Relation::touching : Relation::apart;
}

}  // namespace

bool is_finite(const Corners& t) {
  for (const Vec3& p : t)
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) return false;
  return true;
}

bool has_zero_area(const Corners& t) { return spread_plane(t[0], t[1], t[2]).dropped < 0; }

Relation segment_triangle(const Vec3& p, const Vec3& q, const Corners& t) {
  if (boxes_apart(p, q, t)) return Relation::apart;
  return relation_of(p, q, t, side(t, p), side(t, q));
}

Relation triangle_triangle(const Corners& t, const Corners& o, int shared) {
  switch (shared) {
    case 0:
      return strangers(t, o);
    case 1:
      return neighbors_at_vertex(t, o);
    case 2:
      return neighbors_at_edge(t, o);
    default:
      return Relation::touching;
  }
}

}  // namespace unbarred::exact
