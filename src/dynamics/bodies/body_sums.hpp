#pragma once
// Sums of vertex or element values, body by body.
#include <vector>

#include "core/device_array.hpp"

namespace unbarred {

/// Adds in an order that depends on the mesh alone.
class BodySums {
 public:
  /// body: of each value, 0 .. bodies.
  BodySums(const std::vector<std::int32_t>& body, std::size_t bodies);
  /// Of this rank, one a body.
  std::vector<Real> of(View<const Real> values);

  /// The values are added chunk by chunk: those of chunk c are order[begins[c]] ... order[begins[c + 1] - 1].
  struct Chunks {
    View<const Index> order, begins;
    const std::vector<std::int32_t>& body;  ///< of each chunk
  };
  Chunks chunks() const { return {order_.view(), begins_.view(), chunk_}; }

 private:
  std::size_t bodies_;
  DeviceArray<Index> order_;         // of the values, by body
  DeviceArray<Index> begins_;        // of the chunks, in order_; one more at the end
  std::vector<std::int32_t> chunk_;  // body of each chunk
  DeviceArray<Real> sums_;           // of each chunk
};

}  // namespace unbarred
