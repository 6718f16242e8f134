#pragma once
#include "contact/pair.hpp"
#include "contact/primitives.hpp"
#include "contact/search/bvh.hpp"
#include "contact/search/pair_search.hpp"

namespace unbarred {

/// into[i] = the found pair number i, vertices in canonical order: (1, 3) vertex and triangle, (2, 2) edges, of which
/// the one with the smaller ids becomes side A.
template <int A, int B>
void write_pairs(View<const IndexPair> found, View<const Primitive<A>> first, View<const Primitive<B>> second,
                 View<const GlobalIndex> ids, View<ContactPair> into);

/// chunks[c] = the box around boxes number c n / chunks ... (c + 1) n / chunks; empty chunks become empty boxes.
void unite_chunks(View<const Box> boxes, View<Box> chunks);
/// As above, over what lies next to each other in the tree, or over whole blocks of it.
void unite_chunks(const BvhView& tree, View<Box> chunks);

}  // namespace unbarred
