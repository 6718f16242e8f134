#pragma once
// Whole fields on one rank: only tests, which are small, may do this.
#include <map>

#include "partitioning/communicator.hpp"
#include "partitioning/field.hpp"

namespace unbarred::test {

/// Values of all vertices in the order of their global ids, on every rank of `communicator`. @note Collective
inline std::vector<Vec3> gather(const Communicator& communicator, const IndexMap& map, const Field& field) {
  struct Row {
    GlobalIndex id;
    Vec3 value;
  };
  const std::vector<Vec3> host = field.to_host();
  std::vector<Row> rows;
  for (int peer = 0; peer < communicator.size(); ++peer)
    for (Index i = 0; i < map.owned(); ++i) rows.push_back({map.to_global(i), host[i]});
  const std::vector<int> counts(static_cast<std::size_t>(communicator.size()), map.owned());
  std::vector<Vec3> all(static_cast<std::size_t>(map.global_size()));
  for (const Row& row : communicator.exchange<Row>(rows, counts)) all[static_cast<std::size_t>(row.id)] = row.value;
  return all;
}

/// Largest |a - b| over vertices, relative to the largest |b|.
inline Real relative_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  Real difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      difference = std::max(difference, std::abs(a[i][k] - b[i][k]));
      size = std::max(size, std::abs(b[i][k]));
    }
  return difference / size;
}

}  // namespace unbarred::test
