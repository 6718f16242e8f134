#pragma once
// The mesh halo: copies owner values to ghosts and adds ghost values to owners.
#include <memory>
#include <vector>

#include "core/device_array.hpp"
#include "core/vec3.hpp"
#include "partitioning/index_map.hpp"
#include "partitioning/transport.hpp"

namespace unbarred {

/// Built once a partition; keeps its buffers, so that an exchange allocates nothing. Values are `width`
/// Reals a vertex, vertex-major (a Vec3 is width 3). The buffers hold up to `max_width`.
class Halo {
 public:
  static constexpr int max_width = 9;

  /// @note Collective
  Halo(const Communicator& communicator, const IndexMap& map, Transport& transport);

  /// Owner -> ghost, all of values[0 .. local*width). begin() packs and sends; between the two calls the
  /// owned values may be read but not written, the ghosts not touched. @note Collective over neighbours
  void forward_begin(View<Real> values, int width);
  void forward_end();
  void forward(View<Real> values, int width) {
    forward_begin(values, width);
    forward_end();
  }
  void forward(View<Vec3> values) { forward(as_reals(values), 3); }
  /// The same memory, three Reals a vertex.
  static View<const Real> as_reals(View<const Vec3> values) {
    return {reinterpret_cast<const Real*>(values.data()), 3 * values.size()};
  }
  static View<Real> as_reals(View<Vec3> values) { return {reinterpret_cast<Real*>(values.data()), 3 * values.size()}; }

  /// Adds every ghost value to its owner, in rank order: the same bits every time. Ghosts keep their values.
  /// @note Collective over neighbours
  void reverse_add(View<Real> values, int width);

  /// Time that this rank has spent in exchanges so far, packing and waiting, s.
  double seconds() const { return seconds_; }

  /// Peers, messages and bytes (width 1) of one forward: for the communication model.
  int neighbours() const;
  std::int64_t forward_values() const;  ///< vertices sent

 private:
  struct Peer {
    int rank;
    Index begin, count;  // within the send list, or within the ghosts
  };
  static void set_messages(std::vector<Message>& messages, const std::vector<Peer>& peers, Real* base, int width);
  void check(View<Real> values, int width) const;

  Transport& transport_;
  Index owned_, ghosts_;
  std::vector<Peer> senders_;           // ghosts by owner: where forward receives
  std::vector<Peer> receivers_;         // send list by destination: where forward sends
  DeviceArray<Index> send_vertices_;    // owned local numbers, grouped by destination, by global id
  DeviceArray<Real> send_buffer_;       // send_vertices x max_width
  DeviceArray<Index> shared_vertices_;  // owned vertices that are ghosts elsewhere
  DeviceArray<Index> shared_offsets_;   // shared_vertices + 1, into shared_slots
  DeviceArray<Index> shared_slots_;     // positions in the send list, in rank order
  std::vector<Message> sends_, receives_;
  double seconds_ = 0;
};

}  // namespace unbarred
