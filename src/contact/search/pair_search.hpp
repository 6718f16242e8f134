#pragma once
// Pairs of primitives whose boxes overlap.
#include "contact/search/bvh.hpp"

namespace unbarred {

/// Numbers of two primitives.
struct IndexPair {
  Index first, second;
};

/// Searches trees and owns what it found; keep one a kind of pair, so that its memory is used again.
///
/// Every pair that overlaps and is admitted comes out exactly once, however many there are. Pairs are ordered by
/// the leaf of the query, then the leaf of the primitive: the same for any number of threads. Admissions: AdmitsAll,
/// AdmitsEdges, AdmitsVertexTriangle (exclusion.hpp), called as admits(first, second).
class PairSearch {
 public:
  /// Pairs (query, primitive) between two trees.
  template <class Admission>
  const DeviceArray<IndexPair>& between(const Bvh& queries, const Bvh& tree, const Admission& admits);
  /// Pairs (a, b), a < b, of one tree. The admission must not depend on the order of its arguments.
  template <class Admission>
  const DeviceArray<IndexPair>& within(const Bvh& tree, const Admission& admits);

  /// What the last search found.
  const DeviceArray<IndexPair>& pairs() const { return pairs_; }

 private:
  template <bool within, class Admission>
  void search(const BvhView& queries, const BvhView& tree, const Admission& admits);

  DeviceArray<Index> kept_;    // the first hits of each query
  DeviceArray<Index> counts_;  // all hits of each query
  DeviceArray<std::int64_t> offsets_;
  DeviceArray<IndexPair> pairs_;
};

}  // namespace unbarred
