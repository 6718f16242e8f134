#pragma once
// Between vertex arrays and the buffers of a VertexExchange.
#include "core/view.hpp"

namespace unbarred {

/// buffer[i] = values of vertex slots[i], `width` Reals each.
void gather_slots(View<const Index> slots, View<const Real> values, int width, View<Real> buffer);
/// Values of vertex slots[i] = buffer[i]; slots are distinct.
void scatter_slots(View<const Index> slots, View<const Real> buffer, int width, View<Real> values);
/// values[slots[i]] = least of itself and buffer[i], for values that are not negative; slots may repeat.
void scatter_least(View<const Index> slots, View<const Real> buffer, View<Real> values);

}  // namespace unbarred
