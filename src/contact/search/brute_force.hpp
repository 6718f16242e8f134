#pragma once
// The same search without a tree, in O(n^2): what tests compare the tree with, and enough for tiny meshes.
#include "contact/search/box.hpp"
#include "contact/search/pair_search.hpp"
#include "core/device_array.hpp"

namespace unbarred {

/// In the place of Bvh.
class BoxList {
 public:
  void build(View<const Box> boxes);
  /// Throws Error(internal) when the number of boxes differs.
  void refit(View<const Box> boxes);
  std::int64_t size() const { return boxes_.size(); }
  View<const Box> view() const { return boxes_.view(); }

 private:
  DeviceArray<Box> boxes_;
};

/// In the place of PairSearch: the same pairs, ordered by query, then by primitive.
class BruteForceSearch {
 public:
  template <class Admission>
  const DeviceArray<IndexPair>& between(const BoxList& queries, const BoxList& boxes, const Admission& admits);
  template <class Admission>
  const DeviceArray<IndexPair>& within(const BoxList& boxes, const Admission& admits);

 private:
  template <bool within, class Admission>
  void search(View<const Box> queries, View<const Box> boxes, const Admission& admits);

  DeviceArray<Index> counts_;
  DeviceArray<std::int64_t> offsets_;
  DeviceArray<IndexPair> pairs_;
};

}  // namespace unbarred
