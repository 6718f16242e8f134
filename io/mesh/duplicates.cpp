#include "io/mesh/duplicates.hpp"

#include <algorithm>
#include <bit>

namespace unbarred {

std::array<GlobalIndex, 4> place_key(const Vec3& x) {
  std::array<GlobalIndex, 4> key{};
  for (int axis = 0; axis < 3; ++axis)
    key[static_cast<std::size_t>(axis)] = std::bit_cast<GlobalIndex>(x[axis] + 0.0);  // -0 becomes 0
  return key;
}

std::array<GlobalIndex, 4> corner_key(const GlobalIndex (&v)[4]) {
  std::array<GlobalIndex, 4> key{v[0], v[1], v[2], v[3]};
  std::sort(key.begin(), key.end());
  return key;
}

/// Spreads keys over the ranks: multiplications by odd numbers, the high bits decide.
static int rank_of(const std::array<GlobalIndex, 4>& key, int ranks) {
  std::uint64_t h = 0;
  for (const GlobalIndex k : key) {
    h = (h ^ static_cast<std::uint64_t>(k)) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return static_cast<int>((h >> 1) % static_cast<std::uint64_t>(ranks));
}

Duplicates find_duplicates(std::vector<KeyedItem> items) {
  std::sort(items.begin(), items.end(), [](const KeyedItem& a, const KeyedItem& b) {
    return a.key != b.key ? a.key < b.key : a.number < b.number;
  });
  Duplicates found;
  for (std::size_t i = 1, group = 0; i < items.size(); ++i) {
    if (items[i].key != items[group].key) {
      group = i;
      continue;
    }
    ++found.count;
    if (i == group + 1 && (found.first < 0 || items[group].number < found.first)) {
      found.first = items[group].number;
      found.second = items[i].number;
    }
  }
  return found;
}

Duplicates find_duplicates(const std::vector<KeyedItem>& items, const Communicator& communicator) {
  std::vector<int> counts(static_cast<std::size_t>(communicator.size()), 0);
  for (const KeyedItem& item : items) ++counts[static_cast<std::size_t>(rank_of(item.key, communicator.size()))];
  std::vector<std::size_t> next(counts.size(), 0);
  for (std::size_t r = 1; r < next.size(); ++r) next[r] = next[r - 1] + static_cast<std::size_t>(counts[r - 1]);
  std::vector<KeyedItem> sorted(items.size());
  for (const KeyedItem& item : items)
    sorted[next[static_cast<std::size_t>(rank_of(item.key, communicator.size()))]++] = item;
  const Duplicates local = find_duplicates(communicator.exchange<KeyedItem>(sorted, counts));
  Duplicates found;
  for (const Duplicates& other : communicator.all_gather(local)) {
    found.count += other.count;
    if (other.first < 0 || (found.first >= 0 && found.first <= other.first)) continue;
    found.first = other.first;
    found.second = other.second;
  }
  return found;
}

}  // namespace unbarred
