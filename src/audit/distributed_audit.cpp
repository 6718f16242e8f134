#include "audit/distributed_audit.hpp"

#include <algorithm>
#include <tuple>

#include "audit/boundary.hpp"
#include "audit/box_tree.hpp"

namespace unbarred {

namespace {

/// Boxes that every rank tells all others: enough to tell near from far, few enough for thousands of ranks.
constexpr std::size_t boxes_a_rank = 64;

struct Cover {
  std::size_t count;
  std::array<AuditBox, boxes_a_rank> boxes;
};

/// Of two ranks one tests the pairs between them; which one changes from couple to couple, so that work is spread.
bool sends_to(int from, int to) { return (from + to) % 2 == 0 ? from < to : from > to; }

bool by_vertices(const AuditedTriangle& s, const AuditedTriangle& t) {
  return std::tie(s.vertices, s.body) < std::tie(t.vertices, t.body);
}

bool in_report_order(const AuditedPair& p, const AuditedPair& q) {
  return std::tie(q.relation, p.a.vertices, p.b.vertices) < std::tie(p.relation, q.a.vertices, q.b.vertices);
}

std::vector<AuditedTriangle> triangles_of(const AuditSurface& surface) {
  std::vector<AuditedTriangle> triangles;
  triangles.reserve(surface.triangles.size());
  for (auto v : surface.triangles) {
    const auto id = [&](Index vertex) { return surface.vertex_ids[static_cast<std::size_t>(vertex)]; };
    std::sort(v.begin(), v.end(), [&](Index p, Index q) { return id(p) < id(q); });
    AuditedTriangle& triangle = triangles.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      triangle.vertices[i] = id(v[i]);
      triangle.corners[i] = surface.positions[static_cast<std::size_t>(v[i])];
    }
    triangle.body = surface.vertex_body.empty() ? 0 : surface.vertex_body[static_cast<std::size_t>(v[0])];
  }
  return triangles;
}

BoxTree tree_of(const std::vector<AuditedTriangle>& triangles) {
  std::vector<BoxTree::Item> items;
  items.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (exact::is_finite(triangles[t].corners))
      items.push_back({AuditBox::around(triangles[t].corners), static_cast<Index>(t)});
  return BoxTree(std::move(items));
}

/// Triangles of other ranks that may meet those of this rank, and that this rank has to test.
std::vector<AuditedTriangle> exchange_near(const std::vector<AuditedTriangle>& own, const Communicator& communicator) {
  const BoxTree tree = tree_of(own);
  const std::vector<AuditBox> boxes = tree.cover(boxes_a_rank);
  Cover cover{boxes.size(), {}};
  std::copy(boxes.begin(), boxes.end(), cover.boxes.begin());
  const std::vector<Cover> covers = communicator.all_gather(cover);

  std::vector<BoxTree::Item> foreign;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    if (rank == communicator.rank() || !sends_to(communicator.rank(), rank)) continue;
    const Cover& other = covers[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < other.count; ++i) foreign.push_back({other.boxes[i], rank});
  }
  std::vector<std::pair<int, Index>> chosen;
  tree.for_each_meeting(BoxTree(std::move(foreign)), [&](Index t, Index rank) { chosen.emplace_back(rank, t); });
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());

  std::vector<AuditedTriangle> outgoing;
  outgoing.reserve(chosen.size());
  std::vector<int> counts(static_cast<std::size_t>(communicator.size()), 0);
  for (const auto& [rank, t] : chosen) {
    outgoing.push_back(own[static_cast<std::size_t>(t)]);
    ++counts[static_cast<std::size_t>(rank)];
  }
  return communicator.exchange<AuditedTriangle>(outgoing, counts);
}

/// The first of all ranks' items on rank 0.
template <class T, class Before>
std::vector<T> first_of_all(const std::vector<T>& items, std::size_t limit, const Before& before,
                            const Communicator& communicator) {
  std::vector<int> counts(static_cast<std::size_t>(communicator.size()), 0);
  counts[0] = static_cast<int>(items.size());
  std::vector<T> all = communicator.exchange<T>(items, counts);
  std::sort(all.begin(), all.end(), before);
  if (all.size() > limit) all.resize(limit);
  return all;
}

/// The serial audit of triangles in their order, so that its lists, too, are the first of all in that order.
AuditReport audit_in_order(const std::vector<AuditedTriangle>& triangles, const std::vector<std::uint8_t>& is_copy,
                           const AuditOptions& options) {
  std::vector<Vec3> positions;
  std::vector<std::array<Index, 3>> corners;
  std::vector<std::int32_t> body;
  std::vector<GlobalIndex> ids;
  for (const AuditedTriangle& triangle : triangles) {
    const auto first = static_cast<Index>(positions.size());
    corners.push_back({first, first + 1, first + 2});
    positions.insert(positions.end(), triangle.corners.begin(), triangle.corners.end());
    ids.insert(ids.end(), triangle.vertices.begin(), triangle.vertices.end());
    body.insert(body.end(), 3, triangle.body);
  }
  return audit({positions, corners, body, ids, is_copy}, options);
}

}  // namespace

DistributedAuditReport audit_surface(const AuditSurface& owned, const Communicator& communicator,
                                     const AuditOptions& options) {
  struct Entry {
    AuditedTriangle triangle;
    std::uint8_t is_copy;
  };
  std::vector<Entry> entries;
  {
    const std::vector<AuditedTriangle> own = triangles_of(owned);
    for (const AuditedTriangle& triangle : own) entries.push_back({triangle, 0});
    for (const AuditedTriangle& triangle : exchange_near(own, communicator)) entries.push_back({triangle, 1});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& s, const Entry& t) { return by_vertices(s.triangle, t.triangle); });
  std::vector<AuditedTriangle> triangles;
  std::vector<std::uint8_t> is_copy;
  for (const Entry& entry : entries) {
    triangles.push_back(entry.triangle);
    is_copy.push_back(entry.is_copy);
  }
  entries = {};
  const AuditReport local = audit_in_order(triangles, is_copy, options);

  const auto at = [&](Index t) { return triangles[static_cast<std::size_t>(t)]; };
  std::vector<AuditedPair> pairs;
  for (const AuditPair& pair : local.pairs) pairs.push_back({at(pair.a), at(pair.b), pair.relation});
  std::vector<AuditedTriangle> zero_area, not_finite;
  for (const Index t : local.zero_area_triangles) zero_area.push_back(at(t));
  for (const Index t : local.not_finite_triangles) not_finite.push_back(at(t));
  const std::size_t limit = options.list_limit;
  return {.crossing = communicator.sum(local.crossing),
          .touching = communicator.sum(local.touching),
          .zero_area = communicator.sum(local.zero_area),
          .not_finite = communicator.sum(local.not_finite),
          .pairs = first_of_all(pairs, limit, in_report_order, communicator),
          .zero_area_triangles = first_of_all(zero_area, limit, by_vertices, communicator),
          .not_finite_triangles = first_of_all(not_finite, limit, by_vertices, communicator)};
}

MeshAudit::MeshAudit(const LocalMesh& mesh, const Communicator& communicator, AuditOptions options)
    : mesh_(mesh),
      communicator_(communicator),
      options_(std::move(options)),
      triangles_(audited_triangles(mesh)),
      ids_(mesh.map.global_ids()) {}

DistributedAuditReport MeshAudit::of(const std::vector<Vec3>& positions) const {
  return audit_surface({positions, triangles_, mesh_.vertex_body, ids_, {}}, communicator_, options_);
}

}  // namespace unbarred
