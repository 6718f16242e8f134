#pragma once
// The candidate halo: owners and holders of any set of vertices. Where Halo serves the ghosts of the mesh, which stay
// for the whole run, this serves those and the foreign vertices of the primitives that other ranks sent for collision
// detection; it is made anew whenever those change.
#include <vector>

#include "core/device_array.hpp"
#include "core/vec3.hpp"
#include "partitioning/index_map.hpp"
#include "partitioning/transport.hpp"

namespace unbarred {

class VertexExchange {
 public:
  /// Keeps references. Nothing is exchanged before the first rebuild().
  VertexExchange(const Communicator& communicator, const IndexMap& map, Transport& transport);

  /// A vertex held here and owned elsewhere.
  struct Held {
    int owner;
    GlobalIndex id;
    Index slot;  ///< its place in the arrays that are exchanged; owned vertices lie at their local numbers
    auto operator<=>(const Held&) const = default;
  };
  /// @note Collective
  void rebuild(std::vector<Held> held);

  /// Owner -> holders, `width` Reals a vertex (1 or 3). Owners read `from` at local numbers, holders write `to` at the
  /// slots; the two may be one array. @note Collective over neighbours
  void forward(View<const Real> from, View<Real> to, int width);
  void forward(View<Real> values, int width) { forward(values, values, width); }
  void forward(View<Vec3> values) { forward({reinterpret_cast<Real*>(values.data()), 3 * values.size()}, 3); }
  /// The owner's value becomes the least of its own and all holders'; holders keep theirs. @note Collective
  void reverse_min(View<Real> values);

  /// Vertices held here and owned elsewhere, and the ranks that own them: what one reverse_min() sends. `asked_for`:
  /// what one forward() sends.
  struct Size {
    std::int64_t vertices, peers;
  };
  Size held() const { return {held_slots_.size(), static_cast<std::int64_t>(owners_.size())}; }
  Size asked_for() const { return {asked_slots_.size(), static_cast<std::int64_t>(holders_.size())}; }

 private:
  struct Peer {
    int rank;
    Index begin, count;
  };
  static void set_messages(std::vector<Message>& messages, const std::vector<Peer>& peers, Real* base, int width);

  const Communicator& communicator_;
  const IndexMap& map_;
  Transport& transport_;
  std::vector<Peer> owners_, holders_;
  DeviceArray<Index> held_slots_;   // by (owner, id): where forward receives
  DeviceArray<Index> asked_slots_;  // owned vertices that others hold, by holder: where forward sends
  DeviceArray<Real> held_buffer_, asked_buffer_;
  std::vector<Message> sends_, receives_;
};

}  // namespace unbarred
