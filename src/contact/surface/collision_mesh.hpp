#pragma once
// What one rank searches for collisions: the surface primitives that it owns, copies of other ranks' primitives that
// came near during the motion looked at, and a numbering that covers the vertices of both.
//
//   extended number   0 .. owned | owned .. local | local .. extended
//                     owned      | mesh ghosts    | foreign: of received primitives, not in this rank's mesh
//
// Vertices of every primitive stand in ascending order of their global ids: all ranks evaluate a pair from the same
// operands in the same order (docs/architecture.md, "Who owns what").
#include <vector>

#include "contact/surface/primitive_packet.hpp"
#include "contact/surface/surface.hpp"
#include "core/device_array.hpp"
#include "partitioning/field.hpp"
#include "partitioning/vertex_exchange.hpp"

namespace unbarred {

struct PrimitiveSet {
  DeviceArray<SurfaceVertex> vertices;
  DeviceArray<Edge> edges;
  DeviceArray<Triangle> triangles;
};

/// An owned primitive and a rank that needs to see it.
struct Outgoing {
  int rank;
  Index primitive;
  auto operator<=>(const Outgoing&) const = default;
};

class CollisionMesh {
 public:
  /// prescribed: one a local vertex, not 0 where the whole motion is given by the scene. Keeps references to the first
  /// three.
  CollisionMesh(const Communicator& communicator, const IndexMap& map, Transport& transport, const Surface& surface,
                const std::vector<std::uint8_t>& prescribed);

  /// Anew, when motions begin or end. @param prescribed as above
  void set_prescribed(const std::vector<std::uint8_t>& prescribed);

  /// The straight motion to be looked at: positions of local vertices, finite, ghosts up to date, m. Received
  /// primitives stay until forget_received(), but where they move is only known after refresh_received().
  void set_motion(const Field& start, const Field& target);
  void forget_received();
  /// @note Collective over neighbours
  void refresh_received();

  /// Sends the listed primitives (ascending, each once) with their motion, and takes in what comes. @note Collective
  void exchange_primitives(const std::vector<Outgoing>& vertices, const std::vector<Outgoing>& edges,
                           const std::vector<Outgoing>& triangles);

  const PrimitiveSet& own() const { return own_; }
  const PrimitiveSet& received() const { return received_; }
  Index owned_vertices() const { return map_.owned(); }
  Index local_vertices() const { return map_.local(); }
  Index extended_vertices() const { return static_cast<Index>(ids_.size()); }

  View<const Vec3> start() const { return start_.view(); }    ///< extended, m
  View<const Vec3> target() const { return target_.view(); }  ///< extended, m
  View<const GlobalIndex> ids() const { return ids_.view(); }
  View<const std::int32_t> owners() const { return owner_.view(); }
  View<const std::int32_t> body() const { return body_.view(); }
  View<const std::uint8_t> prescribed() const { return prescribed_.view(); }
  /// Between owners and all holders of vertices, ghosts and foreign, as of the last exchange_primitives().
  VertexExchange& exchange() { return exchange_; }
  const Communicator& communicator() const { return communicator_; }

  /// Of this rank in the last exchange_primitives().
  const Traffic& traffic() const { return traffic_; }

 private:
  class PacketBuilder;
  void append_foreign(const std::vector<SentVertex>& foreign);
  void rebuild_exchange(const std::vector<SentVertex>& foreign);

  const Communicator& communicator_;
  const IndexMap& map_;
  VertexExchange exchange_;
  PrimitiveSet own_, received_;
  DeviceArray<Vec3> start_, target_;
  DeviceArray<GlobalIndex> ids_;
  DeviceArray<std::int32_t> body_, owner_;
  DeviceArray<std::uint8_t> prescribed_;
  Traffic traffic_;
};

}  // namespace unbarred
