#pragma once
// Launches that find the closer vertex and triangle of a pair that slid off its own.
#include "contact/pairs/constraint_kernels.hpp"
#include "contact/surface/surface_neighbours.hpp"

namespace unbarred {

/// Who takes the multiplier of a pair.
struct Successor {
  std::int32_t slot;    ///< of the pair's vertex that stays; -1: nobody, the pair keeps what it has
  Triangle triangle;    ///< local vertex numbers
  std::int32_t valley;  ///< 1: the surface is a valley there: both triangles hold
};

struct SuccessorSearch {
  View<const ActivePair> pairs;
  VertexValues positions;
  TrianglesAround around;
  View<const GlobalIndex> ids;  ///< of local vertices
  Index owned;
};
/// Of every pair that holds something apart; the rank that owns the smallest global vertex of the feature slid off
/// decides. Returns how many have a successor here.
std::int64_t find_successors(const SuccessorSearch& search, View<Successor> successors);

}  // namespace unbarred
