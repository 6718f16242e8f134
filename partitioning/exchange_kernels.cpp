#include "partitioning/exchange_kernels.hpp"

#include "core/atomic_min.hpp"
#include "core/parallel.hpp"

namespace unbarred {

struct GatherSlots {
  View<const Index> slots;
  View<const Real> values;
  int width;
  View<Real> buffer;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    buffer[i] = values[static_cast<std::int64_t>(slots[i / width]) * width + i % width];
  }
};

void gather_slots(View<const Index> slots, View<const Real> values, int width, View<Real> buffer) {
  for_each_index("gather slots", slots.size() * width,
                 GatherSlots{.slots = slots, .values = values, .width = width, .buffer = buffer});
}

struct ScatterSlots {
  View<const Index> slots;
  View<const Real> buffer;
  int width;
  View<Real> values;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    values[static_cast<std::int64_t>(slots[i / width]) * width + i % width] = buffer[i];
  }
};

void scatter_slots(View<const Index> slots, View<const Real> buffer, int width, View<Real> values) {
  for_each_index("scatter slots", slots.size() * width,
                 ScatterSlots{.slots = slots, .buffer = buffer, .width = width, .values = values});
}

struct ScatterLeast {
  View<const Index> slots;
  View<const Real> buffer;
  View<Real> values;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { atomic_min(values[slots[i]], buffer[i]); }
};

void scatter_least(View<const Index> slots, View<const Real> buffer, View<Real> values) {
  for_each_index("scatter least", slots.size(), ScatterLeast{.slots = slots, .buffer = buffer, .values = values});
}

}  // namespace unbarred
