#include "partitioning/halo.hpp"

#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/timer.hpp"
#include "partitioning/exchange_kernels.hpp"
#include "partitioning/halo_kernels.hpp"

namespace unbarred {

/// Owned vertices that other ranks asked for, gathered from the send list: vertex, and its slots by rank.
struct SharedVertices {
  std::vector<Index> vertices, offsets{0}, slots;
};

static SharedVertices shared_of(const std::vector<Index>& send_vertices) {
  SharedVertices shared;
  shared.slots.resize(send_vertices.size());
  std::iota(shared.slots.begin(), shared.slots.end(), Index{0});
  // Slots ascend with the rank that asked, so the sums of reverse_add run in rank order.
  std::stable_sort(shared.slots.begin(), shared.slots.end(),
                   [&](Index a, Index b) { return send_vertices[a] < send_vertices[b]; });
  for (std::size_t k = 0; k < shared.slots.size(); ++k) {
    const Index vertex = send_vertices[shared.slots[k]];
    if (shared.vertices.empty() || shared.vertices.back() != vertex) {
      shared.vertices.push_back(vertex);
      shared.offsets.push_back(static_cast<Index>(k));
    }
    shared.offsets.back() = static_cast<Index>(k + 1);
  }
  return shared;
}

Halo::Halo(const Communicator& communicator, const IndexMap& map, Transport& transport)
    : transport_(transport), owned_(map.owned()), ghosts_(map.ghosts()) {
  const int ranks = communicator.size();
  std::vector<int> wanted(ranks, 0), asked;
  for (int owner : map.ghost_owners()) ++wanted[owner];
  const std::span<const GlobalIndex> ghost_ids = std::span(map.global_ids()).subspan(owned_);
  const std::vector<GlobalIndex> ids = communicator.exchange(ghost_ids, std::span<const int>(wanted), &asked);

  std::vector<Index> send_vertices(ids.size());
  for (std::size_t slot = 0; slot < ids.size(); ++slot) send_vertices[slot] = map.to_local(ids[slot]);
  communicator.agree([&] {
    for (std::size_t slot = 0; slot < ids.size(); ++slot)
      if (send_vertices[slot] < 0 || send_vertices[slot] >= owned_)
        throw Error(ExitCode::internal, "halo: vertex " + std::to_string(ids[slot]) + " was asked for from rank " +
                                            std::to_string(communicator.rank()) + ", which does not own it");
  });

  Index ghost = 0, slot = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    if (wanted[rank] > 0) senders_.push_back({rank, ghost, wanted[rank]});
    if (asked[rank] > 0) receivers_.push_back({rank, slot, asked[rank]});
    ghost += wanted[rank];
    slot += asked[rank];
  }
  const SharedVertices shared = shared_of(send_vertices);
  send_vertices_ = DeviceArray<Index>(send_vertices);
  send_buffer_ = DeviceArray<Real>(static_cast<std::int64_t>(send_vertices.size()) * max_width);
  shared_vertices_ = DeviceArray<Index>(shared.vertices);
  shared_offsets_ = DeviceArray<Index>(shared.offsets);
  shared_slots_ = DeviceArray<Index>(shared.slots);
}

void Halo::set_messages(std::vector<Message>& messages, const std::vector<Peer>& peers, Real* base, int width) {
  messages.clear();
  for (const Peer& peer : peers)
    messages.push_back({peer.rank, base + static_cast<std::int64_t>(peer.begin) * width,
                        static_cast<std::size_t>(peer.count) * static_cast<std::size_t>(width) * sizeof(Real)});
}

void Halo::check(View<Real> values, int width) const {
  if (width < 1 || width > max_width) throw std::logic_error("Halo: width is out of range");
  if (values.size() != static_cast<std::int64_t>(owned_ + ghosts_) * width)
    throw std::logic_error("Halo: values are not of the size of the index map");
}

void Halo::forward_begin(View<Real> values, int width) {
  check(values, width);
  const double start = wall_seconds();
  gather_slots(send_vertices_.view(), values, width, send_buffer_.view());
  set_messages(sends_, receivers_, send_buffer_.data(), width);
  set_messages(receives_, senders_, values.data() + static_cast<std::int64_t>(owned_) * width, width);
  transport_.begin(sends_, receives_);
  seconds_ += wall_seconds() - start;
}

void Halo::forward_end() {
  const double start = wall_seconds();
  transport_.finish();
  seconds_ += wall_seconds() - start;
}

void Halo::reverse_add(View<Real> values, int width) {
  check(values, width);
  set_messages(sends_, senders_, values.data() + static_cast<std::int64_t>(owned_) * width, width);
  set_messages(receives_, receivers_, send_buffer_.data(), width);
  transport_.begin(sends_, receives_);
  transport_.finish();
  add_received(shared_vertices_.view(), shared_offsets_.view(), shared_slots_.view(), send_buffer_.view(), width,
               values);
}

int Halo::neighbours() const {
  std::set<int> ranks;
  for (const Peer& peer : senders_) ranks.insert(peer.rank);
  for (const Peer& peer : receivers_) ranks.insert(peer.rank);
  return static_cast<int>(ranks.size());
}

std::int64_t Halo::forward_values() const { return send_vertices_.size(); }

}  // namespace unbarred
