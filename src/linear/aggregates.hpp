#pragma once
// Small connected groups of vertices of one body, the coarse unknowns of TwoLevel.
#include <vector>

#include "linear/block_matrix.hpp"

namespace unbarred {

/// Groups of about `size` owned vertices that the pattern connects, each of one body; those of vertex v is result[v],
/// numbered from 0, or -1 where no other vertex is connected to it. body: of local vertices.
std::vector<std::int32_t> make_aggregates(const BlockPattern& pattern, const std::vector<std::int32_t>& body, int size);

}  // namespace unbarred
