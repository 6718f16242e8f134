#pragma once
// Pairs of primitives whose boxes overlap.
#include "contact/bvh.hpp"

namespace unbarred {

/// Numbers of two primitives.
struct IndexPair {
  Index first, second;
};

/// Searches trees and owns what it found; keep one a kind of pair, so that its memory is used again.
///
/// Every pair that overlaps and passes the filter comes out exactly once, however many there are. Pairs are ordered by
/// the leaf of the query, then the leaf of the primitive: the same for any number of threads. Filters: KeepAll,
/// EdgeEdgeFilter, VertexTriangleFilter (pair_filter.hpp), called as filter(first, second).
class PairSearch {
 public:
  /// Pairs (query, primitive) between two trees.
  template <class Filter>
  const DeviceArray<IndexPair>& between(const Bvh& queries, const Bvh& tree, const Filter& filter);
  /// Pairs (a, b), a < b, of one tree. The filter must not depend on the order of its arguments.
  template <class Filter>
  const DeviceArray<IndexPair>& within(const Bvh& tree, const Filter& filter);

  /// What the last search found.
  const DeviceArray<IndexPair>& pairs() const { return pairs_; }

 private:
  template <bool within, class Filter>
  void search(const BvhView& queries, const BvhView& tree, const Filter& filter);

  DeviceArray<Index> kept_;    // the first hits of each query
  DeviceArray<Index> counts_;  // all hits of each query
  DeviceArray<std::int64_t> offsets_;
  DeviceArray<IndexPair> pairs_;
};

}  // namespace unbarred
