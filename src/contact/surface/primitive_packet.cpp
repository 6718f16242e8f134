#include "contact/surface/primitive_packet.hpp"

#include <cstring>

namespace unbarred {

namespace {

using Words = std::vector<std::uint64_t>;

/// Lists of different types in one stream of words; every list starts at a word.
template <class T>
std::size_t words_of(std::size_t count) {
  return (count * sizeof(T) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

template <class T>
void put(Words& words, const std::vector<T>& list) {
  static_assert(std::is_trivially_copyable_v<T>);
  words.push_back(list.size());
  const std::size_t at = words.size();
  words.resize(at + words_of<T>(list.size()), 0);
  if (!list.empty()) std::memcpy(words.data() + at, list.data(), list.size() * sizeof(T));
}

template <class T>
void take(const Words& words, std::size_t& at, std::vector<T>& list) {
  list.resize(words[at++]);
  if (!list.empty()) std::memcpy(list.data(), words.data() + at, list.size() * sizeof(T));
  at += words_of<T>(list.size());
}

}  // namespace

std::vector<PrimitivePacket> exchange_packets(const Communicator& communicator,
                                              std::span<const PrimitivePacket> packets, Traffic& traffic) {
  Words sent;
  std::vector<int> counts;
  for (const PrimitivePacket& packet : packets) {
    const std::size_t before = sent.size();
    if (!packet.empty()) {
      put(sent, packet.corners);
      put(sent, packet.vertices);
      put(sent, packet.edges);
      put(sent, packet.triangles);
      ++traffic.messages;
    }
    counts.push_back(static_cast<int>(sent.size() - before));
    traffic.primitives +=
        static_cast<std::int64_t>(packet.vertices.size() + packet.edges.size() + packet.triangles.size());
  }
  traffic.bytes += static_cast<std::int64_t>(sent.size() * sizeof(std::uint64_t));
  const Words words = communicator.exchange<std::uint64_t>(sent, counts);
  std::vector<PrimitivePacket> arrived;
  for (std::size_t at = 0; at < words.size();) {
    PrimitivePacket& packet = arrived.emplace_back();
    take(words, at, packet.corners);
    take(words, at, packet.vertices);
    take(words, at, packet.edges);
    take(words, at, packet.triangles);
  }
  return arrived;
}

}  // namespace unbarred
