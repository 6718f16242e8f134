#pragma once
// A pair of primitives as all ranks can name it.
#include "contact/pair_key.hpp"

namespace unbarred {

/// Of the four vertices and the two sides of a pair.
struct PairHolders {
  std::int32_t owner[4];  ///< rank
  std::int32_t body[2];   ///< of the mesh, side A and side B
};

/// A pair that collision detection found, or that takes part in a hand-over.
struct FoundPair {
  PairKey key;
  PairHolders holders;
  std::int32_t valley = 0;  ///< 1: ActivePair::valley from now on
  Real gain = 0;            ///< handed to its multiplier, h^2 N; < 0: the pair has handed its own on and goes
};

}  // namespace unbarred
