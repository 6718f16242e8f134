#pragma once
// Two patterns over Communicator::exchange: items sent each to its own rank, and rows asked for from a table
// that lies in blocks over the ranks.
#include <span>
#include <vector>

#include "partitioning/communicator.hpp"
#include "partitioning/index_map.hpp"

namespace unbarred {

/// items[i] goes to rank destinations[i]. Returns what arrived, by rank of the sender, each sender's items in their
/// order; `received` (if given) gets the count from each rank. @note Collective
template <class T>
std::vector<T> send_each(const Communicator& communicator, std::span<const T> items, std::span<const int> destinations,
                         std::vector<int>* received = nullptr) {
  std::vector<int> counts(static_cast<std::size_t>(communicator.size()), 0);
  for (int rank : destinations) ++counts[rank];
  std::vector<std::size_t> next(counts.size(), 0);
  for (std::size_t rank = 1; rank < counts.size(); ++rank) next[rank] = next[rank - 1] + counts[rank - 1];
  std::vector<T> grouped(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) grouped[next[destinations[i]]++] = items[i];
  return communicator.exchange(std::span<const T>(grouped), std::span<const int>(counts), received);
}

/// Row ids[i] (`width` values a row) of a table whose rows lie in blocks over the ranks; `block` holds the rows of
/// this rank. ids may repeat and have any order, but must be inside the table. @note Collective
template <class T>
std::vector<T> fetch_from_blocks(const Communicator& communicator, const BlockDistribution& blocks,
                                 std::span<const GlobalIndex> ids, std::span<const T> block, int width = 1) {
  std::vector<int> homes(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) homes[i] = blocks.part_of(ids[i]);
  std::vector<int> asked;
  const std::vector<GlobalIndex> requests = send_each(communicator, ids, std::span<const int>(homes), &asked);

  const std::size_t row = static_cast<std::size_t>(width);
  std::vector<T> answers(requests.size() * row);
  const GlobalIndex begin = blocks.begin(communicator.rank());
  for (std::size_t i = 0; i < requests.size(); ++i)
    std::copy_n(block.data() + static_cast<std::size_t>(requests[i] - begin) * row, row, answers.data() + i * row);
  for (int& count : asked) count *= width;
  const std::vector<T> arrived = communicator.exchange(std::span<const T>(answers), std::span<const int>(asked));

  // The answers lie grouped by home rank; walk the ids again to put each in its place.
  std::vector<std::size_t> next(static_cast<std::size_t>(communicator.size()) + 1, 0);
  for (int home : homes) ++next[home + 1];
  for (std::size_t rank = 1; rank < next.size(); ++rank) next[rank] += next[rank - 1];
  std::vector<T> rows(ids.size() * row);
  for (std::size_t i = 0; i < ids.size(); ++i)
    std::copy_n(arrived.data() + next[homes[i]]++ * row, row, rows.data() + i * row);
  return rows;
}

}  // namespace unbarred
