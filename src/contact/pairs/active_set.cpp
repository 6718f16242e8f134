#include "contact/pairs/active_set.hpp"

#include <algorithm>
#include <cstring>

#include "partitioning/block_exchange.hpp"

namespace unbarred {

namespace {

/// The same order on every rank.
template <class T>
bool before(const T& a, const T& b) {
  if constexpr (requires { a.gain; })
    if (a.key == b.key) return a.gain < b.gain;
  return a.key < b.key;
}

/// Every distinct owner of a vertex gets a copy; in key order.
template <class T>
std::vector<T> deliver(const Communicator& communicator, const std::vector<T>& found) {
  std::vector<T> copies;
  std::vector<int> destinations;
  for (const T& pair : found) {
    const auto& owner = pair.holders.owner;
    for (int k = 0; k < 4; ++k) {
      if (std::find(owner, owner + k, owner[k]) != owner + k) continue;
      copies.push_back(pair);
      destinations.push_back(owner[k]);
    }
  }
  std::vector<T> arrived = send_each(communicator, std::span<const T>(copies), std::span<const int>(destinations));
  std::sort(arrived.begin(), arrived.end(), before<T>);
  return arrived;
}

/// All that happened to one pair.
struct Events {
  bool hit = false, leaves = false, valley = false;
  Real gain = 0;
};

/// Of the pair that arrived at place i; i moves to the next pair.
Events events_of(const std::vector<FoundPair>& arrived, std::size_t& i) {
  Events events;
  for (const PairKey key = arrived[i].key; i < arrived.size() && arrived[i].key == key; ++i) {
    events.hit = events.hit || arrived[i].event == PairEvent::hit;
    events.leaves = events.leaves || arrived[i].event == PairEvent::leaves;
    events.valley = events.valley || arrived[i].event == PairEvent::valley;
    events.gain += arrived[i].gain;
  }
  return events;
}

/// The rank that counts a pair in sums.
int counting_rank(const PairKey& key, const PairHolders& holders) {
  return holders.owner[std::min_element(key.id, key.id + 4) - key.id];
}

}  // namespace

ActiveSet::ActiveSet(const Communicator& communicator, const IndexMap& map, Transport& transport,
                     std::function<Real(std::int32_t, std::int32_t)> friction)
    : communicator_(communicator), map_(map), friction_(std::move(friction)), exchange_(communicator, map, transport) {}

bool ActiveSet::contains(const PairKey& key) const { return std::binary_search(keys_.begin(), keys_.end(), key); }

GlobalIndex ActiveSet::update(const std::vector<FoundPair>& found, const UpdateRule& rule) {
  const bool faded = count_faded(pairs_.view(), rule.least_decay) > 0;
  if (!communicator_.max(faded || !found.empty() ? 1 : 0)) return 0;
  const std::vector<FoundPair> arrived = deliver(communicator_, found);
  std::vector<ActivePair> held = pairs_.to_host(), after;
  std::vector<PairKey> keys;
  std::vector<PairHolders> holders;
  const auto keep = [&](const PairKey& key, const PairHolders& of, const ActivePair& pair) {
    if (pair.decay < rule.least_decay) return;
    keys.push_back(key);
    holders.push_back(of);
    after.push_back(pair);
  };
  GlobalIndex fresh = 0;
  std::size_t old = 0;
  const auto keep_old = [&] {
    keep(keys_[old], holders_[old], held[old]);
    ++old;
  };
  for (std::size_t i = 0; i < arrived.size();) {
    const FoundPair& pair = arrived[i];
    const Events events = events_of(arrived, i);
    while (old < keys_.size() && keys_[old] < pair.key) keep_old();
    const bool known = old < keys_.size() && keys_[old] == pair.key;
    ActivePair fresh_pair{};
    ActivePair& changed = known ? held[old] : fresh_pair;
    if (events.leaves) changed.multiplier = changed.decay = 0;
    if (!known || events.gain > 0 || (events.hit && rule.restore_decay)) changed.decay = 1;
    changed.multiplier += events.gain;
    if (events.hit || events.valley) changed.linked = 0;
    if (events.valley) changed.valley = 1;
    if (known && events.hit) {
      changed.adapted *= rule.adapt;
      changed.penalty *= rule.adapt;
    }
    if (known) continue;
    fresh_pair.pair.kind = pair.key.kind;
    fresh_pair.adapted = 1;
    fresh_pair.body = std::min(pair.holders.body[0], pair.holders.body[1]);
    fresh_pair.friction = friction_(pair.holders.body[0], pair.holders.body[1]);
    fresh_pair.counted = counting_rank(pair.key, pair.holders) == communicator_.rank();
    fresh += fresh_pair.counted;
    keep(pair.key, pair.holders, fresh_pair);
  }
  while (old < keys_.size()) keep_old();
  keys_ = std::move(keys);
  holders_ = std::move(holders);
  renumber(after);
  return communicator_.sum(fresh);
}

void ActiveSet::restore(const std::vector<SavedPair>& saved) {
  keys_.clear();
  holders_.clear();
  std::vector<ActivePair> pairs;
  for (const SavedPair& pair : deliver(communicator_, saved)) {
    keys_.push_back(pair.key);
    holders_.push_back(pair.holders);
    pairs.push_back(pair.state);
    pairs.back().counted = counting_rank(pair.key, pair.holders) == communicator_.rank();
    pairs.back().body = std::min(pair.holders.body[0], pair.holders.body[1]);
    pairs.back().friction = friction_(pair.holders.body[0], pair.holders.body[1]);
  }
  renumber(pairs);
}

std::vector<SavedPair> ActiveSet::saved() const {
  std::vector<SavedPair> saved;
  const std::vector<ActivePair> pairs = pairs_.to_host();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].counted) saved.push_back({keys_[i], holders_[i], pairs[i]});
  return saved;
}

