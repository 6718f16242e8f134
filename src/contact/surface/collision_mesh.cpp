#include "contact/surface/collision_mesh.hpp"

#include <algorithm>

#include "contact/surface/packet_kernels.hpp"

namespace unbarred {

namespace {

template <int N>
DeviceArray<Primitive<N>> in_id_order(const DeviceArray<Primitive<N>>& primitives, const IndexMap& map) {
  std::vector<Primitive<N>> host = primitives.to_host();
  for (Primitive<N>& primitive : host)
    std::sort(primitive.v, primitive.v + N, [&](Index a, Index b) { return map.to_global(a) < map.to_global(b); });
  return DeviceArray<Primitive<N>>(host);
}

std::vector<std::int32_t> owners_of_local_vertices(const Communicator& communicator, const IndexMap& map) {
  std::vector<std::int32_t> owners(static_cast<std::size_t>(map.owned()), communicator.rank());
  owners.insert(owners.end(), map.ghost_owners().begin(), map.ghost_owners().end());
  return owners;
}

/// Extended numbers of received vertices: those in the mesh keep their local number, the rest are appended by id.
class Numbering {
 public:
  Numbering(const IndexMap& map, const std::vector<PrimitivePacket>& packets) : map_(map) {
    for (const PrimitivePacket& packet : packets)
      for (const SentVertex& vertex : packet.corners)
        if (map_.to_local(vertex.id) < 0) foreign_.push_back(vertex);
    std::sort(foreign_.begin(), foreign_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    const auto same = [](const auto& a, const auto& b) { return a.id == b.id; };
    foreign_.erase(std::unique(foreign_.begin(), foreign_.end(), same), foreign_.end());
  }
  std::vector<Index> extended(const std::vector<SentVertex>& corners) const {
    std::vector<Index> numbers;
    numbers.reserve(corners.size());
    for (const SentVertex& vertex : corners) numbers.push_back(extended(vertex.id));
    return numbers;
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

template <int N>
void append_renumbered(const std::vector<Primitive<N>>& primitives, const std::vector<Index>& numbers,
                       std::vector<Primitive<N>>& into) {
  for (const Primitive<N>& primitive : primitives) {
    Primitive<N>& renumbered = into.emplace_back();
    for (int k = 0; k < N; ++k) renumbered.v[k] = numbers[static_cast<std::size_t>(primitive.v[k])];
  }
}

}  // namespace

/// Fills one packet a rank: first the primitives, in local numbers, then their vertices, each once a packet.
class CollisionMesh::PacketBuilder {
 public:
  explicit PacketBuilder(const CollisionMesh& mesh)
      : mesh_(mesh), packets_(static_cast<std::size_t>(mesh.communicator_.size())) {}

  template <int N>
  void add(const std::vector<Outgoing>& outgoing, const DeviceArray<Primitive<N>>& primitives,
           std::vector<Primitive<N>> PrimitivePacket::*list) {
    std::vector<Index> chosen;
    chosen.reserve(outgoing.size());
    for (const Outgoing& item : outgoing) chosen.push_back(item.primitive);
    const DeviceArray<Index> on_device(chosen);
    DeviceArray<Primitive<N>> gathered(on_device.size());
    gather_primitives<N>(on_device.view(), primitives.view(), gathered.view());
    const std::vector<Primitive<N>> host = gathered.to_host();
    for (std::size_t i = 0; i < host.size(); ++i)
      (packets_[static_cast<std::size_t>(outgoing[i].rank)].*list).push_back(host[i]);
  }

  std::vector<PrimitivePacket> packets() && {
    std::vector<Index> chosen;
    std::vector<std::size_t> ends;
    number_.assign(static_cast<std::size_t>(mesh_.local_vertices()), unnumbered);
    for (PrimitivePacket& packet : packets_) {
      const std::size_t begin = chosen.size();
      renumber(packet.vertices, begin, chosen);
      renumber(packet.edges, begin, chosen);
      renumber(packet.triangles, begin, chosen);
      for (std::size_t i = begin; i < chosen.size(); ++i) number_[static_cast<std::size_t>(chosen[i])] = unnumbered;
      ends.push_back(chosen.size());
    }
    const DeviceArray<Index> on_device(chosen);
    DeviceArray<SentVertex> packed(on_device.size());
    pack_vertices(on_device.view(),
                  {mesh_.ids(), mesh_.start(), mesh_.target(), mesh_.owners(), mesh_.body(), mesh_.prescribed()},
                  packed.view());
    const std::vector<SentVertex> host = packed.to_host();
    for (std::size_t rank = 0, begin = 0; rank < packets_.size(); begin = ends[rank++])
      packets_[rank].corners.assign(host.begin() + static_cast<std::ptrdiff_t>(begin),
                                    host.begin() + static_cast<std::ptrdiff_t>(ends[rank]));
    return std::move(packets_);
  }

 private:
  static constexpr Index unnumbered = -1;

  /// Local numbers become places in the packet's list of vertices, which grows behind `begin`.
  template <int N>
  void renumber(std::vector<Primitive<N>>& primitives, std::size_t begin, std::vector<Index>& chosen) {
    for (Primitive<N>& primitive : primitives)
      for (Index& v : primitive.v) {
        Index& number = number_[static_cast<std::size_t>(v)];
        if (number == unnumbered) {
          number = static_cast<Index>(chosen.size() - begin);
          chosen.push_back(v);
        }
        v = number;
      }
  }

  const CollisionMesh& mesh_;
  std::vector<PrimitivePacket> packets_;
  std::vector<Index> number_;  // of each local vertex in the packet at hand
};

CollisionMesh::CollisionMesh(const Communicator& communicator, const IndexMap& map, Transport& transport,
                             const Surface& surface, const std::vector<std::uint8_t>& prescribed)
    : communicator_(communicator),
      map_(map),
      exchange_(communicator, map, transport),
      own_{in_id_order(surface.owned_vertices, map), in_id_order(surface.owned_edges, map),
           in_id_order(surface.owned_triangles, map)},
      ids_(map.global_ids()),
      owner_(owners_of_local_vertices(communicator, map)),
      prescribed_(prescribed) {
  body_.assign(surface.body);
}

void CollisionMesh::set_prescribed(const std::vector<std::uint8_t>& prescribed) { prescribed_.assign_host(prescribed); }

void CollisionMesh::set_motion(const Field& start, const Field& target) {
  const std::int64_t local = map_.local();
  start_.resize_with_room(extended_vertices());
  target_.resize_with_room(extended_vertices());
  if (local == 0) return;
  memory::copy_on_device(start_.data(), start.local().data(), static_cast<std::size_t>(local) * sizeof(Vec3));
  memory::copy_on_device(target_.data(), target.local().data(), static_cast<std::size_t>(local) * sizeof(Vec3));
}

void CollisionMesh::refresh_received() {
  exchange_.forward(start_.view());
  exchange_.forward(target_.view());
}

void CollisionMesh::forget_received() {
  const std::int64_t local = map_.local();
  start_.truncate(local);
  target_.truncate(local);
  ids_.truncate(local);
  body_.truncate(local);
  owner_.truncate(local);
  prescribed_.truncate(local);
  received_.vertices.truncate(0);
  received_.edges.truncate(0);
  received_.triangles.truncate(0);
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

void CollisionMesh::exchange_primitives(const std::vector<Outgoing>& vertices, const std::vector<Outgoing>& edges,
                                        const std::vector<Outgoing>& triangles) {
  PacketBuilder builder(*this);
  builder.add<1>(vertices, own_.vertices, &PrimitivePacket::vertices);
  builder.add<2>(edges, own_.edges, &PrimitivePacket::edges);
  builder.add<3>(triangles, own_.triangles, &PrimitivePacket::triangles);
  traffic_ = {};
  const std::vector<PrimitivePacket> arrived = exchange_packets(communicator_, std::move(builder).packets(), traffic_);
  const Numbering numbering(map_, arrived);
  append_foreign(numbering.foreign());
  PrimitivePacket all;
  for (const PrimitivePacket& packet : arrived) {
    const std::vector<Index> numbers = numbering.extended(packet.corners);
    append_renumbered(packet.vertices, numbers, all.vertices);
    append_renumbered(packet.edges, numbers, all.edges);
    append_renumbered(packet.triangles, numbers, all.triangles);
  }
  received_.vertices.assign_host(all.vertices);
  received_.edges.assign_host(all.edges);
  received_.triangles.assign_host(all.triangles);
  rebuild_exchange(numbering.foreign());
}

void CollisionMesh::rebuild_exchange(const std::vector<SentVertex>& foreign) {
  std::vector<VertexExchange::Held> held;
  for (Index ghost = map_.owned(); ghost < map_.local(); ++ghost)
    held.push_back({map_.ghost_owners()[static_cast<std::size_t>(ghost - map_.owned())], map_.to_global(ghost), ghost});
  Index slot = map_.local();
  for (const SentVertex& vertex : foreign) held.push_back({vertex.owner, vertex.id, slot++});
  exchange_.rebuild(std::move(held));
}

}  // namespace unbarred
