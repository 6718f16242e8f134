#include "partitioning/halo_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

// Every owner gathers what the ghosts sent: no atomics, and the order of the sum is the order of the slots.
struct ReverseAdd {
  View<const Index> vertices, offsets, slots;
  View<const Real> received;
  int width;
  View<Real> values;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t shared = i / width, component = i % width;
    const std::int64_t at = static_cast<std::int64_t>(vertices[shared]) * width + component;
    Real total = values[at];
    for (Index k = offsets[shared]; k < offsets[shared + 1]; ++k)
      total += received[static_cast<std::int64_t>(slots[k]) * width + component];
    values[at] = total;
  }
};

void add_received(View<const Index> vertices, View<const Index> offsets, View<const Index> slots,
                  View<const Real> received, int width, View<Real> values) {
  for_each_index("halo reverse add", vertices.size() * width,
                 ReverseAdd{.vertices = vertices,
                            .offsets = offsets,
                            .slots = slots,
                            .received = received,
                            .width = width,
                            .values = values});
}

}  // namespace unbarred
