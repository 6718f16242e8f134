#include "contact/active_set.hpp"

#include <algorithm>
#include <numeric>

#include "partitioning/block_exchange.hpp"

namespace unbarred {

ActiveSet::ActiveSet(const Communicator& communicator, const IndexMap& map, Transport& transport,
                     std::function<Real(std::int32_t, std::int32_t)> friction)
    : communicator_(communicator), map_(map), friction_(std::move(friction)), exchange_(communicator, map, transport) {}

namespace {

/// Every distinct owner of a vertex gets a copy.
std::vector<FoundPair> deliver(const Communicator& communicator, const std::vector<FoundPair>& found) {
  std::vector<FoundPair> copies;
  std::vector<int> destinations;
  for (const FoundPair& pair : found)
    for (int k = 0; k < 4; ++k) {
      if (std::find(pair.owner, pair.owner + k, pair.owner[k]) != pair.owner + k) continue;
      copies.push_back(pair);
      destinations.push_back(pair.owner[k]);
    }
  std::vector<FoundPair> arrived =
      send_each(communicator, std::span<const FoundPair>(copies), std::span<const int>(destinations));
  std::sort(arrived.begin(), arrived.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return arrived;
}

ActivePair fresh_pair(const FoundPair& found, Real friction, int rank) {
  ActivePair pair{};
  pair.pair.kind = found.key.kind;
  pair.decay = 1;
  pair.friction = friction;
  const auto smallest = std::min_element(found.key.id, found.key.id + 4) - found.key.id;
  pair.counted = found.owner[smallest] == rank;
  return pair;
}

}  // namespace

GlobalIndex ActiveSet::add(const std::vector<FoundPair>& found, bool restore_decay) {
  const std::vector<FoundPair> arrived = deliver(communicator_, found);
  std::vector<ActivePair> before = pairs_.to_host(), after;
  std::vector<PairKey> keys;
  std::vector<Holder> owners;
  GlobalIndex fresh = 0;
  std::size_t old = 0;
  const auto keep_old = [&] {
    after.push_back(before[old]);
    keys.push_back(keys_[old]);
    owners.push_back(owners_[old]);
    ++old;
  };
  for (const FoundPair& pair : arrived) {
    while (old < keys_.size() && keys_[old] < pair.key) keep_old();
    if (old < keys_.size() && keys_[old] == pair.key) {
      if (restore_decay) before[old].decay = 1;
      continue;
    }
    after.push_back(fresh_pair(pair, friction_(pair.body[0], pair.body[1]), communicator_.rank()));
    keys.push_back(pair.key);
    owners.push_back({{pair.owner[0], pair.owner[1], pair.owner[2], pair.owner[3]}});
    fresh += after.back().counted;
  }
  while (old < keys_.size()) keep_old();
  keys_ = std::move(keys);
  owners_ = std::move(owners);
  renumber(after);
  return communicator_.sum(fresh);
}

void ActiveSet::drop_faded(Real least) {
  std::vector<ActivePair> pairs = pairs_.to_host();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].decay < least) continue;
    pairs[kept] = pairs[i];
    keys_[kept] = keys_[i];
    owners_[kept] = owners_[i];
    ++kept;
  }
  const bool changed = kept < pairs.size();
  if (!communicator_.max(changed ? 1 : 0)) return;
  pairs.resize(kept);
  keys_.resize(kept);
  owners_.resize(kept);
  renumber(pairs);
}

// Local numbers for vertices of the mesh, then foreign ones by (owner, id).
void ActiveSet::renumber(std::vector<ActivePair>& pairs) {
  std::vector<VertexExchange::Held> foreign;
  for (std::size_t i = 0; i < keys_.size(); ++i)
    for (int k = 0; k < 4; ++k)
      if (map_.to_local(keys_[i].id[k]) < 0) foreign.push_back({owners_[i].owner[k], keys_[i].id[k], 0});
  std::sort(foreign.begin(), foreign.end());
  foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
  for (std::size_t f = 0; f < foreign.size(); ++f) foreign[f].slot = static_cast<Index>(f);
  for (std::size_t i = 0; i < keys_.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      const Index local = map_.to_local(keys_[i].id[k]);
      const VertexExchange::Held wanted{owners_[i].owner[k], keys_[i].id[k], 0};
      pairs[i].pair.v[k] =
          local >= 0 ? local : map_.local() + std::lower_bound(foreign.begin(), foreign.end(), wanted)->slot;
    }
  foreign_count_ = static_cast<std::int64_t>(foreign.size());
  exchange_.rebuild(std::move(foreign));
  list_pairs_of_vertices(pairs);
  pairs_.assign_host(pairs);
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

VertexValues ActiveSet::update(const Field& x, DeviceArray<Vec3>& foreign) {
  foreign.resize_with_room(foreign_count_);
  const View<const Vec3> values = x.values();
  exchange_.forward(Halo::as_reals(values), Halo::as_reals(foreign.view()), 3);
  return {values, foreign.view()};
}

}  // namespace unbarred
