#pragma once
// The owner's side of Halo::reverse_add. Values are `width` Reals a vertex, vertex-major.
#include "core/view.hpp"

namespace unbarred {

/// values[vertices[i]] += received[slots[offsets[i]]] + ... + received[slots[offsets[i+1]-1]], added one after
/// another in that order; vertices are distinct, offsets has one entry more than vertices.
void add_received(View<const Index> vertices, View<const Index> offsets, View<const Index> slots,
                  View<const Real> received, int width, View<Real> values);

}  // namespace unbarred
