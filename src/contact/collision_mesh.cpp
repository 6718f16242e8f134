#include "contact/collision_mesh.hpp"

#include <algorithm>

#include "contact/collision_mesh_kernels.hpp"

namespace unbarred {

namespace {

template <int N>
Primitive<N> in_id_order(std::array<Index, N> v, const IndexMap& map) {
  std::sort(v.begin(), v.end(), [&](Index a, Index b) { return map.to_global(a) < map.to_global(b); });
  Primitive<N> primitive;
  std::copy(v.begin(), v.end(), primitive.v);
  return primitive;
}

std::vector<std::int32_t> owners_of_local_vertices(const Communicator& communicator, const IndexMap& map) {
  std::vector<std::int32_t> owners(static_cast<std::size_t>(map.owned()), communicator.rank());
  owners.insert(owners.end(), map.ghost_owners().begin(), map.ghost_owners().end());
  return owners;
}

template <int N>
DeviceArray<SentPrimitive<N>> packed(const std::vector<Outgoing>& outgoing, const DeviceArray<Primitive<N>>& primitives,
                                     const VertexData& data) {
  std::vector<Index> chosen;
  chosen.reserve(outgoing.size());
  for (const Outgoing& item : outgoing) chosen.push_back(item.primitive);
  const DeviceArray<Index> on_device(chosen);
  DeviceArray<SentPrimitive<N>> result(on_device.size());
  pack_primitives<N>(on_device.view(), primitives.view(), data, result.view());
  return result;
}

}  // namespace

CollisionMesh::CollisionMesh(const Communicator& communicator, const IndexMap& map, Transport& transport,
                             const OwnedPrimitives& owned, const std::vector<std::int32_t>& body,
                             const std::vector<std::uint8_t>& prescribed)
    : communicator_(communicator),
      map_(map),
      exchange_(communicator, map, transport),
      ids_(map.global_ids()),
      body_(body),
      owner_(owners_of_local_vertices(communicator, map)),
      prescribed_(prescribed) {
  std::vector<SurfaceVertex> vertices;
  std::vector<Edge> edges;
  std::vector<Triangle> triangles;
  for (Index v : owned.vertices) vertices.push_back({{v}});
  for (const auto& edge : owned.edges) edges.push_back(in_id_order<2>(edge, map));
  for (const auto& triangle : owned.triangles) triangles.push_back(in_id_order<3>(triangle, map));
  own_.vertices = DeviceArray<SurfaceVertex>(vertices);
  own_.edges = DeviceArray<Edge>(edges);
  own_.triangles = DeviceArray<Triangle>(triangles);
}

void CollisionMesh::set_motion(const Field& start, const Field& target) {
  const std::int64_t local = map_.local();
  start_.resize_discard(local);
  target_.resize_discard(local);
  if (local > 0) {
    memory::copy_on_device(start_.data(), start.local().data(), static_cast<std::size_t>(local) * sizeof(Vec3));
    memory::copy_on_device(target_.data(), target.local().data(), static_cast<std::size_t>(local) * sizeof(Vec3));
  }
  ids_.truncate(local);
  body_.truncate(local);
  owner_.truncate(local);
  prescribed_.truncate(local);
  received_ = {};
}

void CollisionMesh::append_foreign(const std::vector<SentVertex>& foreign) {
  std::vector<GlobalIndex> ids;
  std::vector<Vec3> start, target;
  std::vector<std::int32_t> owner, body;
  std::vector<std::uint8_t> prescribed;
  for (const SentVertex& vertex : foreign) {
    ids.push_back(vertex.id);
    start.push_back(vertex.start);
    target.push_back(vertex.target);
    owner.push_back(vertex.owner);
    body.push_back(vertex.body);
    prescribed.push_back(static_cast<std::uint8_t>(vertex.prescribed));
  }
  ids_.append_host(ids);
  start_.append_host(start);
  target_.append_host(target);
  owner_.append_host(owner);
  body_.append_host(body);
  prescribed_.append_host(prescribed);
}

template <class Sent>
std::vector<Sent> CollisionMesh::send(const DeviceArray<Sent>& packed, const std::vector<Outgoing>& outgoing) {
  std::vector<int> counts(static_cast<std::size_t>(communicator_.size()), 0);
  for (const Outgoing& item : outgoing) ++counts[static_cast<std::size_t>(item.rank)];
  traffic_.primitives += static_cast<std::int64_t>(outgoing.size());
  traffic_.bytes += static_cast<std::int64_t>(outgoing.size() * sizeof(Sent));
  traffic_.messages += communicator_.size() - std::count(counts.begin(), counts.end(), 0);
  const std::vector<Sent> items = packed.to_host();
  return communicator_.exchange(std::span<const Sent>(items), std::span<const int>(counts));
}

namespace {

/// Extended numbers of received vertices: those in the mesh keep their local number, the rest are appended by id.
class Numbering {
 public:
  explicit Numbering(const IndexMap& map) : map_(map) {}
  template <int N>
  void collect(const std::vector<SentPrimitive<N>>& primitives) {
    for (const auto& primitive : primitives)
      for (const SentVertex& vertex : primitive.v)
        if (map_.to_local(vertex.id) < 0) foreign_.push_back(vertex);
  }
  void number() {
    std::sort(foreign_.begin(), foreign_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    const auto same = [](const auto& a, const auto& b) { return a.id == b.id; };
    foreign_.erase(std::unique(foreign_.begin(), foreign_.end(), same), foreign_.end());
  }
  template <int N>
  std::vector<Primitive<N>> renumbered(const std::vector<SentPrimitive<N>>& primitives) const {
    std::vector<Primitive<N>> result(primitives.size());
    for (std::size_t i = 0; i < primitives.size(); ++i)
      for (int k = 0; k < N; ++k) result[i].v[k] = extended(primitives[i].v[k].id);
    return result;
  }
  const std::vector<SentVertex>& foreign() const { return foreign_; }

 private:
  Index extended(GlobalIndex id) const {
    const Index local = map_.to_local(id);
    if (local >= 0) return local;
    const auto at = std::lower_bound(foreign_.begin(), foreign_.end(), id,
                                     [](const SentVertex& vertex, GlobalIndex wanted) { return vertex.id < wanted; });
    return map_.local() + static_cast<Index>(at - foreign_.begin());
  }
  const IndexMap& map_;
  std::vector<SentVertex> foreign_;
};

}  // namespace

void CollisionMesh::exchange_primitives(const std::vector<Outgoing>& vertices, const std::vector<Outgoing>& edges,
                                        const std::vector<Outgoing>& triangles) {
  traffic_ = {};
  const VertexData data{ids_.view(), start_.view(), target_.view(), owner_.view(), body_.view(), prescribed_.view()};
  const auto sent_vertices = send(packed<1>(vertices, own_.vertices, data), vertices);
  const auto sent_edges = send(packed<2>(edges, own_.edges, data), edges);
  const auto sent_triangles = send(packed<3>(triangles, own_.triangles, data), triangles);
  Numbering numbering(map_);
  numbering.collect(sent_vertices);
  numbering.collect(sent_edges);
  numbering.collect(sent_triangles);
  numbering.number();
  append_foreign(numbering.foreign());
  received_.vertices = DeviceArray<SurfaceVertex>(numbering.renumbered(sent_vertices));
  received_.edges = DeviceArray<Edge>(numbering.renumbered(sent_edges));
  received_.triangles = DeviceArray<Triangle>(numbering.renumbered(sent_triangles));

  std::vector<VertexExchange::Held> held;
  for (Index ghost = map_.owned(); ghost < map_.local(); ++ghost)
    held.push_back({map_.ghost_owners()[static_cast<std::size_t>(ghost - map_.owned())], map_.to_global(ghost), ghost});
  Index slot = map_.local();
  for (const SentVertex& vertex : numbering.foreign()) held.push_back({vertex.owner, vertex.id, slot++});
  exchange_.rebuild(std::move(held));
}

}  // namespace unbarred
