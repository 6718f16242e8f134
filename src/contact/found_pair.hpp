#pragma once
// A pair of primitives as all ranks can name it.
#include "contact/pair_key.hpp"

namespace unbarred {

/// Of the four vertices and the two sides of a pair.
struct PairHolders {
  std::int32_t owner[4];  ///< rank
  std::int32_t body[2];   ///< of the mesh, side A and side B
};

/// What happened to a pair.
enum class PairEvent : std::int32_t {
  hit,       ///< collision detection found it in the way
  leaves,    ///< it has handed its multiplier on (M15)
  receives,  ///< another one has handed it a multiplier
  valley,    ///< ActivePair::valley from now on
};

/// A pair that collision detection found, or that takes part in a hand-over.
struct FoundPair {
  PairKey key;
  PairHolders holders;
  PairEvent event = PairEvent::hit;
  Real gain = 0;  ///< what it receives, h^2 N
};

}  // namespace unbarred
