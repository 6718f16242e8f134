#pragma once
// One filtered motion on one rank, and everything that must hold of it.
#include <gtest/gtest.h>

#include "audit/audit.hpp"
#include "contact/distance.hpp"
#include "contact/position_at.hpp"
#include "dynamics/elastic/inversion_guard.hpp"
#include "support/boundary.hpp"
#include "support/random_scenes.hpp"
#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {

struct FilterCase {
  bool lazy = true, guarded = false;
  Real minimum_gap = 1e-4;
  int most_passes = 60;
  Real largest_slack = 1e300;
  Real least_of_uniform = 0;
  Real reach = 0;
};

class FilteredMotion {
 public:
  FilteredMotion(const CollisionScene& scene, const FilterCase& which) : scene_(scene), which_(which) {
    CollisionPart part(scene, std::vector<int>(scene.start.size(), 0), world());
    const ElasticMesh elastic(part.mesh(), {material(MaterialModel::corotated)});
    const ElementGuard guard(elastic, ElementGuard::Scope::everywhere);
    const auto broad_phase = make_broad_phase({});
    const auto filter = which.lazy ? make_lazy_filter() : make_global_filter();
    report = filter->filter(part.collision_mesh(), *broad_phase,
                            {.minimum_gap = which.minimum_gap,
                             .largest_slack = which.largest_slack,
                             .reach = which.reach,
                             .most_passes = which.most_passes,
                             .least_of_uniform = which.least_of_uniform,
                             .guard = which.guarded ? &guard : nullptr});
    fractions = part.owned_values(filter->fractions());
    for (const Real time : to_host(filter->times())) would_join += time <= 1 ? 1 : 0;
    for (std::size_t v = 0; v < fractions.size(); ++v)
      reached.push_back(position_at(scene.start[v], scene.target[v], fractions[v]));
    for (const GlobalTriangle& t : scene.triangles) triangles_.push_back({Index(t.v[0]), Index(t.v[1]), Index(t.v[2])});
    for (const Triangle& t : boundary_of(scene.tetrahedra).triangles) triangles_.push_back({t.v[0], t.v[1], t.v[2]});
  }

  /// At times 0, 1/samples, 2/samples, ... 1 of the way to what was reached. Zero areas are none of the filter's
  /// business.
  void expect_no_intersection(int samples) const {
    for (int i = 0; i <= samples; ++i) {
      const std::vector<Vec3> x = at(Real(i) / samples);
      const AuditReport audit = unbarred::audit(AuditSurface{x, triangles_, {}, {}});
      ASSERT_EQ(audit.crossing, 0) << "at time " << i << " of " << samples;
      ASSERT_EQ(audit.touching, 0) << "at time " << i << " of " << samples;
      ASSERT_EQ(audit.not_finite, 0);
    }
  }

  void expect_fractions_in_range() const {
    for (const Real fraction : fractions) {
      ASSERT_GE(fraction, 0);
      ASSERT_LE(fraction, 1);
      ASSERT_FALSE(std::signbit(fraction));
    }
  }

  /// Volumes stay above a tenth of those at the start.
  void expect_no_inversion(int samples) const {
    for (int i = 1; i <= samples; ++i) {
      const std::vector<Vec3> x = at(Real(i) / samples);
      for (const GlobalTetrahedron& t : scene_.tetrahedra)
        ASSERT_GE(volume(t, x), (0.1 - 1e-9) * volume(t, scene_.start)) << "at time " << i << " of " << samples;
    }
  }

  /// At the end every pair keeps the minimum gap, or 0.9 of a smaller one; up to roundings of the coordinates.
  void expect_gaps() const {
    const SurfaceMesh surface = primitives();
    Real size = 1;
    for (const Vec3& x : scene_.start)
      for (int k = 0; k < 3; ++k) size = std::max(size, std::abs(x[k]));
    for (const Vec3& x : reached)
      for (int k = 0; k < 3; ++k) size = std::max(size, std::abs(x[k]));
    rounding_ = 64 * 1.1102230246251565e-16 * size;
    for (const SurfaceVertex& v : surface.vertices)
      for (const Triangle& t : surface.triangles)
        if (v.v[0] != t.v[0] && v.v[0] != t.v[1] && v.v[0] != t.v[2]) {
          ASSERT_TRUE(keeps_gap({PairKind::vertex_triangle, {v.v[0], t.v[0], t.v[1], t.v[2]}}));
        }
    for (std::size_t a = 0; a < surface.edges.size(); ++a)
      for (std::size_t b = a + 1; b < surface.edges.size(); ++b) {
        const Edge &p = surface.edges[a], &q = surface.edges[b];
        if (p.v[0] == q.v[0] || p.v[0] == q.v[1] || p.v[1] == q.v[0] || p.v[1] == q.v[1]) continue;
        ASSERT_TRUE(keeps_gap({PairKind::edge_edge, {p.v[0], p.v[1], q.v[0], q.v[1]}}));
      }
  }

  FilterReport report;
  std::int64_t would_join = 0;  ///< candidates that collide or end within reach
  std::vector<Real> fractions;
  std::vector<Vec3> reached;

 private:
  std::vector<Vec3> at(Real time) const {
    std::vector<Vec3> x;
    for (std::size_t v = 0; v < reached.size(); ++v) x.push_back(position_at(scene_.start[v], reached[v], time));
    return x;
  }
  static Real volume(const GlobalTetrahedron& t, const std::vector<Vec3>& x) {
    return dot(x[t.v[1]] - x[t.v[0]], cross(x[t.v[2]] - x[t.v[0]], x[t.v[3]] - x[t.v[0]]));
  }
  SurfaceMesh primitives() const {
    SurfaceMesh surface;
    std::set<std::array<Index, 2>> edges;
    std::set<Index> vertices;
    for (const auto& t : triangles_) {
      surface.triangles.push_back({{t[0], t[1], t[2]}});
      for (int k = 0; k < 3; ++k) {
        edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
        vertices.insert(t[k]);
      }
    }
    for (const auto& edge : edges) surface.edges.push_back({{edge[0], edge[1]}});
    for (const Index v : vertices) surface.vertices.push_back({{v}});
    return surface;
  }
  bool keeps_gap(const ContactPair& pair) const {
    Vec3 from[4], to[4];
    for (int k = 0; k < 4; ++k) {
      from[k] = scene_.start[static_cast<std::size_t>(pair.v[k])];
      to[k] = reached[static_cast<std::size_t>(pair.v[k])];
    }
    const Real before = pair_distance(pair.kind, from).distance, after = pair_distance(pair.kind, to).distance;
    const Real promised = before > which_.minimum_gap ? which_.minimum_gap : 0.9 * before;
    if (before < rounding_ || after >= promised - rounding_) return true;
    ADD_FAILURE() << "gap " << before << " fell to " << after;
    return false;
  }

  const CollisionScene& scene_;
  FilterCase which_;
  std::vector<std::array<Index, 3>> triangles_;
  mutable Real rounding_ = 0;
};

}  // namespace unbarred::test
