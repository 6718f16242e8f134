#include "audit/audit.hpp"

#include <algorithm>
#include <tuple>

#include "audit/box_tree.hpp"
#include "audit/orientation.hpp"

namespace unbarred {

namespace {

using exact::Corners;
using exact::Relation;

/// One triangle, by value.
struct Face {
  Corners corners;
  std::array<GlobalIndex, 3> ids;
  std::int32_t body;
};

Face face_of(const AuditSurface& surface, Index triangle) {
  const auto& v = surface.triangles[static_cast<std::size_t>(triangle)];
  Face face;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto vertex = static_cast<std::size_t>(v[i]);
    face.corners[i] = surface.positions[vertex];
    face.ids[i] = surface.vertex_ids.empty() ? v[i] : surface.vertex_ids[vertex];
  }
  face.body = surface.vertex_body.empty() ? 0 : surface.vertex_body[static_cast<std::size_t>(v[0])];
  return face;
}

/// Brings the common vertices to the front of both faces, in the same order; returns their number. A vertex that is not
/// at the same place in both, as after an error in the exchange of ghosts, is not common.
int align(Face& a, Face& b) {
  std::size_t shared = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = shared; j < 3; ++j)
      if (a.ids[i] == b.ids[j] && exact::equal(a.corners[i], b.corners[j])) {
        std::swap(a.ids[shared], a.ids[i]), std::swap(a.corners[shared], a.corners[i]);
        std::swap(b.ids[shared], b.ids[j]), std::swap(b.corners[shared], b.corners[j]);
        ++shared;
        break;
      }
  return static_cast<int>(shared);
}

bool in_report_order(const AuditPair& p, const AuditPair& q) {
  // The larger relation is the graver one.
  return std::tuple(q.relation, p.a, p.b) < std::tuple(p.relation, q.a, q.b);
}

/// Counts everything, keeps the first `limit` pairs in the order of the report.
class Findings {
 public:
  explicit Findings(const AuditOptions& options) : limit_(options.list_limit), excluded_(options.excluded_bodies) {
    for (auto& bodies : excluded_)
      if (bodies.second < bodies.first) std::swap(bodies.first, bodies.second);
    std::sort(excluded_.begin(), excluded_.end());
  }

  /// The triangles i and j; `related` when equal ids mean the same vertex.
  void test(Face a, Face b, Index i, Index j, bool related) {
    if (is_excluded(a.body, b.body)) return;
    const int shared = related ? align(a, b) : 0;
    const Relation relation = exact::triangle_triangle(a.corners, b.corners, shared);
    if (relation == Relation::apart) return;
    ++(relation == Relation::crossing ? report_.crossing : report_.touching);
    if (limit_ == 0) return;
    report_.pairs.push_back({i, j, relation});
    if (report_.pairs.size() == 2 * limit_) keep_first();
  }

  AuditReport finish() {
    keep_first();
    std::sort(report_.pairs.begin(), report_.pairs.end(), in_report_order);
    return std::move(report_);
  }

 private:
  bool is_excluded(std::int32_t a, std::int32_t b) const {
    return !excluded_.empty() &&
           std::binary_search(excluded_.begin(), excluded_.end(), std::pair(std::min(a, b), std::max(a, b)));
  }
  void keep_first() {
    auto& pairs = report_.pairs;
    if (pairs.size() <= limit_) return;
    std::nth_element(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(limit_), pairs.end(), in_report_order);
    pairs.resize(limit_);
  }

  std::size_t limit_;
  std::vector<std::pair<std::int32_t, std::int32_t>> excluded_;
  AuditReport report_;
};

BoxTree tree_of(const AuditSurface& surface) {
  std::vector<BoxTree::Item> items;
  items.reserve(surface.triangles.size());
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) {
    const Corners corners = face_of(surface, t).corners;
    if (exact::is_finite(corners)) items.push_back({AuditBox::around(corners), t});
  }
  return BoxTree(std::move(items));
}

void note(std::int64_t& count, std::vector<Index>& list, Index triangle, std::size_t limit) {
  ++count;
  if (list.size() < limit) list.push_back(triangle);
}

}  // namespace

AuditReport audit(const AuditSurface& surface, const AuditOptions& options) {
  const auto is_copy = [&](Index t) {
    return !surface.is_copy.empty() && surface.is_copy[static_cast<std::size_t>(t)] != 0;
  };
  Findings findings(options);
  tree_of(surface).for_each_meeting([&](Index i, Index j) {
    if (is_copy(i) && is_copy(j)) return;
    if (j < i) std::swap(i, j);
    findings.test(face_of(surface, i), face_of(surface, j), i, j, true);
  });
  AuditReport report = findings.finish();
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) {
    if (is_copy(t)) continue;
    const Corners corners = face_of(surface, t).corners;
    if (!exact::is_finite(corners)) note(report.not_finite, report.not_finite_triangles, t, options.list_limit);
    else if (exact::has_zero_area(corners)) note(report.zero_area, report.zero_area_triangles, t, options.list_limit);
  }
  return report;
}

AuditReport audit_between(const AuditSurface& first, const AuditSurface& second, const AuditOptions& options) {
  Findings findings(options);
  const bool related = !first.vertex_ids.empty() && !second.vertex_ids.empty();
  tree_of(first).for_each_meeting(
      tree_of(second), [&](Index i, Index j) { findings.test(face_of(first, i), face_of(second, j), i, j, related); });
  return findings.finish();
}

}  // namespace unbarred
