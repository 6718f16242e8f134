#pragma once
// From blocks of any size, one a rank in rank order, to the ranges that the ranks ask for.
#include <algorithm>
#include <vector>

#include "partitioning/communicator.hpp"

namespace unbarred {

/// The ranks' `items`, one after another, form a list; returns its items [begin, end) (each rank asks for its own
/// range, which may overlap with others'). @note Collective
template <class T>
std::vector<T> gather_range(const Communicator& communicator, const std::vector<T>& items, GlobalIndex begin,
                            GlobalIndex end) {
  struct Range {
    GlobalIndex begin, end;
  };
  const auto size = static_cast<GlobalIndex>(items.size());
  const GlobalIndex first = communicator.exclusive_sum(size);
  std::vector<T> outgoing;
  std::vector<int> counts;
  for (const Range& wanted : communicator.all_gather(Range{begin, end})) {
    const GlobalIndex from = std::clamp<GlobalIndex>(wanted.begin - first, 0, size);
    const GlobalIndex to = std::clamp<GlobalIndex>(wanted.end - first, from, size);
    outgoing.insert(outgoing.end(), items.begin() + from, items.begin() + to);
    counts.push_back(static_cast<int>(to - from));
  }
  return communicator.exchange<T>(outgoing, counts);
}

}  // namespace unbarred
