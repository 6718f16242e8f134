#pragma once
// Vertices at one place and elements with the same corners: found by equal keys, never by distance.
#include <array>
#include <vector>

#include "core/vec3.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

struct KeyedItem {
  std::array<GlobalIndex, 4> key;
  GlobalIndex number;
};

struct Duplicates {
  GlobalIndex count = 0;                ///< items that have a twin with a lower number
  GlobalIndex first = -1, second = -1;  ///< the pair with the lowest numbers
};

/// The same for equal coordinates; 0 and -0 are equal.
std::array<GlobalIndex, 4> place_key(const Vec3& x);
/// The same for equal corners in any order (a triangle has v[3] = -1).
std::array<GlobalIndex, 4> corner_key(const GlobalIndex (&v)[4]);

Duplicates find_duplicates(std::vector<KeyedItem> items);
/// Among the items of all ranks, the same answer on every one. @note Collective
Duplicates find_duplicates(const std::vector<KeyedItem>& items, const Communicator& communicator);

}  // namespace unbarred
