#pragma once
// What travels with a primitive, and its packing.
#include "contact/primitives.hpp"
#include "core/vec3.hpp"
#include "core/view.hpp"

namespace unbarred {

/// A vertex as other ranks need to know it.
struct SentVertex {
  GlobalIndex id;
  Vec3 start, target;  ///< m
  std::int32_t owner, body, prescribed;
};

template <int N>
struct SentPrimitive {
  SentVertex v[N];
};

/// The arrays of a CollisionMesh, by extended number.
struct VertexData {
  View<const GlobalIndex> ids;
  View<const Vec3> start, target;
  View<const std::int32_t> owner, body;
  View<const std::uint8_t> prescribed;
};

/// packed[i] = the primitive number chosen[i] with all that belongs to its vertices. N = 1, 2, 3.
template <int N>
void pack_primitives(View<const Index> chosen, View<const Primitive<N>> primitives, const VertexData& data,
                     View<SentPrimitive<N>> packed);

}  // namespace unbarred
