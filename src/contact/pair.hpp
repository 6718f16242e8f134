#pragma once
// The words of contact detection that every file of this folder shares.
#include <cstdint>

#include "core/types.hpp"
#include "core/vec3.hpp"

namespace unbarred {

enum class PairKind : std::int32_t {
  vertex_triangle,  ///< v[0] against the triangle v[1], v[2], v[3]
  edge_edge,        ///< edge v[0], v[1] against edge v[2], v[3]
};

/// Two primitives that may meet. Side A is v[0] (vertex_triangle) or v[0], v[1] (edge_edge), side B the rest.
/// Canonical order by global vertex ids, so that every rank evaluates the same operands in the same order and gets the
/// same bits: the triangle's ids ascend; the ids of each edge ascend, and the edge with the smaller first id (then
/// smaller second id) is side A.
struct ContactPair {
  PairKind kind;
  Index v[4];
};

/// Number of vertices of side A.
UNBARRED_FUNCTION int side_a_size(PairKind kind) { return kind == PairKind::vertex_triangle ? 1 : 2; }

}  // namespace unbarred
