#pragma once
// The identity of a pair, the same on every rank.
#include <compare>

#include "contact/pair.hpp"

namespace unbarred {

/// Global vertex ids in canonical order (ContactPair). Keys sort pairs the same way on every rank.
struct PairKey {
  PairKind kind;
  GlobalIndex id[4];
  friend bool operator==(const PairKey& a, const PairKey& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const PairKey& a, const PairKey& b) {
    if (a.kind != b.kind) return static_cast<int>(a.kind) <=> static_cast<int>(b.kind);
    for (int k = 0; k < 4; ++k)
      if (a.id[k] != b.id[k]) return a.id[k] <=> b.id[k];
    return std::strong_ordering::equal;
  }
};

}  // namespace unbarred
