#pragma once
// Gathers what goes into packets.
#include "contact/surface/primitive_packet.hpp"
#include "core/view.hpp"

namespace unbarred {

/// The arrays of a CollisionMesh, by extended number.
struct VertexData {
  View<const GlobalIndex> ids;
  View<const Vec3> start, target;
  View<const std::int32_t> owner, body;
  View<const std::uint8_t> prescribed;
};

/// packed[i] = all that belongs to vertex chosen[i].
void pack_vertices(View<const Index> chosen, const VertexData& data, View<SentVertex> packed);

/// gathered[i] = primitives[chosen[i]]. N = 1, 2, 3.
template <int N>
void gather_primitives(View<const Index> chosen, View<const Primitive<N>> primitives, View<Primitive<N>> gathered);

}  // namespace unbarred
