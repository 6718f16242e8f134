#pragma once
// Vectors that are the same for any partition: smooth functions of the positions.
#include <cmath>
#include <vector>

#include "partitioning/communicator.hpp"
#include "partitioning/field.hpp"

namespace unbarred::test {

/// frequency: rad/m, times 7, 5 and 3 along the axes. x: of owned vertices first.
inline Field wave(const IndexMap& map, const std::vector<Vec3>& x, Real frequency, Real phase) {
  Field values(map);
  std::vector<Vec3> host;
  for (Index i = 0; i < map.owned(); ++i) {
    const Vec3 at = frequency * x[static_cast<std::size_t>(i)];
    host.push_back({{std::sin(7 * at[1] + phase), std::cos(5 * at[2] - phase), std::sin(3 * at[0] + phase)}});
  }
  values.set_owned_from_host(host);
  return values;
}

/// u . v. @note Collective
inline Real product(const Communicator& part, const Field& u, const Field& v) {
  const std::vector<Vec3> first = u.to_host(), second = v.to_host();
  Real sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(u.owned_size()); ++i) sum += dot(first[i], second[i]);
  return part.sum(sum);
}

}  // namespace unbarred::test