// Local numbers for vertices of the mesh, then foreign ones by (owner, id).
void ActiveSet::renumber(std::vector<ActivePair>& pairs) {
  ++version_;
  std::vector<VertexExchange::Held> foreign;
  for (std::size_t i = 0; i < keys_.size(); ++i)
    for (int k = 0; k < 4; ++k)
      if (map_.to_local(keys_[i].id[k]) < 0) foreign.push_back({holders_[i].owner[k], keys_[i].id[k], 0});
  std::sort(foreign.begin(), foreign.end());
  foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
  const auto slot_of = [&](const VertexExchange::Held& vertex) {
    const auto at = std::lower_bound(foreign.begin(), foreign.end(), vertex, [](const auto& a, const auto& b) {
      return a.owner != b.owner ? a.owner < b.owner : a.id < b.id;
    });
    return static_cast<Index>(at - foreign.begin());
  };
  for (std::size_t f = 0; f < foreign.size(); ++f) foreign[f].slot = static_cast<Index>(f);
  for (std::size_t i = 0; i < keys_.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      const Index local = map_.to_local(keys_[i].id[k]);
      pairs[i].pair.v[k] = local >= 0 ? local : map_.local() + slot_of({holders_[i].owner[k], keys_[i].id[k], 0});
    }
  foreign_count_ = static_cast<std::int64_t>(foreign.size());
  exchange_.rebuild(std::move(foreign));
  list_pairs_of_vertices(pairs);
  pairs_.assign_host(pairs);
  counted_.clear();
  for (const ActivePair& pair : pairs) counted_.push_back(pair.counted != 0);
  terms_.resize_with_room(pairs_.size());
  images_.resize_with_room(pairs_.size());
}

void ActiveSet::list_pairs_of_vertices(const std::vector<ActivePair>& pairs) {
  struct Entry {
    Index vertex, entry;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> list;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (int k = 0; k < 4; ++k)
      if (pairs[i].pair.v[k] < map_.owned()) list.push_back({pairs[i].pair.v[k], static_cast<Index>(4 * i) + k});
  std::sort(list.begin(), list.end());
  std::vector<Index> vertices, offsets{0}, entries;
  for (const Entry& e : list) {
    if (vertices.empty() || vertices.back() != e.vertex) {
      vertices.push_back(e.vertex);
      offsets.push_back(offsets.back());
    }
    entries.push_back(e.entry);
    ++offsets.back();
  }
  vertices_.assign_host(vertices);
  offsets_.assign_host(offsets);
  entries_.assign_host(entries);
}

void ActiveSet::receive(const Field& x, DeviceArray<Vec3>& foreign) {
  foreign.resize_with_room(foreign_count_);
  exchange_.forward(Halo::as_reals(x.values()), Halo::as_reals(foreign.view()), 3);
}

void ActiveSet::require_equal_copies() const {
  struct Copy {
    PairKey key;
    Real values[5];
  };
  const auto values_of = [](const ActivePair& p) {
    return std::array<Real, 5>{p.multiplier, p.decay, p.offset, p.friction_multiplier, p.penalty};
  };
  std::vector<Copy> copies;
  std::vector<int> destinations;
  const std::vector<ActivePair> pairs = pairs_.to_host();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Copy& copy = copies.emplace_back();
    copy.key = keys_[i];
    std::ranges::copy(values_of(pairs[i]), copy.values);
    destinations.push_back(counting_rank(keys_[i], holders_[i]));
  }
  const std::vector<Copy> arrived =
      send_each(communicator_, std::span<const Copy>(copies), std::span<const int>(destinations));
  communicator_.agree([&] {
    for (const Copy& copy : arrived) {
      const auto at = std::lower_bound(keys_.begin(), keys_.end(), copy.key);
      const bool known = at != keys_.end() && *at == copy.key;
      const auto mine = known ? values_of(pairs[static_cast<std::size_t>(at - keys_.begin())]) : std::array<Real, 5>{};
      if (!known || std::memcmp(mine.data(), copy.values, sizeof copy.values) != 0)
        throw Error(ExitCode::internal, "copies of the contact pair of vertices " + std::to_string(copy.key.id[0]) +
                                            " " + std::to_string(copy.key.id[1]) + " " +
                                            std::to_string(copy.key.id[2]) + " " + std::to_string(copy.key.id[3]) +
                                            " differ between ranks");
    }
  });
}

}  // namespace unbarred
