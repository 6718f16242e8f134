#pragma once
// Surface primitives on their way to another rank: vertices once, however many primitives have them.
#include <span>
#include <vector>

#include "contact/primitives.hpp"
#include "core/vec3.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// A vertex as other ranks need to know it.
struct SentVertex {
  GlobalIndex id;
  Vec3 start, target;  ///< m
  std::int32_t owner, body;
  std::int32_t prescribed, padding;
};

/// What goes from one rank to one other. Primitives are made of numbers of `corners`.
struct PrimitivePacket {
  std::vector<SentVertex> corners;
  std::vector<SurfaceVertex> vertices;
  std::vector<Edge> edges;
  std::vector<Triangle> triangles;
  bool empty() const { return corners.empty(); }
};

/// Of this rank in one exchange.
struct Traffic {
  std::int64_t primitives = 0, bytes = 0, messages = 0;
};

/// packets[r] goes to rank r; empty ones do not travel. Returns what arrived, in rank order of the senders.
/// @note Collective
std::vector<PrimitivePacket> exchange_packets(const Communicator& communicator,
                                              std::span<const PrimitivePacket> packets, Traffic& traffic);

}  // namespace unbarred
