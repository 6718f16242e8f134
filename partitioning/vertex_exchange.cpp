#include "partitioning/vertex_exchange.hpp"

#include <algorithm>

#include "partitioning/exchange_kernels.hpp"

namespace unbarred {

static constexpr int most_width = 3;

VertexExchange::VertexExchange(const Communicator& communicator, const IndexMap& map, Transport& transport)
    : communicator_(communicator), map_(map), transport_(transport) {}

void VertexExchange::rebuild(std::vector<Held> held) {
  std::sort(held.begin(), held.end());
  std::vector<int> wanted(static_cast<std::size_t>(communicator_.size()), 0), asked;
  std::vector<GlobalIndex> ids;
  std::vector<Index> slots;
  for (const Held& vertex : held) {
    ++wanted[static_cast<std::size_t>(vertex.owner)];
    ids.push_back(vertex.id);
    slots.push_back(vertex.slot);
  }
  const std::vector<GlobalIndex> requests =
      communicator_.exchange(std::span<const GlobalIndex>(ids), std::span<const int>(wanted), &asked);
  std::vector<Index> own;
  own.reserve(requests.size());
  for (GlobalIndex id : requests) own.push_back(map_.to_local(id));
  owners_.clear();
  holders_.clear();
  Index held_begin = 0, asked_begin = 0;
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    if (wanted[rank] > 0) owners_.push_back({rank, held_begin, wanted[rank]});
    if (asked[rank] > 0) holders_.push_back({rank, asked_begin, asked[rank]});
    held_begin += wanted[rank];
    asked_begin += asked[rank];
  }
  held_slots_.assign_host(slots);
  asked_slots_.assign_host(own);
  held_buffer_.resize_discard(most_width * held_slots_.size());
  asked_buffer_.resize_discard(most_width * asked_slots_.size());
}

void VertexExchange::set_messages(std::vector<Message>& messages, const std::vector<Peer>& peers, Real* base,
                                  int width) {
  messages.clear();
  for (const Peer& peer : peers)
    messages.push_back({peer.rank, base + static_cast<std::int64_t>(peer.begin) * width,
                        static_cast<std::size_t>(peer.count) * static_cast<std::size_t>(width) * sizeof(Real)});
}

void VertexExchange::forward(View<const Real> from, View<Real> to, int width) {
  gather_slots(asked_slots_.view(), from, width, asked_buffer_.view());
  set_messages(sends_, holders_, asked_buffer_.data(), width);
  set_messages(receives_, owners_, held_buffer_.data(), width);
  transport_.begin(sends_, receives_);
  transport_.finish();
  scatter_slots(held_slots_.view(), held_buffer_.view(), width, to);
}

void VertexExchange::reverse_min(View<Real> values) {
  gather_slots(held_slots_.view(), values, 1, held_buffer_.view());
  set_messages(sends_, owners_, held_buffer_.data(), 1);
  set_messages(receives_, holders_, asked_buffer_.data(), 1);
  transport_.begin(sends_, receives_);
  transport_.finish();
  scatter_least(asked_slots_.view(), asked_buffer_.view(), values);
}

}  // namespace unbarred
